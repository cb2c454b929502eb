/** What features add to the console, a line each. */
import type { ConsoleFeature } from "../operate/console/frame/console.ts";
import { doctorInConsole } from "./doctor/console/feature.ts";
import { rehearsalInConsole } from "./rehearsal/console/feature.ts";
import { webhooksInConsole } from "./webhooks/console/feature.ts";

export const consoleFeatures: readonly ConsoleFeature[] = [doctorInConsole, rehearsalInConsole, webhooksInConsole];
