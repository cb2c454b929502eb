#!/usr/bin/env node
/** Says in a line that this Node.js is too old, before anything is imported that it cannot read. */
import { readFileSync } from "node:fs";

const { engines } = JSON.parse(readFileSync(new URL("../package.json", import.meta.url), "utf8"));
const oldest = engines.node.replace(">=", "");

function isOlder(version: string, than: string): boolean {
  const [major = 0, minor = 0] = version.split(".").map(Number);
  const [leastMajor = 0, leastMinor = 0] = than.split(".").map(Number);
  return major < leastMajor || (major === leastMajor && minor < leastMinor);
}

if (isOlder(process.versions.node, oldest)) {
  console.error(
    `Usher needs Node.js ${oldest} or later, and this is ${process.versions.node}: install a newer one (https://nodejs.org).`,
  );
  process.exit(1);
}
await import("./app/command.ts");
