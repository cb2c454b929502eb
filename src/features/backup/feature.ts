import type { Feature } from "../../operate/feature.ts";

/**
 * A copy of an installation in one file, and the way back: `usher export` writes one of what a gateway answers at `GET /admin/backup`, and
 * `usher import` puts it where a gateway that starts recovers from. What is in it, and what is not: docs/backup.md.
 */
export const backup: Feature = {
  name: "backup",
  about: "an installation in one file, and the way back: `usher export`, `usher import`",
  page: "docs/backup.md",
  load: async () => (await import("./admin-routes.ts")).backupInGateway,
};
