/** An operator's own templates and stylesheet: found, tried on every page there is, and used as far as they work. */
import { existsSync, readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { suggest } from "../../../config/index.ts";
import { codeOf } from "../../../lib/system-errors.ts";
import { sampleRoom, samples } from "../samples/index.ts";
import { createLook, type Look, type Views } from "../themes/looks.ts";
import type { Accept, RenderPages, ReportViewProblem, Theme } from "../types.ts";
import { findPageFault } from "./page-parts.ts";
import {
  createTemplates,
  describeTemplateError,
  readTemplates,
  type TemplateName,
  type Templates,
  templateNames,
  withFallback,
} from "./templates.ts";

const extraSheet = join("styles", "extra.css");
const sheetLengthMax = 32_768;

/** Words from outside as somebody would write them who wants more than words. */
const hostileWords = (what: string) => `"'><usher-${what}>`;
const hostile = /<usher-/;
const hostileMessage = { severity: "warning", texts: [{ language: "en", text: hostileWords("message") }] } as const;
const hostileText = [{ language: null, text: hostileWords("theme") }];
const image = { uri: "data:image/svg+xml,%3Csvg/%3E", ratio: 2 };
/** All that a theme can add to a page. */
const fullTheme: Theme = {
  logo: { image, darkImage: image, alt: hostileText, height: 40, link: "https://example.com/" },
  colors: null,
  title: null,
  texts: [],
  links: [{ href: "https://example.com/help", label: hostileText }],
  footer: hostileText,
  viewsDir: null,
};
/** Any time will do. */
const sampleMs = Date.UTC(2030, 0, 2, 3, 4, 5);
const room = { ...sampleRoom, title: hostileWords("title"), message: hostileMessage };
const accept: Accept = { gzip: false, language: "en", here: "/" };

/**
 * Reads the views of a folder.
 *
 * @param render makes pages that all look so
 */
export function readCustomViews(
  folder: string,
  viewsDir: string,
  render: (look: Look) => RenderPages,
  report: ReportViewProblem,
): Views {
  const builtIn = readTemplates(viewsDir);
  const warn = (message: string) => report({ when: "start", message });
  const files = filesIn(folder, warn);
  const sheet = existsSync(join(folder, extraSheet)) ? readSheet(join(folder, extraSheet), warn) : "";
  const allSamples = hostileSamples();
  const pagesBy = (templates: Templates) =>
    [undefined, fullTheme].map((theme) => render(createLook(theme, viewsDir, { templates, sheet })));
  const usual = pagesBy(builtIn).map((pages) => remember((sample: Sample) => htmlOf(pages, sample)));

  /** Null where every page there is can be made. */
  function findFault(templates: Templates): string | null {
    let id = "";
    try {
      const strict = createTemplates((name) => (page) => templates[name](strictPage(page)));
      for (const [index, pages] of pagesBy(strict).entries()) {
        for (const sample of allSamples) {
          id = sample.id;
          const fault = findPageFault(htmlOf(pages, sample), usual[index]?.(sample) ?? "", hostile);
          if (fault !== null) return `the page "${id}" ${fault}`;
        }
      }
      return null;
    } catch (error) {
      return `the page "${id}" fails: ${describeTemplateError(error)}`;
    }
  }

  // Use exactly the templates that passed the trial: the files may change later.
  let accepted = builtIn;
  const names: TemplateName[] = [];
  for (const name of templateNames.filter((each) => files.includes(`${each}.ejs`))) {
    const tried = readTemplates(viewsDir, { folder, names: [...names, name] });
    const fault = findFault(tried);
    if (fault === null) {
      accepted = tried;
      names.push(name);
    } else warn(`${join(folder, `${name}.ejs`)} is not used: ${fault}`);
  }
  return { templates: withFallback(accepted, builtIn, report), sheet };
}

function remember<Input, Answer>(make: (input: Input) => Answer): (input: Input) => Answer {
  const answers = new Map<Input, Answer>();
  return (input) => {
    const answer = answers.get(input) ?? make(input);
    answers.set(input, answer);
    return answer;
  };
}

type Sample = ReturnType<typeof hostileSamples>[number];

/** Every page there is, of a room for rehearsals, with hostile words from outside. */
function hostileSamples() {
  return samples(sampleMs, room).map((sample) =>
    sample.kind === "waiting"
      ? { ...sample, view: { ...sample.view, isRehearsal: true, message: sample.view.message && hostileMessage } }
      : {
          ...sample,
          notice: {
            ...sample.notice,
            isRehearsal: true,
            ...(sample.notice.message != null && { message: hostileMessage }),
          },
        },
  );
}

function htmlOf(pages: RenderPages, sample: Sample): string {
  const { body } =
    sample.kind === "waiting"
      ? pages.waiting(sample.view, sample.visitor, accept)
      : pages.notice(sample.notice, accept);
  return body.toString();
}

/**
 * A template's variables, of which none may be asked for that is not there: a word misspelt would be shown as nothing. Every
 * variable is there on every page, if only as null or undefined.
 */
export function strictPage<Page>(page: Page, path = "page"): Page {
  if (!isPlainObject(page)) return page;
  return new Proxy(page, {
    get(target, name, receiver) {
      const isThere = typeof name === "symbol" || name === "toJSON" || name in target;
      if (!isThere) throw new ReferenceError(`${path}.${name} is not defined`);
      return strictPage(Reflect.get(target, name, receiver), `${path}.${String(name)}`);
    },
  });
}

function isPlainObject(value: unknown): value is object {
  if (typeof value !== "object" || value === null) return false;
  const prototype: unknown = Object.getPrototypeOf(value);
  return prototype === Object.prototype || prototype === null;
}

function filesIn(folder: string, warn: (message: string) => void): string[] {
  try {
    const files = readdirSync(folder, { encoding: "utf8" });
    for (const file of files.filter((each) => each.endsWith(".ejs"))) {
      const name = file.slice(0, -".ejs".length);
      const suggestion = (templateNames as readonly string[]).includes(name) ? null : suggest(name, templateNames);
      if (suggestion !== null) warn(`${join(folder, file)}: no page is made with it; did you mean ${suggestion}.ejs?`);
    }
    return files;
  } catch (error) {
    warn(cannotRead(folder, error));
    return [];
  }
}

function cannotRead(path: string, error: unknown): string {
  return `${path}: can't be read (${codeOf(error)})`;
}

function readSheet(file: string, warn: (message: string) => void): string {
  let text = "";
  try {
    text = readFileSync(file, "utf8").trim();
  } catch (error) {
    warn(cannotRead(file, error));
  }
  const refuse = (fault: string) => {
    warn(`${file} is not used: ${fault}`);
    return "";
  };
  if (text.length > sheetLengthMax) {
    return refuse(
      `has ${text.length} characters; it stands in each page itself, so at most ${sheetLengthMax} are taken`,
    );
  }
  if (/<\/style|<!--/i.test(text)) return refuse("holds </style or <!--, which end a stylesheet inside a page");
  if (/@import|url\(\s*["']?(?!data:|#)/i.test(text)) {
    warn(`${file}: names another address, and pages load nothing: images may stand in it as data: addresses`);
  }
  return text;
}
