/**
 * The console's page and files, as the build made them of `src/operate/console/`. They hold no figures: what the console shows and
 * does, it asks of the admin API, as a script would.
 */
export { readConsole } from "./files.ts";
export { consoleRoutes } from "./routes.ts";
