/** Writes what follows from the schemas and the tables of routes, or with `--check` names what is not as it would be written. */
import { existsSync, readFileSync, writeFileSync } from "node:fs";
import { fileURLToPath } from "node:url";
import { chartFiles } from "./chart-files.ts";
import { MissingWords, reference } from "./config-reference.ts";
import { featureDocs } from "./feature-docs.ts";
import { guideSnippets } from "./guide-snippets.ts";
import { httpReference } from "./openapi/reference.ts";
import { planDocs } from "./plan-docs.ts";

const pathOf = (file: string) => fileURLToPath(new URL(`../../${file}`, import.meta.url));
const read = (file: string) => readFileSync(pathOf(file), "utf8");

try {
  const files = {
    ...reference(read("docs/configuration.md")),
    ...httpReference(read),
    ...guideSnippets(read),
    ...chartFiles(read),
    ...(await featureDocs(read)),
    ...(await planDocs(read)),
  };
  for (const [file, text] of Object.entries(files)) {
    const path = pathOf(file);
    if (existsSync(path) && readFileSync(path, "utf8") === text) continue;
    if (process.argv.includes("--check")) refuse(`${file} is not what follows from the source: npm run reference`);
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
