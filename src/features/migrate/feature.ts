import type { Feature } from "../../operate/feature.ts";

/** A command alone: a gateway has nothing of it. What it writes is read by the homes that it needs. */
export const migrate: Feature = {
  name: "migrate",
  about: "`usher migrate`: a configuration from the export of another waiting room, with what has no equal",
  page: "docs/homes/migrate.md",
  needs: ["aws-home", "queue-it-home"],
};
