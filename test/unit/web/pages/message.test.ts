/** The operator's words on the pages: which of them, how grave, and that they are never anything but text. */
import { beforeAll, describe, expect, test } from "vitest";
import { messageIn, type RoomMessage } from "../../../../src/room/index.ts";
import { messageIn as messageInBrowser } from "../../../../src/room/public-status/status.ts";
import type { Notice, Pages } from "../../../../src/web/pages/index.ts";
import { createLocale } from "../../../../src/web/pages/locales/locale.ts";
import { statusMessage } from "../../../../src/web/pages/render/status-json.ts";
import { messageVariables } from "../../../../src/web/pages/themes/looks.ts";
import english from "../../../../views/locales/en.json" with { type: "json" };
import { words } from "../../../support/page-gallery.ts";
import { gzip, htmlOf, makePages, makeView, makeVisitor, plain } from "./support.ts";

let pages: Pages;
beforeAll(() => {
  pages = makePages();
});

const inTwo: RoomMessage = {
  severity: "warning",
  texts: [
    { language: "fr-CA", text: "Bientôt" },
    { language: "en", text: "Soon" },
  ],
};
const notices: Notice["code"][] = ["not_open", "room_full", "ended", "store_unavailable", "place_expired"];
const states = ["entered", "waiting", "held", "paused", "store_away", "recovering"] as const;

const waiting = (message: RoomMessage | null) => htmlOf(pages.waiting(makeView({ message }), makeVisitor(), plain));
const notice = (message?: RoomMessage | null) =>
  htmlOf(pages.notice({ code: "ended", ...(message !== undefined && { message }) }, plain));
const kinds = [
  ["the waiting page", waiting],
  ["a notice", notice],
] as const;

/** The words and what stands around them, without scripts and styles. */
function wordsOn(html: string) {
  const shown = html.replace(/<script.*?<\/script>|<style.*?<\/style>/gs, "");
  const section = /<section class="message".*?<\/section>/s.exec(shown)?.[0];
  const text = /id="message-text"[^>]*>(.*?)<\/p>/s.exec(section ?? "")?.[1];
  const label = /id="message-label">(.*?)</.exec(section ?? "")?.[1];
  return { shown, section, text, label };
}

describe("the operator's words", () => {
  test.each(states)("stand before the card in state %s", (state) => {
    const { shown, section, text } = wordsOn(
      htmlOf(pages.waiting(makeView({ state, message: words("Doors at eight") }), makeVisitor(), plain)),
    );
    expect(text).toBe("Doors at eight");
    expect(shown.indexOf(section ?? "none")).toBeLessThan(shown.indexOf('class="card"'));
    expect(shown.indexOf(section ?? "none")).toBeGreaterThan(shown.indexOf("</h1>"));
  });

  test.each(notices)("stand under the heading of the notice %s", (code) => {
    const { shown, text } = wordsOn(htmlOf(pages.notice({ code, message: words("Doors at eight") }, plain)));
    expect(text).toBe("Doors at eight");
    expect(shown).toMatch(/<\/h1>\s*<div id="words"/);
  });

  test("are of no page that is of no room", () => {
    expect(wordsOn(notice()).shown).not.toMatch(/message|words/);
  });

  test.each(kinds)("leave nothing to see on %s while there are none, but what says new ones aloud", (_, render) => {
    const { shown } = wordsOn(render(null));
    expect(shown).toMatch(/<div id="words-status" role="status"><section class="message"[^>]* hidden>/);
    expect(shown).toContain('<div id="words-alert" role="alert"></div>');
  });

  test.each([
    ["information", "status", "From the organiser"],
    ["warning", "alert", "Important"],
    ["sold_out", "alert", "Sold out"],
  ] as const)("of severity %s say so by a word, in the region for it", (severity, role, label) => {
    for (const [, render] of kinds) {
      const { shown, section, label: said } = wordsOn(render(words("Text", severity)));
      expect(said).toBe(label);
      expect(section).toContain(`data-severity="${severity}"`);
      expect(shown).toContain(`role="${role}">${section}`);
    }
  });

  test("are the organiser's alone where the headline says that all is sold", () => {
    const message = words("Text", "sold_out");
    for (const html of [
      htmlOf(pages.waiting(makeView({ state: "sold_out", message }), makeVisitor(), plain)),
      htmlOf(pages.notice({ code: "sold_out", values: { room: "Autumn tour" }, message }, plain)),
    ]) {
      const { shown, label } = wordsOn(html);
      expect(label).toBe(english.message.information);
      expect(shown.match(/<(h1|h2)[^>]*>Sold out/g)).toHaveLength(1);
      expect(shown.replace(/<title>.*?<\/title>/, "").match(/sold out/gi)).toHaveLength(1);
    }
  });

  test.each(kinds)("stay text on %s, whatever they are", (_, render) => {
    const evil = `</p></section></script><script>alert(1)</script>"'><img src=x onerror=alert(1)>{n}{room}$&`;
    const tagsOf = (html: string) => html.match(/<[a-z/!]\w*/g);
    const html = render(words(evil, "warning"));
    expect(tagsOf(html)).toEqual(tagsOf(render(words("x", "warning"))));
    expect(wordsOn(html).text).toContain("&lt;img src=x onerror=alert(1)&gt;{n}{room}$&amp;");
  });

  test.each(kinds)("keep line breaks, marks of direction and all their length on %s", (_, render) => {
    const long = `one\ntwo \u202bשלום\u202c ${"x".repeat(500)}`.slice(0, 500);
    const { section, text } = wordsOn(render(words(long)));
    expect(text).toBe(long);
    // Words from right to left stand on the right, and nothing around them turns.
    expect(section).toContain('id="message-text" dir="auto"');
  });

  test.each(kinds)("are in the page's language on %s, and say so", (_, render) => {
    expect(wordsOn(render(inTwo)).text).toBe("Soon");
    expect(render(inTwo)).toContain('dir="auto" lang="en">Soon<');
    expect(render({ ...inTwo, texts: inTwo.texts.slice(0, 1) })).toContain('dir="auto" lang="fr-CA">Bientôt<');
    expect(render(words("Soon"))).toContain('dir="auto">Soon<');
  });

  test("are chosen for a page in another language", () => {
    const language = { tag: "fr-CA", name: "français", dir: "ltr" } as const;
    const french = createLocale({ ...english, language });
    expect(messageVariables(inTwo, french)).toMatchObject({ text: "Bientôt", language: "fr-CA", severity: "warning" });
    expect(messageVariables(null, french)).toMatchObject({ text: "", language: "", severity: "information" });
  });
});

test("weigh less than a kilobyte on a notice, with what says new ones aloud", () => {
  const weigh = (message?: RoomMessage) =>
    pages.notice({ code: "room_full", autoRetryMs: 30_000, ...(message !== undefined && { message }) }, gzip).body
      .length;
  expect(weigh(words("Doors at eight")) - weigh()).toBeLessThan(1_000);
});

test.each(["en", "EN-gb", "fr-CA", "fr-ca-x-a", "fr", "de", ""])(
  "server and browser choose alike for %j",
  (language) => {
    const chosen = messageIn(inTwo, language);
    expect(messageInBrowser(statusMessage(inTwo), language)).toEqual(chosen);
  },
);

describe("the status", () => {
  test("has the first text where programs read one, and all of them by language beside it", () => {
    const status = statusMessage(inTwo);
    expect(status).toEqual({
      message: "Bientôt",
      message_severity: "warning",
      messages: { "fr-CA": "Bientôt", en: "Soon" },
    });
    expect(Object.keys(status.messages ?? {})[0]).toBe("fr-CA");
    expect(statusMessage(words("Soon"))).toEqual({ message: "Soon", message_severity: "information", messages: null });
    expect(statusMessage(null)).toEqual({ message: null, message_severity: null, messages: null });
  });
});
