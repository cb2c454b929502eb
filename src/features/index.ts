/** The features of the gateway. Each is a folder here; taking it away takes away its line. The composition roots pass this list on. */
import type { Feature } from "../operate/feature.ts";
import { beacon } from "./beacon/feature.ts";
import { push } from "./push/feature.ts";
import { statusPage } from "./status-page/feature.ts";
import { webhooks } from "./webhooks/feature.ts";

export const features: readonly Feature[] = [statusPage, beacon, webhooks, push];
