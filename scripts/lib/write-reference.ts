/** Writes what follows from the schema of the configuration, or with `--check` names what is not as it would be written. */
import { existsSync, readFileSync, writeFileSync } from "node:fs";
import { fileURLToPath } from "node:url";
import { reference } from "./config-reference.ts";

const pathOf = (file: string) => fileURLToPath(new URL(`../../${file}`, import.meta.url));

for (const [file, text] of Object.entries(reference(readFileSync(pathOf("docs/configuration.md"), "utf8")))) {
  const path = pathOf(file);
  if (existsSync(path) && readFileSync(path, "utf8") === text) continue;
  if (!process.argv.includes("--check")) writeFileSync(path, text);
  else {
    process.stdout.write(`${file} is not what follows from src/config/schema: npm run reference\n`);
    process.exitCode = 1;
  }
}
