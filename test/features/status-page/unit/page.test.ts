/** The status page as it is made: in every language, with an operator's and a stranger's words in it, small and without a script. */
import { readdirSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { pageVariables, type RoomCondition, type StatusOnPage } from "../../../../src/features/status-page/page.ts";
import type { StaticPage, Theme } from "../../../../src/web/pages/index.ts";
import { viewsDir } from "../../../support/browser-scripts.ts";
import { makePages } from "../../../unit/web/pages/support.ts";

const pages = makePages();
const tags = readdirSync(join(viewsDir, "locales")).flatMap((name) => /^(.+)\.json$/.exec(name)?.[1] ?? []);
const atMs = Date.UTC(2030, 0, 2, 3, 4);
const conditions: readonly RoomCondition[] = [
  ...(["idle", "prequeue", "moving", "still", "nobody", "passthrough", "paused", "sold_out", "ended"] as const),
  "interrupted",
];
const hostile = `"'><script>alert(1)</script>`;
const incident = {
  id: "5f0c1b7a92d4",
  title: "Payments are slow",
  state: "monitoring",
  language: "en",
  rooms: ["Autumn tour"],
  updates: [
    { atMs, state: "monitoring", text: "It is better.\nPlaces are safe." },
    { atMs: atMs - 60_000, state: "investigating", text: "We are looking into it." },
  ],
} as const;

function shown(changes: Partial<StatusOnPage> = {}): StatusOnPage {
  return {
    atMs,
    timeZone: "Europe/Berlin",
    isWell: false,
    rooms: conditions.map((condition) => ({
      id: condition,
      title: `Room ${condition}`,
      condition,
      reason: condition === "paused" ? "operator" : null,
      lineAtMs: condition === "idle" ? atMs + 3_600_000 : null,
      doorsAtMs: condition === "idle" || condition === "prequeue" ? atMs + 7_200_000 : null,
      timeZone: "Europe/Berlin",
    })),
    incidents: [incident],
    resolved: [{ ...incident, state: "resolved", rooms: [] }],
    ...changes,
  };
}
const make = (changes: Partial<StatusOnPage> = {}, language = "en", theme?: Theme): StaticPage =>
  pages.withoutScript("status-page", theme, { chosen: language, language: undefined }, (locale) =>
    pageVariables(shown(changes), locale),
  );
const html = (page: StaticPage) => page.plain.toString();

test.each(tags)("%s: every text is there, in a small page that says its language", (tag) => {
  const page = make({}, tag);
  expect(page.language).toBe(tag);
  const text = html(page);
  expect(text).toContain(`<html lang="${tag}"`);
  expect(text.replace(/<style>.*?<\/style>/s, "")).not.toMatch(/undefined|NaN|\[object|\{\w+\}/);
  // Ten rooms, and two incidents.
  expect(page.gzip.length).toBeLessThan(5_000);
  const said = [...text.matchAll(/<p class="condition[^"]*">([^<]+)</g)].map(([, words]) => words);
  expect(new Set(said).size).toBe(conditions.length);
});

test("has no script, loads nothing, and lets nobody frame it", () => {
  const page = make();
  expect(html(page)).not.toMatch(/<script|<img|<link rel="stylesheet|url\(/);
  expect(page.contentSecurityPolicy).toMatch(
    /^default-src 'none'; style-src 'sha256-[^']+'; img-src data:; base-uri 'none'; frame-ancestors 'none'$/,
  );
});

test("says when each time is, in the zone of the room", () => {
  const text = html(make());
  expect(text).toContain(
    'The line opens: <time datetime="2030-01-02T04:04:00.000Z">Wednesday, January 2 at 5:04 AM GMT+1',
  );
  expect(text).toContain('The doors open: <time datetime="2030-01-02T05:04:00.000Z">');
  expect(text).toContain("The organiser has paused the line for a while.");
  expect(text).toContain("Last updated Wednesday, January 2 at 4:04 AM GMT+1");
});

test("shows an incident as it was written, in the language of its words", () => {
  const german = html(make({}, "de"));
  expect(german).toContain('<h3 lang="en" dir="auto">Payments are slow</h3>');
  expect(german).toContain('<p class="text" lang="en" dir="auto">It is better.\nPlaces are safe.</p>');
  expect(german).toContain("Betroffen: Autumn tour");
  expect(html(make())).toContain('<h3 dir="auto">Payments are slow</h3>');
});

test("says that everything works only where it does, and leaves out what there is not", () => {
  expect(html(make())).not.toContain("Everything works.");
  const well = html(make({ isWell: true, incidents: [], resolved: [] }));
  expect(well).toContain("Everything works.");
  expect(well).not.toMatch(/Incidents|Resolved/);
});

test("is the same page for the same facts, and has another name for others", () => {
  expect(make().etag).toBe(make().etag);
  expect(make({ atMs: atMs + 60_000 }).etag).not.toBe(make().etag);
});

test("words from outside are words", () => {
  const { rooms } = shown();
  const updates = [{ atMs, state: "monitoring", text: hostile }] as const;
  const text = html(
    make({
      rooms: rooms.map((room) => ({ ...room, title: hostile })),
      incidents: [{ ...incident, title: hostile, language: hostile, rooms: [hostile], updates }],
    }),
  );
  expect(text).not.toContain("<script");
  expect(text).not.toMatch(/lang="[^"]*"'>/);
  expect(text).toContain("&lt;script&gt;alert(1)");
});

test("has an operator's colours, logo and links", () => {
  const theme = {
    logo: null,
    colors: null,
    title: null,
    texts: [{ language: "en", path: "statusPage.title", text: "Acme status" }],
    links: [{ href: "https://acme.example/help", label: [{ language: null, text: "Help" }] }],
    footer: [{ language: null, text: "Acme Ltd" }],
    viewsDir: null,
  };
  const page = make({}, "en", theme as never);
  expect(html(page)).toContain('<a href="https://acme.example/help"');
  expect(html(page)).toContain("Acme Ltd");
  expect(html(page)).toContain("<h1>Acme status</h1>");
});
