import type { Feature } from "../../operate/feature.ts";
import { crawlerSettings } from "./settings.ts";

export const rules: Feature = {
  name: "rules",
  about:
    "rules of sites: crawlers of search engines are looked up in the DNS (`verified_crawler`), and `usher rules test`",
  page: "docs/rules.md",
  settings: crawlerSettings,
  load: async () => (await import("./gateway.ts")).rulesInGateway,
};
