/** Writes what follows from the schema of the configuration, or with `--check` names what is not as it would be written. */
import { existsSync, readFileSync, writeFileSync } from "node:fs";
import { fileURLToPath } from "node:url";
import { jsonSchema, markdown, wordsIn } from "./config-reference.ts";

const BEGIN =
  "<!-- begin: keys, order, allowed values and defaults are written by `npm run reference`; what each key means is yours to write -->";
const END = "<!-- end -->";

const pathOf = (file: string) => fileURLToPath(new URL(`../../${file}`, import.meta.url));
const page = readFileSync(pathOf("docs/configuration.md"), "utf8");
const words = wordsIn(page);
const schema = jsonSchema(words);
const [head, rest = ""] = page.split(BEGIN);
const written: Readonly<Record<string, string>> = {
  "config/usher.schema.json": `${JSON.stringify(schema, null, 1)}\n`,
  "docs/configuration.md": `${head}${BEGIN}\n\n${markdown(schema, words)}\n\n${END}${rest.split(END)[1] ?? ""}`,
};

for (const [file, text] of Object.entries(written)) {
  const path = pathOf(file);
  if (existsSync(path) && readFileSync(path, "utf8") === text) continue;
  if (!process.argv.includes("--check")) writeFileSync(path, text);
  else {
    process.stdout.write(`${file} is not what follows from src/config/schema: npm run reference\n`);
    process.exitCode = 1;
  }
}
