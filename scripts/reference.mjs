/** `npm run reference`: writes the JSON Schema of the configuration, docs/openapi.json, and the tables in the documents that follow from the source. `--check` only compares. */
import "./lib/node-version.mjs";
import { inRoot } from "./lib/paths.mjs";
import { prepare } from "./lib/prepare.mjs";
import { run } from "./lib/run.mjs";

await prepare({ needsBuild: false });
const program = inRoot("scripts", "lib", "write-reference.ts");
process.exitCode = await run(process.execPath, ["--import", "tsx", program, ...process.argv.slice(2)]);
