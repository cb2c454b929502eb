/** `npm run build`: builds dist/, whether it is current or not. */
import "./lib/node-version.mjs";
import { build } from "./lib/build.mjs";
import { withLock } from "./lib/lock.mjs";

process.exitCode = await withLock(build);
