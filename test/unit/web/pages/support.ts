import { gunzipSync } from "node:zlib";
import {
  createPages,
  type Pages,
  type PagesOptions,
  type RenderedPage,
  readPageLocales,
  type VisitorFigures,
  type WaitingView,
} from "../../../../src/web/pages/index.ts";
import { compileBrowserScripts, viewsDir } from "../../../support/browser-scripts.ts";

export const plain = { gzip: false, language: undefined };
export const gzip = { gzip: true, language: undefined };

/** The built-in texts, read once for all tests of a process. */
export const locales = readPageLocales(viewsDir);

export function makePages(options: Partial<PagesOptions> = {}): Pages {
  return createPages({ viewsDir, browserDir: compileBrowserScripts(), locales, ...options });
}

export function makeView(changes: Partial<WaitingView> = {}): WaitingView {
  return {
    room: { id: "tickets", title: "Autumn tour" },
    state: "waiting",
    pausedReason: null,
    serving: 4_588,
    message: null,
    updatedAtMs: Date.UTC(2030, 0, 2, 3, 4, 5),
    poll: { floor_ms: 2_000, ceiling_ms: 40_000, divisor: 10, spread_ms: 10_000 },
    pace: {
      steps: [],
      placesPerMinute: 100,
      spread: 0.1,
      spreadUp: 0.1,
      showRate: 1,
      called: 0,
      extraSec: 0,
      note: null,
    },
    opensAtMs: null,
    heldBy: null,
    isBehind: false,
    draw: null,
    drawUrl: "/rooms/tickets/draw",
    statusUrl: "/rooms/tickets/status",
    leaveUrl: "/rooms/tickets/leave",
    claimUrl: "/rooms/tickets/tickets/me/claim",
    ...changes,
  };
}

export function makeVisitor(changes: Partial<VisitorFigures> = {}): VisitorFigures {
  return {
    position: 5_000,
    entry: null,
    entries: null,
    ahead: 411,
    estimate: { lowSec: 180, highSec: 300 },
    retryMs: null,
    edition: 7,
    ...changes,
  };
}

export function htmlOf(page: RenderedPage): string {
  return (page.contentEncoding === "gzip" ? gunzipSync(page.body) : page.body).toString();
}
