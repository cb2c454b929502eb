import type { ConsoleFeature } from "../../../operate/console/frame/console.ts";
import { useRehearsal } from "./last-rehearsal.tsx";

export const rehearsalInConsole: ConsoleFeature = { useChecklist: useRehearsal };
