/** The curl commands of a documentation page, as requests: so that a test does what the page says. */
import { readFileSync } from "node:fs";
import { fileURLToPath } from "node:url";

export interface CurlCommand {
  /** As on the page, on one line. */
  readonly text: string;
  readonly method: string;
  readonly url: URL;
  readonly headers: Readonly<Record<string, string>>;
  readonly body: string | undefined;
}

export interface PageSection {
  readonly heading: string;
  readonly commands: readonly CurlCommand[];
}

export function readPage(path: string): string {
  return readFileSync(fileURLToPath(new URL(`../../${path}`, import.meta.url)), "utf8");
}

/** The sections (`##`) of a page that have commands in blocks of `sh`. `variables` are those that the page uses. */
export function curlSections(page: string, variables: Readonly<Record<string, string>>): PageSection[] {
  return page
    .split(/^## /m)
    .slice(1)
    .map((section) => ({
      heading: section.slice(0, section.indexOf("\n")),
      commands: [...section.matchAll(/```sh\n([\s\S]*?)```/g)]
        .flatMap(([, block = ""]) => block.replaceAll("\\\n", " ").split("\n"))
        .filter((line) => line.trim() !== "")
        .map((line) => readCommand(line, variables)),
    }))
    .filter(({ commands }) => commands.length > 0);
}

function readCommand(line: string, variables: Readonly<Record<string, string>>): CurlCommand {
  const [program, ...words] = shellWords(line, variables);
  if (program !== "curl") throw new Error(`not a curl command: ${line}`);
  const headers: Record<string, string> = {};
  let method = "GET";
  let url: URL | undefined;
  let body: string | undefined;
  for (let word = words.shift(); word !== undefined; word = words.shift()) {
    if (word === "-X") method = words.shift() ?? "";
    else if (word === "-d") body = words.shift();
    else if (word === "-H") {
      const [, name = "", value = ""] = /^([\w-]+): (.*)$/.exec(words.shift() ?? "") ?? [];
      headers[name.toLowerCase()] = value;
    } else if (url === undefined && URL.canParse(word)) url = new URL(word);
    else throw new Error(`"${word}" is not understood in: ${line}`);
  }
  if (url === undefined) throw new Error(`no address in: ${line}`);
  return { text: line.replace(/\s+/g, " "), method, url, headers, body };
}

/** The words of a command: plain, in single quotes, or in double quotes with variables. */
function shellWords(line: string, variables: Readonly<Record<string, string>>): string[] {
  return [...line.matchAll(/'([^']*)'|"([^"]*)"|[^\s'"]+/g)].map(([word, single, double]) => {
    if (single !== undefined) return single;
    return (double ?? word).replace(/\$(\w+)/g, (_, name: string) => {
      const value = variables[name];
      if (value === undefined) throw new Error(`the variable ${name} is not known in: ${line}`);
      return value;
    });
  });
}
