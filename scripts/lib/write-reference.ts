/** Writes what follows from the schema of the configuration, or with `--check` names what is not as it would be written. */
import { readFileSync, writeFileSync } from "node:fs";
import { fileURLToPath } from "node:url";
import { jsonSchema, markdown } from "./config-reference.ts";

const BEGIN = "<!-- begin: written by `npm run reference` from src/config/schema -->";
const END = "<!-- end -->";

const schema = jsonSchema();
const written: Readonly<Record<string, (before: string) => string>> = {
  "config/usher.schema.json": () => `${JSON.stringify(schema, null, 1)}\n`,
  "docs/configuration.md": (before) => {
    const [head, rest = ""] = before.split(BEGIN);
    return `${head}${BEGIN}\n\n${markdown(schema)}\n\n${END}${rest.split(END)[1] ?? ""}`;
  },
};

for (const [file, write] of Object.entries(written)) {
  const path = fileURLToPath(new URL(`../../${file}`, import.meta.url));
  const before = readOrEmpty(path);
  const text = write(before);
  if (text === before) continue;
  if (!process.argv.includes("--check")) writeFileSync(path, text);
  else {
    process.stdout.write(`${file} is not what src/config/schema says: npm run reference\n`);
    process.exitCode = 1;
  }
}

function readOrEmpty(path: string): string {
  try {
    return readFileSync(path, "utf8");
  } catch {
    return "";
  }
}
