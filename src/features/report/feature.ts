import type { Feature } from "../../operate/feature.ts";

/** What is reported follows from a room's admission log alone, whose chain is checked first (src/room/admission-log). */
export const report: Feature = {
  name: "report",
  about: "how fair an event was, from its admission log: `usher report`, and the console's screen after the sale",
  page: "docs/report.md",
};
