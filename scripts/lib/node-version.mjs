/**
 * Ends the process with a line when this Node.js is too old. The first import of every script: those behind it are evaluated
 * later.
 */
import { readFileSync } from "node:fs";

const { engines } = JSON.parse(readFileSync(new URL("../../package.json", import.meta.url), "utf8"));
const oldest = engines.node.replace(">=", "");
const [major, minor] = process.versions.node.split(".").map(Number);
const [leastMajor, leastMinor] = oldest.split(".").map(Number);

if (major < leastMajor || (major === leastMajor && minor < leastMinor)) {
  console.error(
    `Usher needs Node.js ${oldest} or later, and this is ${process.versions.node}: install a newer one (https://nodejs.org).`,
  );
  process.exit(1);
}
