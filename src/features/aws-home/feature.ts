import type { Feature } from "../../operate/feature.ts";
import { awsHomeSettings } from "./settings.ts";

export const awsHome: Feature = {
  name: "aws-home",
  about: "clients of AWS's Virtual Waiting Room are answered in the words of its interface",
  page: "docs/homes/aws.md",
  settings: awsHomeSettings,
  load: async () => (await import("./gateway.ts")).awsHomeInGateway,
};
