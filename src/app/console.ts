/** The console's script begins here, in a browser: its own screens, and those of features. */
import { screens as featureScreens } from "../features/screens.ts";
import { startConsole } from "../operate/console/frame/app.tsx";
import { screens } from "../operate/console/screens.ts";

startConsole([...screens, ...featureScreens]);
