/** The files that follow from the tables of routes, as they should be. */
import { clientTypes } from "./client-types.ts";
import { consoleShapes, type Description } from "./console-shapes.ts";
import { openApi } from "./document.ts";
import { documentsWithTables, withTable } from "./tables.ts";

/** @param read a file of the project */
export function httpReference(read: (file: string) => string): Readonly<Record<string, string>> {
  const { version } = JSON.parse(read("package.json")) as { version: string };
  const description = openApi(version, meaningsIn(read("docs/error-codes.md")));
  return {
    "docs/openapi.json": `${JSON.stringify(description, null, 1)}\n`,
    "src/operate/client/admin-api.ts": clientTypes(description),
    "src/operate/console/api/shapes.json": `${JSON.stringify(consoleShapes(description as unknown as Description))}\n`,
    ...Object.fromEntries(documentsWithTables.map((file) => [file, withTable(file, read(file))])),
  };
}

/** What docs/error-codes.md says of each code, without its links. */
function meaningsIn(page: string): ReadonlyMap<string, string> {
  const rows = [...page.matchAll(/^\| `(\w+)` \|[^|]*\| (.*) \|$/gm)];
  return new Map(rows.map(([, name = "", meaning = ""]) => [name, meaning.replace(/\[([^\]]*)\]\([^)]*\)/g, "$1")]));
}
