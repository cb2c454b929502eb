/** What documents have from the features that are there: a table of them, and no row or key of one that was taken away. */
import { existsSync, readdirSync, readFileSync } from "node:fs";
import { fileURLToPath, pathToFileURL } from "node:url";
import { Command } from "commander";
import { documentSchemas } from "../../src/config/schema/schema.ts";
import { featureCommands } from "../../src/features/commands.ts";
import { features } from "../../src/features/index.ts";
import { addCommands, type StoreTools, type Terminal } from "../../src/operate/commands/index.ts";
import { settingsPartsOf } from "../../src/operate/feature.ts";

/** What each feature.ts says for a reader. */
interface Described {
  readonly name: string;
  readonly about: string;
  /** Its page, with the heading where it is not the whole. */
  readonly page: string;
}

const src = fileURLToPath(new URL("../../src", import.meta.url));
const folder = `${src}/features`;
/** Pages of reference whose rows begin with names that stand in the source: metrics, log events, codes of health. */
const NAMED_IN_SOURCE: Readonly<Record<string, RegExp>> = {
  "docs/metrics.md": /^usher_[a-z_]+$/,
  "docs/log-events.md": /^[a-z_]+\.[a-z_]+$/,
  "docs/monitoring.md": /^[a-z]+_[a-z_]+$/,
};
const TABLE = /(<!-- begin: written by `npm run reference` from each feature.ts -->\n)[\s\S]*?(?=<!-- end -->)/;

export async function featureDocs(read: (file: string) => string): Promise<Record<string, string>> {
  const features = await describedFeatures();
  const rows = features.map(({ name, about, page }) => {
    return `| \`src/features/${name}\` | ${about} | [${page.replace(/#.*/, "")}](${page.replace(/^docs\//, "")}) |\n`;
  });
  const table = `| folder | what it adds | page |\n|---|---|---|\n${rows.join("")}`;
  const source = readdirSync(src, { recursive: true, encoding: "utf8" })
    .filter((file) => file.endsWith(".ts"))
    .map((file) => readFileSync(`${src}/${file}`, "utf8"))
    .join("\n");
  return {
    ...Object.fromEntries(
      Object.entries(NAMED_IN_SOURCE).map(([page, shape]) => [page, withoutGoneNames(read(page), shape, source)]),
    ),
    "docs/architecture.md": read("docs/architecture.md").replace(TABLE, `$1${table}`),
    "config/usher.example.yaml": withoutGoneKeys(read("config/usher.example.yaml")),
    "docs/commands.md": withoutGoneCommands(read("docs/commands.md"), read("src/app/command.ts")),
  };
}

async function describedFeatures(): Promise<readonly Described[]> {
  const files = readdirSync(folder)
    .sort()
    .map((name) => `${folder}/${name}/feature.ts`)
    .filter((file) => existsSync(file));
  const modules = await Promise.all(files.map((file) => import(pathToFileURL(file).href)));
  return modules.map((module) => Object.values(module)[0] as Described);
}

/** @param ofProgram the text that has those which need more than a terminal */
function withoutGoneCommands(page: string, ofProgram: string): string {
  const program = new Command("usher");
  addCommands(program, {} as Terminal, {} as StoreTools, featureCommands);
  const names = new Set([
    ...program.commands.map((command) => command.name()),
    ...[...ofProgram.matchAll(/\.command\("([a-z-]+)/g)].map(([, name = ""]) => name),
  ]);
  return page.replace(/^\| `usher ([a-z-]+).*\n/gm, (row, name: string) => (names.has(name) ? row : ""));
}

/** Without the keys at the top that neither Usher nor a feature declares, and the comments above them. */
function withoutGoneKeys(example: string): string {
  const keys = Object.keys(documentSchemas(settingsPartsOf(features)).ofOne.shape);
  return example.replace(/^(?:#.*\n)*([a-z_]+):.*\n(?:[ \t]+.*\n)*/gm, (section, key: string) =>
    keys.includes(key) ? section : "",
  );
}

/** Without the rows of which no name stands in the source. */
function withoutGoneNames(page: string, shape: RegExp, source: string): string {
  return page.replace(/^\| ((?:`[^`]+`(?:, )?)+) \|.*\n/gm, (row, cell: string) => {
    const names = [...cell.matchAll(/`([^`]+)`/g)].map(([, name = ""]) => name);
    return names.some((name) => !shape.test(name) || source.includes(`"${name}"`)) ? row : "";
  });
}
