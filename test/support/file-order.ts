import { BaseSequencer, type TestSpecification } from "vitest/node";

/**
 * Within a group faults run first, since they wait long; and journeys last: they are made with a browser of another kind, for which each process
 * has to replace its own.
 */
export class FaultsFirstJourneysLast extends BaseSequencer {
  override async sort(files: TestSpecification[]): Promise<TestSpecification[]> {
    const sorted = await super.sort(files);
    return sorted.sort((a, b) => groupOf(a) - groupOf(b) || rankOf(a) - rankOf(b));
  }
}

function groupOf({ project }: TestSpecification): number {
  return project.config.sequence.groupOrder;
}

function rankOf({ moduleId, project }: TestSpecification): number {
  if (project.name.startsWith("fault")) return 0;
  return moduleId.includes("/test/browser/journey/") ? 2 : 1;
}
