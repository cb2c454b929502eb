/**
 * `npm start`: installs and builds what is missing, then serves: the demonstration, or the configuration that
 * `--config FILE` names. Other arguments are passed on.
 */
import "./lib/node-version.mjs";
import { pathToFileURL } from "node:url";
import { toCommandLine } from "./lib/command-line.mjs";
import { stopWithNpm } from "./lib/npm-parent.mjs";
import { inRoot } from "./lib/paths.mjs";
import { prepare } from "./lib/prepare.mjs";

await prepare();
stopWithNpm();

// The program runs in this very process: its signals and its exit code are ours, and a signal that ends the launcher
// ends the server.
const main = inRoot("dist", "main.js");
process.argv.splice(1, process.argv.length, main, ...toCommandLine(process.argv.slice(2)));
await import(pathToFileURL(main).href);
