import type { Feature } from "../../operate/feature.ts";

export const preview: Feature = {
  name: "preview",
  about: "`usher preview`: all pages with made-up data",
  page: "docs/preview.md",
};
