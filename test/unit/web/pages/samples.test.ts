/** Every page in three languages, and every language of the repository in a third of all pages, without a browser: nothing is missing in it, and it says what it is written in. */
import { describe, expect, test } from "vitest";
import { verifyRound } from "../../../../src/room/draw-recipe/beacon-signature.ts";
import { readDrawDocument, verifyDraw } from "../../../../src/room/draw-recipe/index.ts";
import { sampleRoom, samples } from "../../../../src/web/pages/samples/index.ts";
import { locales, makePages } from "./support.ts";
import { thirdOf, tooHeavy } from "./weights.ts";
import { expectWholePage, readable, render } from "./whole-page.ts";

const nowMs = Date.UTC(2030, 8, 1, 10, 0);
const all = samples(nowMs);
const pages = makePages();

const inThirds = locales.all.map((locale, index) => ({ locale, tag: locale.tag, some: thirdOf(all, index) }));

test.each(inThirds)("every page in $tag", ({ locale, some }) => {
  for (const sample of locale.tag === "en" ? all : some) expectWholePage(pages, sample, locale);
});

test.each(inThirds)(
  "no page in $tag is too heavy: 14 kB compressed, 10 kB for those that are not the waiting page, each with the banner of a rehearsal",
  ({ tag, some }) => expect(tooHeavy(pages, some, tag)).toEqual([]),
);

describe("the samples", () => {
  test("have names of their own", () => {
    const ids = all.map(({ id }) => id);
    expect(ids.filter((id, index) => ids.indexOf(id) !== index || !/^[a-z_]+$/.test(id))).toEqual([]);
    const titles = all.map(({ title }) => title);
    expect(titles.filter((title, index) => titles.indexOf(title) !== index)).toEqual([]);
  });

  test("show every reason, note, severity and label that the texts have words for", () => {
    const html = all.map((sample) => readable(render(pages, sample, "en"))).join("\n");
    const english = locales.all.find(({ tag }) => tag === "en")?.texts;
    const { pausedReasons = {}, paceNotes = {}, estimate } = english?.waiting.live ?? {};
    const words = [pausedReasons, paceNotes, english?.message ?? {}].flatMap((group) =>
      Object.values(group).map(String),
    );
    const told = [estimate?.none, estimate?.paused, estimate?.soon, estimate?.long].map(String);
    expect([...words, ...told].filter((text) => !html.includes(text))).toEqual([]);
    const labels = all.map((sample) => (sample.kind === "notice" ? sample.notice.action?.label : undefined));
    expect(new Set(labels).size).toBeGreaterThan(8);
  });

  test("of a draw come with a record that is right in every point", () => {
    const records = all.flatMap((sample) => (sample.kind === "notice" ? (sample.record ?? []) : []));
    expect(records.length).toBeGreaterThan(5);
    for (const record of records) {
      const { checks } = verifyDraw(readDrawDocument(record), [], { verifyRound });
      expect(checks.filter(({ status }) => status === "failed")).toEqual([]);
    }
  });

  test("are of the room that is asked for", () => {
    const room = { ...sampleRoom, id: "museum", title: "The museum", timeZone: "Europe/Rome" };
    for (const sample of samples(nowMs, room)) {
      const { id } = sample;
      if (sample.kind === "waiting") expect(sample.view.statusUrl, id).toBe("/rooms/museum/status");
      else expect(sample.notice.watch?.statusUrl ?? "/rooms/museum/status", id).toBe("/rooms/museum/status");
      expect(JSON.stringify(sample), id).not.toContain("rooms/tickets");
      expect(JSON.stringify(sample), id).not.toContain("Autumn tour");
    }
  });

  test("come with a public status that leaves the page what it is", () => {
    const told = all.map((sample) => [sample.id, sample.status] as const);
    expect(Object.fromEntries(told)).toMatchObject({
      waiting: { phase: "open", serving: 4_588, updated_at: "2030-09-01T10:00:00.000Z" },
      turn: { phase: "open", serving: 5_000 },
      entered_draw: { phase: "prequeue", draw: { id: 1, stage: "committed" } },
      drawing: { phase: "open", draw: { id: 1, stage: "closing" } },
      entered: { phase: "prequeue", draw: null, serving: 0, opens_at: "2030-09-04T11:00:00.000Z", prequeue_at: null },
      paused_alarm: { phase: "paused", phase_reason: "alarm" },
      recovering: { availability: "recovering", held_until: "2030-09-01T10:00:40.000Z" },
      store_away: { availability: "away", updated_at: "2030-09-01T09:59:15.000Z" },
      not_open: { phase: "idle", opens_at: "2030-09-01T13:05:00.000Z", prequeue_at: null },
      not_open_prequeue: {
        phase: "idle",
        prequeue_at: "2030-09-01T13:05:00.000Z",
        opens_at: "2030-09-01T14:05:00.000Z",
      },
      not_open_opened: { phase: "open" },
      ended_with_place: { phase: "ended" },
      sold_out_words: {
        phase: "paused",
        message: "That was the last ticket. Thank you for waiting.",
        message_severity: "sold_out",
      },
    });
  });
});
