/** What features add to the console, a line each. */
import type { ConsoleFeature } from "../operate/console/frame/console.ts";
import { beaconInConsole } from "./beacon/console/feature.ts";
import { doctorInConsole } from "./doctor/console/feature.ts";
import { queueItInConsole } from "./queue-it-home/console/feature.ts";
import { rehearsalInConsole } from "./rehearsal/console/feature.ts";
import { reportInConsole } from "./report/console/feature.ts";
import { webhooksInConsole } from "./webhooks/console/feature.ts";

export const consoleFeatures: readonly ConsoleFeature[] = [
  beaconInConsole,
  doctorInConsole,
  rehearsalInConsole,
  webhooksInConsole,
  reportInConsole,
  queueItInConsole,
];
