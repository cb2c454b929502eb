/** Writes what follows from the schema of the configuration, or with `--check` names what is not as it would be written. */
import { existsSync, readFileSync, writeFileSync } from "node:fs";
import { fileURLToPath } from "node:url";
import { MissingWords, reference } from "./config-reference.ts";

const pathOf = (file: string) => fileURLToPath(new URL(`../../${file}`, import.meta.url));

try {
  for (const [file, text] of Object.entries(reference(readFileSync(pathOf("docs/configuration.md"), "utf8")))) {
    const path = pathOf(file);
    if (existsSync(path) && readFileSync(path, "utf8") === text) continue;
    if (process.argv.includes("--check"))
      refuse(`${file} is not what follows from src/config/schema: npm run reference`);
    else writeFileSync(path, text);
  }
} catch (error) {
  if (!(error instanceof MissingWords)) throw error;
  refuse(error.message);
}

function refuse(message: string): void {
  process.stdout.write(`${message}\n`);
  process.exitCode = 1;
}
