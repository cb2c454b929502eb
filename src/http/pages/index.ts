/**
 * The pages that visitors see: the waiting page, and notices (errors, farewells, questions). HTML is made
 * here and nowhere else; routes and the gate say *which* page, with which numbers, and set the headers. All words
 * come from views/locales, templates and styles from views/, scripts from the compiled src/browser.
 */
import { join } from "node:path";
import { readLocales } from "./locale.ts";
import { createNoticePage } from "./notice-page.ts";
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
}

/** Reads and compiles everything at once. @throws Error that names the file which is missing or faulty. */
export function createPages(options: PagesOptions): Pages {
  const locales = readLocales(join(options.viewsDir, "locales"));
  const waitingPage = createWaitingPage(options);
  const noticePage = createNoticePage(options);
  return {
    waiting: (view, visitor, accept) => waitingPage(view, visitor, locales.choose(accept.language), accept.gzip),
    notice: (notice, accept) => noticePage(notice, locales.choose(accept.language), accept.gzip),
  };
}
