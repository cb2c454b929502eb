import type { Feature } from "../../operate/feature.ts";

export const rehearsal: Feature = {
  name: "rehearsal",
  about:
    "`usher rehearse`: plays a crowd of visitors in a room that is marked for it, and reports what it met and what to mend",
  page: "docs/operations.md#rehearse-with-a-crowd",
  load: async () => (await import("./gateway.ts")).rehearsalInGateway,
};
