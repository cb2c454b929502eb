import type { Feature } from "../../operate/feature.ts";

export const invitations: Feature = {
  name: "invitations",
  about: "makes links of invitation: `usher invite` for the people of a file, `usher/tokens` for programs",
  page: "docs/invitations.md#making-invitations",
};
