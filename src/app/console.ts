/** The console's script begins here, in a browser: its own screens, and those of features. */
import { screens as featureScreens } from "../features/screens.ts";
import { screens } from "../operate/console/screens.ts";
import { startConsole } from "../operate/console/start.tsx";

startConsole([...screens, ...featureScreens]);
