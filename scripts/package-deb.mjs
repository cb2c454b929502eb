/** `npm run package:deb`: builds artifacts/usher_VERSION_all.deb, which needs no network when it is installed. `-- --out FOLDER` puts it elsewhere. */
import "./lib/node-version.mjs";
import { parseArgs } from "node:util";
import { buildDebianPackage } from "./lib/debian.mjs";
import { inRoot } from "./lib/paths.mjs";
import { prepare } from "./lib/prepare.mjs";
import { fail } from "./lib/run.mjs";

const { values } = parseArgs({ options: { out: { type: "string", default: inRoot("artifacts") } } });
await prepare();
try {
  process.stdout.write(`${await buildDebianPackage(values.out)}\n`);
} catch (error) {
  fail(error.message);
}
