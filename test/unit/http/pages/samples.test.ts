/** Every page in every language of the repository, without a browser: nothing is missing in it, and it says what it is written in. */
import { describe, expect, test } from "vitest";
import { readPageLocales } from "../../../../src/http/pages/index.ts";
import { type Sample, sampleStatusJson, samples } from "../../../../src/http/pages/samples/index.ts";
import { madeUpRoom } from "../../../../src/http/pages/samples/room.ts";
import { viewsDir } from "../../../support/browser-scripts.ts";
import { htmlOf, makePages } from "./support.ts";

const nowMs = Date.UTC(2030, 8, 1, 10, 0);
const all = samples(nowMs);
const locales = readPageLocales(viewsDir).all;
const pages = makePages();

function render(sample: Sample, language: string): string {
  const accept = { gzip: false, language: undefined, chosen: language, here: "/" };
  return htmlOf(
    sample.kind === "waiting"
      ? pages.waiting(sample.view, sample.visitor, accept)
      : pages.notice(sample.notice, accept),
  );
}

/** The page as it is read, without what its script alone fills in. */
function readable(html: string): string {
  return html.replace(/<(script|style)\b.*?<\/\1>/gs, "").replace(/ data-[\w-]+="[^"]*"/g, "");
}

test.each(locales)("every page in $tag", ({ tag, dir, texts }) => {
  for (const sample of all) {
    const html = render(sample, tag);
    const read = readable(html);
    expect(html, sample.id).toContain(`<html lang="${tag}" dir="${dir}">`);
    expect(html, sample.id).toMatch(/<title>[^<]+<\/title>/);
    expect(html, sample.id).toMatch(/<h1[^>]*>(<bdi[^>]*>)?[^<]+</);
    expect(read.match(/\{\w*\}|\b(undefined|null|NaN)\b|\[object/g), sample.id).toBeNull();
    expect(read, sample.id).toContain(texts.chooser.label);
  }
});

describe("the samples", () => {
  test("have names of their own", () => {
    const ids = all.map(({ id }) => id);
    expect(ids.filter((id, index) => ids.indexOf(id) !== index || !/^[a-z_]+$/.test(id))).toEqual([]);
    const titles = all.map(({ title }) => title);
    expect(titles.filter((title, index) => titles.indexOf(title) !== index)).toEqual([]);
  });

  test("show every reason, note, severity and label that the texts have words for", () => {
    const html = all.map((sample) => readable(render(sample, "en"))).join("\n");
    const english = locales.find(({ tag }) => tag === "en")?.texts;
    const { pausedReasons = {}, paceNotes = {}, estimate } = english?.waiting.live ?? {};
    const words = [pausedReasons, paceNotes, english?.message ?? {}].flatMap((group) =>
      Object.values(group).map(String),
    );
    const told = [estimate?.none, estimate?.paused, estimate?.soon, estimate?.long].map(String);
    expect([...words, ...told].filter((text) => !html.includes(text))).toEqual([]);
    const labels = all.map((sample) => (sample.kind === "notice" ? sample.notice.action?.label : undefined));
    expect(new Set(labels).size).toBeGreaterThan(8);
  });

  test("are of the room that is asked for", () => {
    const room = { ...madeUpRoom, id: "museum", title: "The museum", timeZone: "Europe/Rome" };
    for (const sample of samples(nowMs, room)) {
      const { id } = sample;
      if (sample.kind === "waiting") expect(sample.view.statusUrl, id).toBe("/rooms/museum/status");
      else expect(sample.notice.watch?.statusUrl ?? "/rooms/museum/status", id).toBe("/rooms/museum/status");
      expect(JSON.stringify(sample), id).not.toContain("rooms/tickets");
      expect(JSON.stringify(sample), id).not.toContain("Autumn tour");
    }
  });

  test("come with a public status that leaves the page what it is", () => {
    const told = all.map((sample) => [sample.id, sampleStatusJson(sample, madeUpRoom, nowMs)] as const);
    expect(Object.fromEntries(told)).toMatchObject({
      waiting: { phase: "open", serving: 4_588, updated_at: "2030-09-01T10:00:00.000Z" },
      turn: { phase: "open", serving: 5_000 },
      entered: { phase: "prequeue", serving: 0, opens_at: "2030-09-04T11:00:00.000Z", prequeue_at: null },
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
      message_sold_out: { message: "That was the last ticket. Thank you for waiting.", message_severity: "sold_out" },
    });
  });
});
