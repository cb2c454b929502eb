import { existsSync } from "node:fs";
import { BaseSequencer, type TestSpecification } from "vitest/node";

/**
 * Files that take long although they are short, the longest first: vitest begins with the largest files where it has
 * not measured yet, and one that begins last goes on alone.
 */
const longest = [
  "fault/loss.long",
  "fault/outage",
  "fault/rotation.long",
  "fault/outflow.long",
  "browser/page-looks",
  "browser/journey/phases",
  "browser/waiting-page",
  "browser/notices",
  "contract/redis",
  "contract/parity",
  "contract/redis-cluster",
  "contract/redis-connection",
  "contract/redis.long",
  "contract/parity.long",
  "e2e/cost/cost.long",
  "e2e/journey/redis",
  "e2e/journey/memory.long",
  // Half a minute of waiting, or a part of it.
  "e2e/conformance/code-reuse.long",
  "e2e/relying-parties/apache.long",
];

/** Runs the longest files first, within what runs together and needs the same browser. */
export class LongestFirst extends BaseSequencer {
  override async sort(files: TestSpecification[]): Promise<TestSpecification[]> {
    for (const name of longest) {
      if (!existsSync(new URL(`../${name}.test.ts`, import.meta.url))) throw new Error(`no test file ${name}`);
    }
    const sorted = await super.sort(files);
    return sorted.sort((a, b) => groupOf(a) - groupOf(b) || rankOf(a) - rankOf(b));
  }
}

function groupOf({ project }: TestSpecification): number {
  return project.config.sequence.groupOrder;
}

function rankOf({ moduleId }: TestSpecification): number {
  const rank = longest.findIndex((name) => moduleId.endsWith(`/test/${name}.test.ts`));
  // Journeys are made with a browser of another kind, for which each process has to replace its own.
  const isJourney = moduleId.includes("/test/browser/journey/");
  return (rank < 0 ? longest.length : rank) + (isJourney ? longest.length + 1 : 0);
}
