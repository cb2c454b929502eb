/** The screens that features add to the console, of the installation and of rooms: a line each. */
import type { Screen } from "../operate/console/frame/console.ts";

export const screens: readonly Screen[] = [];
