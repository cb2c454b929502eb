/**
 * Goal: what the page says and what its numbers do never contradict each other. Method: each banner that the page's texts have, in a real
 * browser whose clock the test moves, is looked at twice some seconds apart; each figure has a rule that holds for all banners. A banner
 * or an element that has no row here fails the test.
 */
import { readFileSync } from "node:fs";
import { join } from "node:path";
import type { Page } from "playwright-core";
import { expect } from "vitest";
import { pollGuidance } from "../../src/room/index.ts";
import { viewsDir } from "../support/browser-scripts.ts";
import { english } from "../support/english.ts";
import { galleryAddress, hasHeard, stopClock, visitGallery, watchQuestions } from "../support/gallery-visit.ts";
import type { GalleryRoom } from "../support/page-gallery.ts";
import { long, test } from "../support/sizes.ts";

const { gallery, arrive, open, setVisibility } = await visitGallery();
const { live } = english.waiting;

interface Banner {
  readonly room: Partial<GalleryRoom>;
  /** What the room's status says from then on. */
  readonly becomes?: Partial<GalleryRoom>;
  /** Where it stands, and what is said. */
  readonly at: "problem" | "status" | "reason" | "turn" | "sold-out";
  readonly says: string;
  /** `moves`: the line does. `next`: the visitor is at the door. `turn`: they may enter. `still`: nobody enters, or nobody knows. */
  readonly line: "moves" | "next" | "turn" | "still";
  /** For what the page may count the time. */
  readonly until?: "hold" | "opening" | "draw" | "turn_ends";
  readonly isOffline?: true;
}

const holdMs = 55_000;
const held = { state: "held", serving: 5_000 } as const;
const door = { at: "status", line: "next" } as const;
const still = { line: "still" } as const;
const paused = (pausedReason: string | null): Partial<GalleryRoom> => ({ phase: "paused", pausedReason });
const pausedFor = (reason: keyof typeof live.pausedReasons): Banner => ({
  room: paused(reason),
  at: "reason",
  says: live.pausedReasons[reason],
  ...still,
});
const pace = { ...gallery.room.pace, placesPerMinute: 600 };
const heldPace = { ...pace, extraSec: holdMs / 1_000 };
const recovering = { room: { state: "recovering", holdMs, pace: heldPace }, at: "problem", line: "still" } as const;

/** By the place of its text in the locale; behind a comma a kind of it. */
const banners: Readonly<Record<string, Banner>> = {
  "problem.store_away": {
    room: { state: "store_away", availability: "away", ageMs: 3_000 },
    at: "problem",
    says: live.problem.store_away,
    ...still,
  },
  "problem.recovering": { ...recovering, says: live.problem.recovering, until: "hold" },
  "problem.recovering, next in line": {
    ...recovering,
    room: { ...recovering.room, serving: 4_999 },
    says: live.problem.recovering,
    until: "hold",
  },
  "problem.recovering, at their turn": {
    ...recovering,
    room: { ...recovering.room, serving: 5_000 },
    says: live.problem.recovering,
    until: "hold",
  },
  "problem.recovering, while the page stands": {
    ...recovering,
    room: {},
    becomes: { holdMs, pace: heldPace },
    says: live.problem.recovering,
    until: "hold",
  },
  "problem.recovering, at the door": {
    ...recovering,
    room: held,
    becomes: { holdMs, pace: heldPace },
    says: live.problem.recovering,
    until: "hold",
  },
  "problem.recovering, paused": {
    ...recovering,
    room: paused("operator"),
    becomes: { holdMs },
    says: live.problem.recovering,
  },
  "problem.recovering, before the doors": {
    ...recovering,
    room: { phase: "prequeue", opensInMs: 630_000 },
    becomes: { holdMs },
    says: live.problem.recovering,
    until: "opening",
  },
  "problem.offline": { room: {}, at: "problem", says: live.problem.offline, ...still, isOffline: true },
  "problem.stale": { room: {}, becomes: { ageMs: 60_000 }, at: "problem", says: live.problem.stale, ...still },
  "problem.stale, without answers": {
    room: {},
    becomes: { statusCode: 503 },
    at: "problem",
    says: live.problem.stale,
    ...still,
  },
  "status.entered": {
    room: { phase: "prequeue", opensInMs: 630_000 },
    at: "status",
    says: live.status.entered,
    ...still,
    until: "opening",
  },
  "status.drawing": {
    room: { entry: 31_415, drawStage: "closing" },
    at: "status",
    says: live.status.drawing,
    ...still,
    until: "draw",
  },
  "status.waiting": { room: {}, at: "status", says: live.status.waiting, line: "moves" },
  "status.held": { room: held, ...door, says: live.status.held },
  "status.full": { room: { ...held, heldBy: "capacity" }, ...door, says: live.status.full },
  "status.behind": { room: { ...held, rank: 12 }, ...door, says: live.status.behind },
  "status.paused": { room: paused(null), at: "status", says: live.status.paused, ...still },
  "status.paused, before the draw": {
    room: { ...paused("operator"), entry: 31_415, drawStage: "committed" },
    at: "status",
    says: live.status.paused,
    ...still,
    until: "draw",
  },
  "status.paused, while the page stands": {
    room: {},
    becomes: paused("operator"),
    at: "status",
    says: live.status.paused,
    ...still,
  },
  "status.store_away": {
    room: { state: "store_away", availability: "away", ageMs: 3_000 },
    at: "status",
    says: live.status.store_away,
    ...still,
  },
  "status.recovering": { ...recovering, at: "status", says: live.status.recovering, until: "hold" },
  "titles.turn": {
    room: {},
    becomes: { serving: 5_000, admits: false },
    at: "turn",
    says: live.titles.turn,
    line: "turn",
    until: "turn_ends",
  },
  "status.idle": { room: {}, becomes: { phase: "idle" }, at: "status", says: live.status.idle, ...still },
  "status.ended": { room: {}, becomes: { phase: "ended" }, at: "status", says: live.status.ended, ...still },
  "pausedReasons.alarm": pausedFor("alarm"),
  "pausedReasons.operator": pausedFor("operator"),
  "pausedReasons.recovered": pausedFor("recovered"),
  "pausedReasons.unhealthy": pausedFor("unhealthy"),
  "soldOut.text": {
    room: { ...paused("sold_out"), stock: { remaining: 0, enough_for: 0 } },
    at: "sold-out",
    says: english.waiting.soldOut.text,
    ...still,
  },
  "soldOut.text, while the page stands": {
    room: {},
    becomes: { ...paused("sold_out"), stock: { remaining: 0, enough_for: 0 } },
    at: "reason",
    says: english.message.sold_out,
    ...still,
  },
};

/** What a visitor sees: "" for what is hidden. */
interface Seen {
  readonly texts: Readonly<Record<string, string>>;
  readonly state: string;
  readonly title: string;
  readonly bar: number;
  /** Null: there is no bar. */
  readonly read: string | null;
  readonly walks: boolean;
}

const look = `(() => {
  const walker = document.querySelector(".walk > :last-child");
  const texts = {};
  for (const each of document.querySelectorAll("main [id]")) texts[each.id] = each.checkVisibility() ? each.textContent.trim() : "";
  return {
    texts,
    state: document.querySelector("main").dataset.state,
    title: document.title,
    bar: document.querySelector("progress")?.position ?? 0,
    read: document.querySelector("progress")?.getAttribute("aria-valuetext") ?? null,
    walks: walker !== null && walker.checkVisibility() && walker.getAnimations().some((each) => each.animationName === "walk" && each.playState === "running"),
  };
})()`;

type Rule = (banner: Banner, before: Seen, now: Seen) => void;

const secondsIn = (text: string | undefined) => Number(/(\d+) seconds?\b/.exec(text ?? "")?.[1]);
const number = (text: string) => text.replace(/\D/g, "");
const fromText = (text: string, words: string) => new RegExp(`^${words.replace(/\{\w+\}/g, ".+")}$`).test(text);

/** What the two looks at a page say in each figure, whatever the banner. */
const figures: Readonly<Record<string, Rule>> = {
  ahead({ line }, before, { texts }) {
    if (line !== "moves") expect(texts.ahead).toBe(before.texts.ahead);
    else expect(Number(number(texts.ahead ?? ""))).toBeLessThan(Number(number(before.texts.ahead ?? "")) + 1);
    if (line === "turn") expect(texts.ahead).toBe("");
  },
  progress({ line }, before, { bar, read, texts }) {
    if (line !== "moves") expect(bar).toBe(before.bar);
    if (texts.ahead && read !== null) expect(read).toBe(texts.ahead);
  },
  title({ line }, _, { title, state, texts }) {
    expect(title.startsWith(live.titles.turn)).toBe(line === "turn");
    expect(title.startsWith(live.titles.paused)).toBe(state === "paused");
    if (/^\d+ ahead/.test(title)) expect(number(title)).toBe(number(texts.ahead ?? ""));
    if (title.startsWith(live.titles.next)) expect(texts.ahead).toBe(live.aheadNone);
  },
  estimate({ line, until, at, says }, _, { texts: { estimate = "" }, state }) {
    if (line === "next" || line === "turn" || until === "opening" || until === "draw") expect(estimate).toBe("");
    else if (state === "paused") expect(estimate).toBe(live.estimate.paused);
    else if (line === "moves" || until === "hold") expect(estimate).toMatch(/to go$/);
    // What was known last, with its age.
    else if (at === "problem" && says !== live.problem.store_away) expect(estimate).toMatch(/to go$/);
    else expect(["", live.estimate.none, live.estimate.paused]).toContain(estimate);
    if (until === "hold" && estimate === live.estimate.soon) expect(holdMs).toBeLessThanOrEqual(60_000);
  },
  deadline({ until }, before, { texts }) {
    if (until === "turn_ends") expect(fromText(texts.deadline ?? "", english.later.deadline.until)).toBe(true);
    else if (until !== "hold") expect(texts.deadline).toBe("");
    else {
      expect(fromText(texts.deadline ?? "", english.later.hold)).toBe(true);
      expect(secondsIn(texts.deadline)).toBeLessThan(secondsIn(before.texts.deadline));
      expect(secondsIn(texts.deadline)).toBeLessThanOrEqual(holdMs / 1_000);
    }
  },
  opens({ until }, _, { texts }) {
    expect(Boolean(texts.opens)).toBe(until === "opening");
  },
  countdown({ until }, _, { texts }) {
    expect(Boolean(texts.countdown)).toBe(until === "opening");
  },
  drawn({ until }, _, { texts }) {
    if (until !== "draw") expect(texts.drawn ?? "").toBe("");
  },
  arrival({ line }, _, { texts }) {
    expect(texts.arrival ? "moves" : line).toBe(line);
  },
  walker({ line }, _, { walks }) {
    expect(walks).toBe(line === "moves");
  },
  moved({ until }, _, { state, texts }) {
    if (state !== "waiting" || until === "draw") expect(texts.moved ?? "").toBe("");
  },
  note({ line }, _, { texts }) {
    if (line !== "moves") expect(texts.note).toBe("");
  },
  safe({ line }, _, { texts }) {
    if (texts.safe !== english.later.progress.almost) return;
    expect([line, texts.estimate]).toEqual(["moves", live.estimate.soon]);
  },
  stock({ room, becomes }, _, { texts }) {
    const isSoldOut = { ...room, ...becomes }.pausedReason === "sold_out";
    if (isSoldOut) expect(texts.stock ?? "").not.toContain(english.waiting.stock.short);
  },
  serving({ line }, _, { texts }) {
    if (line === "turn") expect(texts.serving).toBe("");
  },
  updated({ becomes }, _, { texts }) {
    if (becomes?.ageMs || becomes?.statusCode) expect(texts.updated).not.toBe("now");
  },
  enter({ line }, _, { texts }) {
    expect(texts.enter === live.enter).toBe(line === "turn");
  },
  turn({ line }, _, { texts }) {
    expect(texts.turn !== "").toBe(line === "turn");
  },
  milestone({ line }, _, { texts }) {
    if (line === "still") expect(texts.milestone).not.toContain(live.aheadNone);
  },
};

/** What says what is the case, and what neither says nor counts anything. */
const words = ["problem", "status", "reason", "hint", "sold-out"];
const others = ["room", "facts", "label", "call", "call-blocked", "draw", "live"];

test("every banner of the page's texts, and every element of the page, has its row", () => {
  const ofTexts = [
    ...Object.keys(live.problem).map((key) => `problem.${key}`),
    ...Object.keys(live.status).map((key) => `status.${key}`),
    ...Object.keys(live.pausedReasons).map((key) => `pausedReasons.${key}`),
    "soldOut.text",
    "titles.turn",
  ];
  expect(new Set(Object.keys(banners).map((key) => key.split(",")[0]))).toEqual(new Set(ofTexts));
  const template = readFileSync(join(viewsDir, "waiting.ejs"), "utf8");
  const ids = [...template.matchAll(/ id="([\w-]+)"/g)].map(([, id = ""]) => id);
  const rows = [...Object.keys(figures), ...words, ...others];
  expect(ids.filter((id) => !rows.includes(id))).toEqual([]);
});

/** Where nobody enters, where the line moves, and at the turn. */
const some = ["problem.recovering", "status.waiting", "titles.turn"];

test("of some banners, none and no figure of a page contradict each other", () => expectAgreement(some));
long("no banner and no figure of a page contradict each other", () => expectAgreement(Object.keys(banners)));

async function expectAgreement(names: readonly string[]): Promise<void> {
  const page = await arrive({ reducedMotion: "no-preference" }, async (page) => {
    await stopClock(page);
    await watchQuestions(page);
  });
  const contradictions: string[] = [];
  for (const name of names) {
    const banner = banners[name] ?? expect.fail(`no banner ${name}`);
    const [before, now] = await lookTwice(page, banner);
    if (now.texts[banner.at] !== banner.says) contradictions.push(`${name} says ${now.texts[banner.at]}`);
    for (const [figure, rule] of Object.entries(figures)) {
      try {
        rule(banner, before, now);
      } catch (error) {
        contradictions.push(`${name} × ${figure}: ${(error as Error).message} ${JSON.stringify(now)}`);
      }
    }
  }
  expect(contradictions).toEqual([]);
}

async function lookTwice(page: Page, { room, becomes, isOffline, line }: Banner): Promise<[Seen, Seen]> {
  gallery.reset();
  // Between two looks no answer comes, and no page loads itself anew at a moment drawn by lot.
  const poll = { ...pollGuidance, floor_ms: 40_000, near_ceiling_ms: 40_000, spread_ms: 2_000_000_000 };
  Object.assign(gallery.room, { poll, pace, stock: { remaining: 120, enough_for: 60 }, dueAtMs: Date.now() + 300_000 });
  Object.assign(gallery.room, room);
  await open(galleryAddress);
  await page.evaluate("localStorage.clear(); sessionStorage.clear()");
  // The later parts come.
  await pass(page, 1_500);
  Object.assign(gallery.room, becomes);
  if (isOffline) await page.context().setOffline(true);
  // Everything is said by an answer.
  await page.evaluate("dispatchEvent(new Event('online'))");
  await pass(page, 1);
  // A visitor whose turn it is would leave the page.
  if (line === "turn") await setVisibility("hidden");
  await pass(page, 20_000);
  const before = (await page.evaluate(look)) as Seen;
  await pass(page, 3_000);
  const now = (await page.evaluate(look)) as Seen;
  await page.context().setOffline(false);
  return [before, now];
}

/** Time passes in the page, which hears what it has asked. */
async function pass(page: Page, ms: number): Promise<void> {
  for (let passedMs = 0; passedMs < ms; passedMs += 1_500) {
    await page.clock.runFor(Math.min(1_500, ms - passedMs));
    await hasHeard(page);
  }
}
