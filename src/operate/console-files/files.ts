import { readdirSync, readFileSync } from "node:fs";
import { extname, join } from "node:path";
import { gzipSync } from "node:zlib";

/** A file under a name that has the hash of what is in it, so browsers keep it for good. */
export interface ConsoleFile {
  readonly type: "js" | "css";
  readonly body: Buffer;
  /** The same for those that take gzip: made when it is first asked for. */
  readonly gzipped: Buffer;
}

export interface Console {
  readonly page: string;
  readonly files: ReadonlyMap<string, ConsoleFile>;
}

/** Where its page finds its files. */
export const filesPath = "/console/files";

/**
 * @param folder of the build: a script and a stylesheet, and what the script loads later
 * @throws Error where the build has left out something
 */
export function readConsole(folder: string): Console {
  const names = readdirSync(folder).sort();
  const files = new Map(names.map((name) => [name, readConsoleFile(folder, name)]));
  const nameOf = (pattern: RegExp) => {
    const name = names.find((each) => pattern.test(each));
    if (name === undefined) throw new Error(`${folder} has no ${pattern}: run \`npm run build\``);
    return name;
  };
  return { page: pageOf(nameOf(/^console-\w+\.js$/), nameOf(/^console-\w+\.css$/)), files };
}

function readConsoleFile(folder: string, name: string): ConsoleFile {
  const body = readFileSync(join(folder, name));
  let gzipped: Buffer | undefined;
  return {
    type: extname(name) === ".css" ? "css" : "js",
    body,
    get gzipped() {
      gzipped ??= gzipSync(body, { level: 9 });
      return gzipped;
    },
  };
}

/** The script says in the operator's language what stands here in English. No translator rewrites it: figures that it has replaced would stand still. */
function pageOf(script: string, sheet: string): string {
  return `<!doctype html>
<html lang="en" dir="ltr" translate="no">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="robots" content="noindex">
<meta name="color-scheme" content="light dark">
<title>Usher</title>
<link rel="icon" href="data:,">
<link rel="stylesheet" href="${filesPath}/${sheet}">
<script type="module" src="${filesPath}/${script}"></script>
</head>
<body>
<div id="console"></div>
<noscript><p>The console needs JavaScript. The same can be done with the <code>usher</code> command and the admin API.</p></noscript>
</body>
</html>
`;
}
