/**
 * pages show: the waiting page, and notices (errors, farewells, questions). HTML is made here and nowhere else; routes
 * and the gate say *which* page, with which numbers, and set the headers. All texts come from views/locales, templates
 * and styles from views/, scripts from the compiled src/web/browser; an operator's theme overrides them (`looks.ts`), and
 * an operator's templates are tried on every sample first (`own-views.ts`). What pages and their scripts say in the same
 * way is in `shared/`.
 */
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { gzipSync } from "node:zlib";
import { type LocaleOptions, type Locales, readLocales } from "./locales/read-locales.ts";
import { createNoticePage } from "./render/notice-page.ts";
import { readCustomViews } from "./render/own-views.ts";
import { createScriptlessPage } from "./render/scriptless-page.ts";
import { createChooser } from "./render/variables.ts";
import { createWaitingFiles, type WaitingFiles } from "./render/waiting-files.ts";
import { createWaitingPage } from "./render/waiting-page.ts";
import { createWaitingSources, createWords, readLaterParts } from "./render/waiting-script.ts";
import { createContents, createWhileWaitingPage } from "./render/while-waiting-page.ts";
import { createLooks, type Looks } from "./themes/looks.ts";
import type { Pages, RenderPages, ReportViewProblem, Theme } from "./types.ts";

export { readyMessages } from "./ready-messages.ts";
export type { StaticPage } from "./render/assets.ts";
export { revisionOf } from "./render/status-json.ts";
export { renderSample, type SampleLook, withoutLife } from "./samples/render-sample.ts";
export type * from "./types.ts";

export interface PagesOptions {
  readonly viewsDir: string;
  /** The folder of the compiled browser scripts, `dist/browser`. */
  readonly browserDir: string;
  /** Default: the built-in languages. */
  readonly locales?: Locales;
  /** Whose views are read and tried at once; those of others when they are needed first. */
  readonly themes?: readonly Theme[];
  /** Whether the waiting page's style, script and logos stand in it, or are files beside it. Default: `inline`. */
  readonly assets?: "inline" | "linked";
  /** Called with the faults of an operator's own views. */
  readonly report?: ReportViewProblem;
}

/** The languages of the pages. @throws ConfigError, Error: see `readLocales` */
export function readPageLocales(viewsDir: string, options?: LocaleOptions): Locales {
  return readLocales(join(viewsDir, "locales"), options);
}

/**
 * Reads and compiles what all languages share; a language is compiled when it is asked for first.
 *
 * @throws Error that names the file which is missing or faulty.
 */
export function createPages(options: PagesOptions): Pages {
  const { viewsDir, browserDir, locales = readPageLocales(viewsDir), themes = [], report = () => {} } = options;
  const chooserFor = createChooser(locales.all);
  const laterParts = readLaterParts(browserDir);
  const contents = createContents();
  const render = (looks: Looks, files: WaitingFiles | null): RenderPages & Pick<Pages, "waitingInPieces"> => {
    const parts = { looks, browserDir, chooserFor, laterParts, sources, contents };
    const waitingPage = createWaitingPage(parts, files);
    const noticePage = createNoticePage(parts);
    const waitingInPieces: Pages["waitingInPieces"] = (view, visitor, accept) =>
      waitingPage(view, visitor, locales.choose(accept), accept);
    return {
      waitingInPieces,
      waiting(...args) {
        const { filled, ...page } = waitingInPieces(...args);
        return { ...page, body: filled.whole() };
      },
      notice: (notice, accept) => noticePage(notice, locales.choose(accept), accept),
    };
  };
  const allLooks = () => [undefined, ...themes].map(looks);
  const localesOf = (tag: string) =>
    locales.all
      .filter((locale) => locale.tag === tag)
      .flatMap((locale) => allLooks().map((look) => look.localeFor(locale)));
  const words = createWords(localesOf);
  const laterFiles = new Map([...laterParts.values()].map((part) => [part.file, part]));
  const looks: Looks = createLooks(viewsDir, (folder) =>
    readCustomViews(folder, viewsDir, (look) => render(() => look, null), report),
  );
  const sources = createWaitingSources(browserDir, laterParts, words);
  const files = options.assets === "linked" ? createWaitingFiles({ sources, localesOf, looks: allLooks }) : null;
  for (const theme of themes) looks(theme);
  const whileWaitingPage = createWhileWaitingPage({ looks, contents });
  /** Each issuer asks for the same ones. */
  const scripts = new Map<string, { readonly plain: Buffer; readonly gzip: Buffer }>();
  const scriptlessPage = createScriptlessPage({ viewsDir, looks, chooserFor });
  return {
    ...render(looks, files),
    areLinked: files !== null,
    languages: locales.all.map(({ tag }) => tag),
    languagesOf: (theme) =>
      locales.all.map((locale) => {
        const { tag, texts } = looks(theme).localeFor(locale);
        return { tag, name: texts.language.name, messages: texts.messages };
      }),
    whileWaiting: (content, tag) => whileWaitingPage(content, locales.choose({ chosen: tag, language: tag })),
    withoutScript: (name, theme, wishes, fill) => scriptlessPage(name, theme, locales.choose(wishes), fill),
    locale: (tag) => locales.choose({ chosen: tag, language: tag }),
    script(name) {
      const read = scripts.get(name);
      if (read !== undefined) return read;
      const plain = readFileSync(join(browserDir, `${name}.js`));
      const script = { plain, gzip: gzipSync(plain, { level: 9 }) };
      scripts.set(name, script);
      return script;
    },
    assetFile(file) {
      const [, script] = /^(.+)\.js$/.exec(file) ?? [];
      const ofScripts = script === undefined ? undefined : (laterFiles.get(script) ?? words.find(script));
      return ofScripts ?? files?.find(file);
    },
  };
}
