import { BaseSequencer, type TestSpecification } from "vitest/node";

/** Journeys are made with a browser of another kind, for which each process has to replace its own: they run after all others of their kind. */
export class SameBrowserFirst extends BaseSequencer {
  override async sort(files: TestSpecification[]): Promise<TestSpecification[]> {
    const sorted = await super.sort(files);
    return sorted.sort((a, b) => groupOf(a) - groupOf(b) || Number(isJourney(a)) - Number(isJourney(b)));
  }
}

function groupOf({ project }: TestSpecification): number {
  return project.config.sequence.groupOrder;
}

function isJourney({ moduleId }: TestSpecification): boolean {
  return moduleId.includes("/test/browser/journey/");
}
