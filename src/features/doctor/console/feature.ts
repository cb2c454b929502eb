import type { ConsoleFeature } from "../../../operate/console/frame/console.ts";
import { useChecks } from "./checks.tsx";

export const doctorInConsole: ConsoleFeature = { useChecklist: useChecks };
