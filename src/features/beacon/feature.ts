import type { Feature } from "../../operate/feature.ts";
import { beaconSettings } from "./settings.ts";

export const beacon: Feature = {
  name: "beacon",
  about: "public random numbers in draws",
  page: "docs/draw.md",
  settings: beaconSettings,
  attentionCodes: ["beacon_fails"],
  load: async () => (await import("./gateway.ts")).beaconInGateway,
};
