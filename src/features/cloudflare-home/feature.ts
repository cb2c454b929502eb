import type { Feature } from "../../operate/feature.ts";
import { cloudflareSettings } from "./settings.ts";

export const cloudflareHome: Feature = {
  name: "cloudflare-home",
  about: "programs that wait for Cloudflare's Waiting Room by JSON wait here in its words, at the site's own address",
  page: "docs/homes/cloudflare.md",
  settings: cloudflareSettings,
  load: async () => (await import("./gateway.ts")).cloudflareInGateway,
};
