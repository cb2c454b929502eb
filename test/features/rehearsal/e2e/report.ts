import type { Report } from "../../../../src/features/rehearsal/report/report.ts";

/** What `--json` prints. */
export type RehearsalReport = Report & {
  readonly mend: readonly { readonly about: string; readonly status: string; readonly text: string }[];
};
