/** The console's script begins here, in a browser: its own screens, and what features add. */
import { consoleFeatures } from "../features/screens.ts";
import { startConsole } from "../operate/console/frame/app.tsx";
import { screens } from "../operate/console/screens.ts";

startConsole([{ screens }, ...consoleFeatures]);
