/**
 * The pages that visitors see: the waiting page, and notices (errors, farewells, questions). HTML is made
 * here and nowhere else; routes and the gate say *which* page, with which numbers, and set the headers. All words
 * come from views/locales, templates and styles from views/, scripts from the compiled src/browser.
 */
import { join } from "node:path";
import { createChooser } from "./chooser.ts";
import { createNoticePage } from "./notice-page.ts";
import { type LocaleOptions, type Locales, readLocales } from "./read-locales.ts";
import type { Pages } from "./types.ts";
import { createWaitingPage } from "./waiting-page.ts";

export type {
  Accept,
  ActionLabel,
  Notice,
  NoticeAction,
  NoticeCode,
  NoticeWatch,
  Pages,
  PollGuidance,
  RenderedPage,
  VisitorFigures,
  WaitingState,
  WaitingView,
} from "./types.ts";

export interface PagesOptions {
  readonly viewsDir: string;
  /** The folder of the compiled browser scripts, `dist/browser`. */
  readonly browserDir: string;
  /** Default: the built-in languages. */
  readonly locales?: Locales;
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
  const { viewsDir, browserDir, locales = readPageLocales(viewsDir) } = options;
  const parts = { viewsDir, browserDir, chooserFor: createChooser(locales.all) };
  const waitingPage = createWaitingPage(parts);
  const noticePage = createNoticePage(parts);
  return {
    waiting: (view, visitor, accept) => waitingPage(view, visitor, locales.choose(accept), accept),
    notice: (notice, accept) => noticePage(notice, locales.choose(accept), accept),
    languages: locales.all.map(({ tag }) => tag),
  };
}
