/** The features of a gateway, a line each. Their commands are listed in commands.ts, their screens in screens.ts. */
import type { Feature } from "../operate/feature.ts";
import { awsHome } from "./aws-home/feature.ts";
import { backup } from "./backup/feature.ts";
import { beacon } from "./beacon/feature.ts";
import { cloudflareHome } from "./cloudflare-home/feature.ts";
import { doctor } from "./doctor/feature.ts";
import { push } from "./push/feature.ts";
import { queueItHome } from "./queue-it-home/feature.ts";
import { rehearsal } from "./rehearsal/feature.ts";
import { rules } from "./rules/feature.ts";
import { siteTag } from "./site-tag/feature.ts";
import { statusPage } from "./status-page/feature.ts";
import { webhooks } from "./webhooks/feature.ts";

export const features: readonly Feature[] = [
  statusPage,
  beacon,
  webhooks,
  push,
  rehearsal,
  backup,
  doctor,
  siteTag,
  queueItHome,
  rules,
  awsHome,
  cloudflareHome,
];
