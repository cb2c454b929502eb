/** Between a page and Usher something else answers for a while: a captive portal, a proxy, a cache. */
import { createServer, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";
import type { Page } from "playwright-core";
import { afterAll, expect } from "vitest";
import { foreignAnswers } from "../support/foreign-answers.ts";
import { galleryAddress, hasHeard, soon, stopClock, visitGallery, watchQuestions } from "../support/gallery-visit.ts";
import { goodStatus } from "../support/good-status.ts";
import { type GalleryRoom, words } from "../support/page-gallery.ts";
import { long, test } from "../support/sizes.ts";

const { gallery, arrive, count } = await visitGallery();

/** A host that is not Usher's. */
const elsewhere = createServer((request, response) => {
  if (request.url === "/open") response.setHeader("access-control-allow-origin", "*");
  response.setHeader("content-type", "application/json").end('{"state":"admitted","held_by":null,"position":1}');
});
await new Promise<void>((resolve) => elsewhere.listen(0, "127.0.0.1", resolve));
afterAll(() => void elsewhere.close());
const elsewhereUrl = `http://127.0.0.1:${(elsewhere.address() as AddressInfo).port}`;
const foreign = foreignAnswers(`${elsewhereUrl}/open`, `${elsewhereUrl}/closed`);
const some = [
  "200 with a portal's page",
  "200 with {}",
  "200 with null",
  "strings in place of numbers",
  "511 with a page",
];
const shapes = [
  ...some,
  "an error of something else",
  "403 with a page",
  "a redirect to a host whose answers may be read",
];

interface Kind {
  readonly path?: string;
  readonly room?: Partial<GalleryRoom>;
  /** What becomes of the room once the page is there. */
  readonly becomes?: Partial<GalleryRoom>;
  /** Not all: pages that share what reads them need not meet each. */
  readonly answers?: readonly string[];
  /** What the page asks, which something else answers. */
  readonly asks: string;
  /** What Usher answers then, by which the page gives way: to the site, unless said otherwise. */
  readonly finally: Partial<GalleryRoom>;
  readonly leadsTo?: string;
}

const [statusPath, placePath] = ["/rooms/tickets/status", "/rooms/tickets/tickets/me"];
const json = (body: object) => (response: ServerResponse) =>
  void response.setHeader("content-type", "application/json").end(JSON.stringify(body));

const kinds: Record<string, Kind> = {
  "a page in line": { asks: statusPath, finally: { serving: 5_000 } },
  "a held place": {
    asks: `${placePath}/claim`,
    room: { state: "held", serving: 5_000, retryMs: 300 },
    answers: shapes,
    finally: { state: "waiting" },
  },
  "a page whose place is drawn": {
    asks: placePath,
    room: { entry: 812, drawStage: "closed", serving: 0 },
    becomes: { drawStage: "drawn" },
    answers: some,
    finally: { serving: 5_000 },
  },
  "a notice before the opening": {
    path: "/notice/not_open",
    asks: statusPath,
    room: { phase: "idle", opensInMs: 3_600_000 },
    answers: some,
    finally: { phase: "open" },
    leadsTo: "/notice/not_open",
  },
  "a notice that waits for places": {
    path: "/notice/store_unavailable",
    asks: statusPath,
    room: { availability: "away" },
    answers: some,
    finally: { availability: "ready" },
    leadsTo: "/notice/store_unavailable",
  },
  "a page with a link that carries the place": {
    path: "/sample/move",
    asks: "/rooms/tickets/move/state",
    answers: some,
    finally: { inFront: { of: /\/move\/state/, answer: json({ moved: false, state: "served" }) } },
    leadsTo: "/authorize",
  },
  "a check": {
    path: "/sample/check_required",
    asks: "/rooms/tickets/check",
    answers: shapes,
    finally: { proofCode: 204 },
    leadsTo: "/sample/check_required",
  },
  "a browser's proof": {
    path: "/sample/device_required",
    asks: "/rooms/tickets/device",
    answers: shapes,
    finally: { proofCode: 204 },
    leadsTo: "/sample/device_required",
  },
};

/** Of what somebody else's answer makes of a page's words. */
const nonsense = /NaN|undefined|null|\[object|Infinity|Sign in to|true/;
/** So long a page may leave anybody alone: two minutes, and some spread. */
const alongMs = 160_000;
const stepMs = 20_000;

/** Lets time pass until the page has asked again, and has heard what is answered: in leaps, after which what is due happens once. */
async function untilAsked(page: Page, path: string): Promise<void> {
  const before = count(path);
  for (let passedMs = 0; count(path) === before; passedMs += stepMs) {
    expect(passedMs).toBeLessThan(alongMs);
    await page.clock.fastForward(stepMs);
    await hasHeard(page);
  }
}

const isUnmoved = "%s is what it was, whatever answers in Usher's place, and goes on";
const quickKinds = ["a page in line", "a held place"];
test.each(quickKinds)(isUnmoved, (name) => meet({ ...(kinds[name] as Kind), answers: some }));
long.each(Object.entries(kinds))(isUnmoved, (_, kind) => meet(kind));

async function meet(kind: Kind): Promise<void> {
  const { path = galleryAddress, asks, room, becomes, finally: last, leadsTo = "/site" } = kind;
  const of = new RegExp(`${asks}(?:\\?|$)`);
  Object.assign(gallery.room, room);
  const errors: string[] = [];
  const page = await arrive(
    {},
    async (next) => {
      await stopClock(next);
      await watchQuestions(next);
      next.on("pageerror", ({ message }) => errors.push(message));
    },
    path,
  );
  const pagePath = path.split("?")[0] ?? "";
  const loads = count(pagePath);
  const state = () => page.evaluate("JSON.stringify({ ...document.querySelector('main').dataset, live: '' })");
  const answers = kind.answers ?? Object.keys(foreign);
  // What a browser has to prove takes its own time: time that leaps meanwhile would give it up.
  if (last.proofCode) await expect.poll(() => count(asks), soon).toBeGreaterThan(0);
  Object.assign(gallery.room, becomes, { inFront: { of, answer: foreign[answers[0] ?? ""] } });
  await untilAsked(page, asks);
  const before = await state();
  for (const name of answers) {
    const answer = foreign[name];
    if (answer === undefined) throw new Error(`there is no answer "${name}"`);
    // Meanwhile Usher answers once, so that the pauses do not grow from one to the next.
    if (!kind.finally.proofCode && asks !== placePath) {
      gallery.room.inFront = null;
      await untilAsked(page, asks);
    }
    gallery.room.inFront = { of, answer };
    await untilAsked(page, asks);
    await untilAsked(page, asks);
    expect([name, await state(), page.url()]).toEqual([name, before, gallery.url + path]);
    expect(`${await page.title()} ${await page.evaluate("document.body.innerText")}`, name).not.toMatch(nonsense);
    expect(count(pagePath), name).toBe(loads);
  }
  expect(errors).toEqual([]);
  let leads = false;
  page.on("request", (next) => {
    leads ||= next.isNavigationRequest() && new URL(next.url()).pathname === leadsTo;
  });
  Object.assign(gallery.room, { inFront: null, ...last });
  const asked = async () => {
    await page.clock.fastForward(stepMs);
    return leads;
  };
  await expect.poll(asked, soon).toBe(true);
}

const scripts: Record<string, (response: ServerResponse) => void> = {
  "a portal's page": foreign["200 with a portal's page"] as (response: ServerResponse) => void,
  "a page that caches keep": (response) =>
    response
      .writeHead(200, { "content-type": "text/html", "cache-control": "max-age=86400" })
      .end("<title>Sign in</title>"),
  "an error": (response) => response.writeHead(502).end(),
  "a script of something else": (response) =>
    response.writeHead(200, { "content-type": "text/javascript" }).end("export default {}; export const other = 1;"),
  "a script that throws": (response) =>
    response.writeHead(200, { "content-type": "text/javascript" }).end('throw new Error("something else");'),
};

long.each(Object.entries(scripts))(
  "a part of the script in whose place %s comes is asked for again, at a bounded pace, and works once it is there",
  async (_, answer) => {
    gallery.room.inFront = { of: /^\/assets\//, answer };
    const errors: string[] = [];
    const page = await arrive({}, async (next) => {
      await stopClock(next);
      await watchQuestions(next);
      next.on("pageerror", ({ message }) => errors.push(message));
    });
    const asked = () => gallery.requests.filter((path) => path.startsWith("/assets/life")).length;
    for (let polls = 0; polls < 12; polls++) await untilAsked(page, statusPath);
    await expect.poll(asked, soon).toBeGreaterThan(1);
    expect(asked()).toBeLessThan(9);
    await expect.poll(() => page.locator("#ahead").textContent()).toContain("411 people");
    gallery.room.inFront = null;
    const parts = async () => {
      await page.clock.fastForward(stepMs);
      return page.evaluate("['.walk', '#moved'].map((part) => document.querySelectorAll(part).length)");
    };
    await expect.poll(parts, soon).toEqual([1, 1]);
    expect(errors).toEqual([]);
  },
);

/** A page whose time a test lets pass, and which fails where a script of it does. */
async function arriveWithClock(path?: string): Promise<{ page: Page; errors: string[] }> {
  const errors: string[] = [];
  const prepare = async (next: Page) => {
    await stopClock(next);
    await watchQuestions(next);
    next.on("pageerror", ({ message }) => errors.push(message));
  };
  return { page: await arrive({}, prepare, path), errors };
}

long("what is only shown, and is of another shape in a good status, is not shown; all else goes on", async () => {
  const { page, errors } = await arriveWithClock();
  await untilAsked(page, statusPath);
  const strange = {
    message: {},
    messages: { en: null },
    message_severity: 7,
    stock: { remaining: "x", enough_for: {} },
    draw: { id: 1, stage: 5, entries: "many", voids: "x", due_at: {} },
    prequeue_at: 7,
    opens_at: {},
    held_until: null,
  };
  gallery.room.inFront = {
    of: /\/status/,
    answer: (response) => {
      const now = { serving: 4_600, updated_at: new Date().toISOString(), gaps: [] };
      json({ ...goodStatus, ...strange, ...now, title: "Autumn tour tickets" })(response);
    },
  };
  await untilAsked(page, statusPath);
  await untilAsked(page, statusPath);
  await expect.poll(() => page.locator("#serving").textContent()).toBe("Now serving 4,600");
  expect(await page.evaluate("document.body.innerText")).not.toMatch(nonsense);
  await expect.poll(() => page.locator("#message").isVisible()).toBe(false);
  Object.assign(gallery.room, { inFront: null, message: words("Back at nine") });
  await untilAsked(page, statusPath);
  await expect.poll(() => page.locator("#message-text").textContent(), soon).toBe("Back at nine");
  expect(errors).toEqual([]);
});

long("a challenge of another shape is none: the page says that the check could not be finished", async () => {
  const { page } = await arriveWithClock("/sample/check_required");
  for (const challenge of [{}, { parameters: {} }, 7, []]) {
    gallery.room.inFront = {
      of: /\/check$/,
      answer: (response) =>
        response
          .writeHead(403, { "content-type": "application/json" })
          .end(JSON.stringify({ error: "x", check: { challenge } })),
    };
    const said = async () => {
      await page.clock.fastForward(stepMs);
      return page.locator("#check").textContent();
    };
    await expect.poll(said, soon).toContain("could not be finished");
    await expect.poll(() => page.locator(".actions").isVisible()).toBe(true);
    await page.reload();
  }
});

long("what visitors may read is asked for until it comes, ever more slowly", async () => {
  gallery.room.whileWaiting = "revision";
  const of = /\/while-waiting\/part/;
  gallery.room.inFront = { of, answer: foreign["200 with a portal's page"] as (response: ServerResponse) => void };
  const { page, errors } = await arriveWithClock();
  const asked = () => gallery.requests.filter((path) => of.test(path)).length;
  const passes = async (until: () => Promise<boolean>) => {
    const after = async () => {
      await page.clock.fastForward(stepMs);
      return until();
    };
    await expect.poll(after, soon).toBe(true);
  };
  await passes(async () => asked() > 5);
  gallery.room.inFront = {
    of,
    answer: (response) =>
      response
        .writeHead(200, { "content-type": "text/html" })
        .end("<title>Read</title><main><div class=slot>On stage</div></main>"),
  };
  await passes(async () => (await page.locator("aside .slot").count()) === 1);
  await expect.poll(() => page.locator("aside .slot").textContent()).toBe("On stage");
  expect(errors).toEqual([]);
});
