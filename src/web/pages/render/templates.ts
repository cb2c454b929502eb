/** Templates: those of views/, and an operator's in place of some of them. */
import { existsSync, readFileSync, realpathSync } from "node:fs";
import { basename, dirname, extname, join, resolve, sep } from "node:path";
import { Script } from "node:vm";
import ejs from "ejs";
import type { ReportViewProblem } from "../types.ts";

export type Template = (page: object) => string;

/** What pages include, what stands around them, and pages. An operator's folder may hold any of them. */
export const templateNames = ["message", "move", "draw", "check", "device", "layout", "waiting", "notice"] as const;
export type TemplateName = (typeof templateNames)[number];
export type Templates = Readonly<Record<TemplateName, Template>>;

/**
 * Compiles each file when it is needed first, and never again: the files may change while pages are made. Strict mode: the
 * variables are `page` and, for what an include hands over, `locals`; and a name that does not exist is an error instead of nothing.
 *
 * @param own override the built-in ones: an operator's folder, and those of its templates that are used
 */
export function readTemplates(
  viewsDir: string,
  own?: { readonly folder: string; readonly names: readonly TemplateName[] },
): Templates {
  const files = new Map<string, (locals: object) => string>();
  const places = new Map<string, string>();
  const isOwn = (name: string) => own?.names.some((each) => name === `${each}.ejs`) === true;
  const fileOf = (name: string) => join(isOwn(name) && own !== undefined ? own.folder : viewsDir, name);

  /** Includes of a template's name lead to whichever is used; all others stay inside the folder. */
  const included = (written: string, from: string): string => {
    const file = resolve(dirname(from), extname(written) === "" ? `${written}.ejs` : written);
    const name = basename(file);
    const isOther = ![resolve(viewsDir), own?.folder].includes(dirname(file)) && existsSync(file);
    if (!isOther && templateNames.some((each) => name === `${each}.ejs`)) return fileOf(name);
    if (!existsSync(file)) throw new Error(`there is no file to include: ${written}`);
    if (!isInside(file, viewsDir) && (own === undefined || !isInside(file, own.folder))) {
      throw new Error(`an include may not lead out of its folder: ${written}`);
    }
    return file;
  };

  const compile = (filename: string) => {
    const text = readFileSync(filename, "utf8").replace(/^\uFEFF/, "");
    const options = {
      filename,
      strict: true,
      _with: false,
      localsName: "locals",
      // EJS would read and compile an included file anew each time.
      destructuredLocals: ["page", "include"],
      // Lines are counted where an operator may have to look for a fault.
      rmWhitespace: own === undefined || !filename.startsWith(own.folder + sep),
    };
    try {
      return ejs.compile(text, options);
    } catch (error) {
      throw atLine(error, filename, syntaxErrorLine(text, options));
    }
  };
  const render = (file: string, locals: object): string => {
    const template = files.get(file) ?? compile(file);
    files.set(file, template);
    const include = (written: string, handed?: object) => {
      const key = `${file}\n${written}`;
      const place = places.get(key) ?? included(written, file);
      places.set(key, place);
      return render(place, { ...locals, ...handed });
    };
    return template({ ...locals, include });
  };
  return forEachTemplate((name) => (page) => render(fileOf(`${name}.ejs`), { page }));
}

function isInside(file: string, folder: string): boolean {
  return realpathSync(file).startsWith(realpathSync(folder) + sep);
}

function atLine(error: unknown, file: string, line: number | null): Error {
  const [reason = ""] = (error instanceof Error ? error.message : String(error)).split(` in ${file}`);
  return new Error(`${file}${line === null ? "" : `:${line}`}: ${reason}`, { cause: error });
}

/**
 * The line of a template at which it stops being one; null where that can't be told. EJS itself does not say.
 *
 * @param options as for `ejs.compile`
 */
function syntaxErrorLine(text: string, options: ejs.Options): number | null {
  const template = new ejs.Template(text, options);
  try {
    template.compile();
    return null;
  } catch (error) {
    return error instanceof SyntaxError ? lineInSource(template.source) : unclosedTagLine(text);
  }
}

/** The generated program notes the template's lines as it goes. */
function lineInSource(source: string): number | null {
  try {
    new Script(`(function(){\n${source}\n})`, { filename: "template" });
    return null;
  } catch (error) {
    const at = /^template:(\d+)/.exec(error instanceof Error ? (error.stack ?? "") : "")?.[1];
    const before = source
      .split("\n")
      .slice(0, Number(at) - 1)
      .join("\n");
    return Number([...before.matchAll(/__line = (\d+)/g)].at(-1)?.[1] ?? 1);
  }
}

function unclosedTagLine(text: string): number | null {
  for (let at = text.indexOf("<%"); at >= 0; at = text.indexOf("<%", at + 2)) {
    const [end, next] = [text.indexOf("%>", at), text.indexOf("<%", at + 2)];
    if (end < 0 || (next >= 0 && next < end)) return text.slice(0, at).split("\n").length;
  }
  return null;
}

/** The file and line of what went wrong in a template, and what it was, on one line. */
export function describeTemplateError(error: unknown): string {
  const message = (error instanceof Error ? error.message : String(error)).replace(/ while compiling ejs[\s\S]*$/, "");
  // EJS puts the lines around it between the place and the reason.
  const [place = "", ...rest] = message.split("\n");
  if (rest.length === 0 || !/:\d+$/.test(place)) return message.replaceAll("\n", " ");
  return `${place}: ${describeTemplateError(new Error(message.slice(message.indexOf("\n\n") + 2)))}`;
}

/** With the built-in template in place of one that fails on a page; each such template is reported once. */
export function withFallback(own: Templates, builtIn: Templates, report: ReportViewProblem): Templates {
  const guard = (name: TemplateName): Template => {
    let isReported = false;
    return (page) => {
      try {
        return own[name](page);
      } catch (error) {
        const message = `${describeTemplateError(error)}; the built-in ${name}.ejs is used`;
        if (!isReported) report({ when: "page", message });
        isReported = true;
        return builtIn[name](page);
      }
    };
  };
  return forEachTemplate(guard);
}

export function forEachTemplate(make: (name: TemplateName) => Template): Templates {
  return Object.fromEntries(templateNames.map((name) => [name, make(name)])) as Record<TemplateName, Template>;
}
