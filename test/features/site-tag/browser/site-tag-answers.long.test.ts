// Long: each foreign answer to each question; site-tag.test.ts has the 401, foreign-answers.test.ts what stands in for Usher.
/** Between the site's tag and Usher, or the site, something else answers for a while: a captive portal, a proxy, a cache. */
import type { ServerResponse } from "node:http";
import type { Page } from "playwright-core";
import { afterAll, afterEach, beforeAll, describe, expect, test } from "vitest";
import { foreignAnswers } from "../../../support/foreign-answers.ts";
import { hasHeard, soon } from "../../../support/gallery-visit.ts";
import { setVisibility } from "../../../support/waiting-visitor.ts";
import { startTagSite, type TagSite } from "./tag-site.ts";

const show = `(found) => { document.querySelector("output").textContent = JSON.stringify(found); }`;
const html = {
  "/linked": `<script>usher.guard({ room: "links" }).then(${show})</script>`,
  "/checked": `<script>usher.guard({ room: "links", check: "/api/session" }).then(${show})</script>`,
  "/teaser": `<p data-usher-room="sale" id="one"></p><script>
      window.states = [];
      window.leave = usher.watch({ room: "sale" }, ({ state }) => states.push(state));
    </script>`,
};
const statusPath = "/rooms/sale/status";
const admissionPath = "/rooms/links/admission";
/** The longest pause without an answer, with its spread. */
const alongMs = 80_000;
/** For which `check` can ask to be left alone. */
const leaveAloneMs = 120_000;
const stepMs = 10_000;

let site: TagSite;
let page: Page;
let errors: string[];
let foreign: Record<string, (response: ServerResponse) => void>;

beforeAll(async () => {
  const rooms = [{ id: "links", when_idle: "pass_through", schedule: { opens_at: "2099-01-01T10:00:00Z" } }];
  site = await startTagSite([...rooms, { id: "sale" }], html);
  foreign = foreignAnswers(site.elsewhere, `${site.issuer.replace("localhost", "127.0.0.1")}/closed`);
}, 60_000);
afterEach(async () => {
  Object.assign(site, { inFront: null, session: 200 });
  await page.context().close();
});
afterAll(() => site.stop());

const json = (body: unknown) => (response: ServerResponse) =>
  void response
    .writeHead(200, { "content-type": "application/json", "access-control-allow-origin": "*" })
    .end(JSON.stringify(body));
const redirect = (response: ServerResponse) =>
  void response.writeHead(307, { location: site.elsewhere, "access-control-allow-origin": "*" }).end();
/** Those that scripts of the site may read the answers of, too. */
const readable = (answers: typeof foreign) =>
  Object.fromEntries(
    Object.entries(answers).map(([name, answer]) => [
      name,
      (response: ServerResponse) => {
        response.setHeader("access-control-allow-origin", "*");
        answer(response);
      },
    ]),
  );

/** As most are: without a word on which origins may read them. */
const unreadable = () => ({ "a page that may not be read": foreign["200 with a portal's page"] as never });

/** Lets time pass until the tag has asked again, and has heard what is answered. */
async function untilAsked(path: string): Promise<void> {
  const before = site.count(path);
  for (let passedMs = 0; site.count(path) === before; passedMs += stepMs) {
    expect(passedMs, path).toBeLessThan(path === "/api/session" ? leaveAloneMs + stepMs : alongMs);
    await page.clock.fastForward(stepMs);
    await hasHeard(page);
  }
}

async function meet(path: string, answers: typeof foreign, unchanged: (name: string) => Promise<void>): Promise<void> {
  for (const [name, answer] of Object.entries(answers)) {
    site.inFront = { of: new RegExp(path), answer };
    await untilAsked(path);
    await untilAsked(path);
    await unchanged(name);
  }
  expect(errors).toEqual([]);
}

const isShown = () => page.evaluate("getComputedStyle(document.documentElement).display !== 'none'");
const found = async () => JSON.parse((await page.locator("output").textContent()) || "null");

describe("the guard", () => {
  const entrance = "/rooms/links/enter";

  test("keeps the page hidden and the token whole, whatever is answered to the token in Usher's place", async () => {
    const good = { admitted: true, sub: "links.x", admitted_until: 4_000_000_000, for_ms: 1_000_000 };
    site.saysElsewhere = JSON.stringify(good);
    const shapes = { for_ms: ["1000", null, [], true, undefined], admitted: ["true", 1, null, "false", 0, undefined] };
    const mutated = Object.entries(shapes).flatMap(([member, values]) =>
      values.map((value) => [`${member}: ${JSON.stringify(value)}`, json({ ...good, [member]: value })] as const),
    );
    const address = await site.handedOver("links", "/linked?a=1");
    site.inFront = { of: /\/admission/, answer: foreign["200 with a portal's page"] as never };
    ({ page, errors } = await site.open(address));
    const entered = site.count(entrance);
    await meet(
      admissionPath,
      { ...readable(foreign), ...unreadable(), ...Object.fromEntries(mutated), "a redirect to a twin": redirect },
      async (name) => {
        expect([await isShown(), await found(), page.url()], name).toEqual([false, null, `${site.origin}/linked?a=1`]);
        expect(site.count(entrance), name).toBe(entered);
        expect(await page.evaluate("localStorage.length"), name).toBe(0);
      },
    );
    site.inFront = null;
    await untilAsked(admissionPath);
    await expect.poll(isShown, soon).toBe(true);
    expect(await found()).toMatchObject({
      admitted: true,
      sub: expect.stringMatching(/^links\./),
      token: expect.stringMatching(/^ey/),
    });
    expect(site.count(entrance)).toBe(entered);
  });

  test("takes nothing for the answer of `check` but 401 and 2xx of the host that was asked", async () => {
    site.session = 503;
    site.saysElsewhere = "{}";
    ({ page, errors } = await site.open(`${site.origin}/checked`));
    const entered = site.count(entrance);
    const others = Object.entries(foreign).filter(([name]) => /^[345]\d\d|redirect|no answer/.test(name));
    expect(others.length).toBeGreaterThan(9);
    const statuses = [407, 408, 410, 425, 429, 451, 500].map((status) => [
      String(status),
      (response: ServerResponse) => void response.writeHead(status).end("<!doctype html>"),
    ]);
    const answers = { ...Object.fromEntries([...others, ...statuses]), "a redirect to a twin": redirect };
    await meet("/api/session", answers, async (name) => {
      expect([await isShown(), await found(), page.url()], name).toEqual([false, null, `${site.origin}/checked`]);
      expect(site.count(entrance), name).toBe(entered);
    });
    // Of the site's own answer the status alone counts, also after a redirect within the site.
    const moved = (response: ServerResponse) =>
      void response.writeHead(302, { location: "/api/session/?of=the-site" }).end();
    site.inFront = { of: /\/api\/session$/, answer: moved };
    await untilAsked("/api/session");
    await expect.poll(isShown, soon).toBe(true);
    expect(await found()).toEqual({ admitted: true });
  });

  test.each([
    ["60", 60_000],
    ["3600", leaveAloneMs],
  ])(
    "leaves `check` alone for as long as it asks by Retry-After: %s, and two minutes at most",
    async (said, restMs) => {
      const answer = (response: ServerResponse) => void response.writeHead(503, { "retry-after": said }).end();
      site.inFront = { of: /\/api\/session/, answer };
      ({ page, errors } = await site.open(`${site.origin}/checked`));
      await hasHeard(page);
      site.inFront = null;
      const asked = site.count("/api/session");
      await page.clock.fastForward(restMs - 1_000);
      await hasHeard(page);
      expect([site.count("/api/session"), await isShown()]).toEqual([asked, false]);
      await page.clock.fastForward(2_000);
      await hasHeard(page);
      expect(site.count("/api/session")).toBe(asked + 1);
      await expect.poll(isShown, soon).toBe(true);
    },
  );

  test("goes to the room for the 401 of `check`", async () => {
    site.session = 401;
    ({ page, errors } = await site.open(`${site.origin}/checked`));
    await expect.poll(() => site.count(entrance), soon).toBeGreaterThan(0);
  });
});

describe("the link", () => {
  const state = () => page.locator("#one .usher-state").textContent();

  test("says what it said, whatever is answered to the status, and goes on", async () => {
    const status = (await (await fetch(site.issuer + statusPath)).json()) as { poll: object };
    site.saysElsewhere = JSON.stringify({ ...status, phase: "ended" });
    const ended = { ...status, phase: "ended" };
    const mutated = {
      ...Object.fromEntries(
        [5, null, [], {}, true, undefined].map((phase) => [
          `phase: ${JSON.stringify(phase)}`,
          json({ ...status, phase }),
        ]),
      ),
      ...Object.fromEntries(
        ["floor_ms", "ceiling_ms", "spread_ms"].flatMap((member) =>
          ["1000", null, [], true, undefined].map((value) => [
            `${member}: ${JSON.stringify(value)}`,
            json({ ...ended, poll: { ...status.poll, [member]: value } }),
          ]),
        ),
      ),
      "no poll": json({ ...ended, poll: null }),
    };
    // These have all that the tag reads, and are wrong in what it does not.
    const { "strings in place of numbers": _, "numbers in place of lists": __, ...rest } = foreign;
    const answers = { ...readable(rest), ...unreadable(), ...mutated, "a redirect to a twin": redirect };
    site.inFront = { of: /\/status/, answer: foreign["200 with a portal's page"] as never };
    ({ page, errors } = await site.open(`${site.origin}/teaser`));
    await hasHeard(page);
    const link = page.locator("#one a");
    expect([await state(), await link.textContent(), await link.isVisible()]).toEqual(["", "Enter", true]);
    site.inFront = null;
    await untilAsked(statusPath);
    expect(await state()).toBe("Open now");
    const before = await page.evaluate("states.length");
    await meet(statusPath, answers, async (name) => {
      expect([await state(), await link.isVisible(), await page.evaluate("states.length")], name).toEqual([
        ...["Open now", true, before],
      ]);
    });
    site.inFront = null;
    await site.admin.step("sale", "pause");
    await untilAsked(statusPath);
    await expect.poll(state, soon).toBe("Paused for a moment");
    await site.admin.step("sale", "resume");
  });

  test("is asked for at the usual pace, and not at once, by an answer that asks for no pause or for years", async () => {
    const status = (await (await fetch(site.issuer + statusPath)).json()) as { poll: object };
    for (const [value, leastMs, mostMs] of [
      [0, 900, 2_000],
      [-5, 900, 2_000],
      [1e15, 400_000, 610_000],
    ] as const) {
      const poll = { floor_ms: value, ceiling_ms: value, spread_ms: value };
      site.inFront = { of: /\/status/, answer: json({ ...status, poll }) };
      ({ page, errors } = await site.open(`${site.origin}/teaser`));
      await hasHeard(page);
      const asked = site.count(statusPath);
      await page.clock.fastForward(leastMs);
      await hasHeard(page);
      expect(site.count(statusPath), String(value)).toBe(asked);
      await page.clock.fastForward(mostMs - leastMs);
      await hasHeard(page);
      expect(site.count(statusPath), String(value)).toBe(asked + 1);
      if (value !== 1e15) await page.context().close();
    }
  });

  test("goes on after failures while nobody looked, and after its last element had gone", async () => {
    site.inFront = { of: /\/status/, answer: foreign["511 with a page"] as never };
    ({ page, errors } = await site.open(`${site.origin}/teaser`));
    await hasHeard(page);
    await setVisibility(page, "hidden");
    await page.clock.fastForward(alongMs);
    await hasHeard(page);
    site.inFront = null;
    await setVisibility(page, "visible");
    await hasHeard(page);
    await expect.poll(state, soon).toBe("Open now");

    site.inFront = { of: /\/status/, answer: foreign["511 with a page"] as never };
    await untilAsked(statusPath);
    await page.evaluate("leave(); document.querySelector('#one').remove()");
    for (let times = 0; times < 3; times++) {
      await page.clock.fastForward(alongMs);
      await hasHeard(page);
    }
    site.inFront = null;
    await site.admin.step("sale", "pause");
    await page.evaluate(`{
      const later = document.createElement("p");
      later.id = "one";
      document.body.append(later);
      usher.mount(later, { room: "sale" });
    }`);
    await hasHeard(page);
    await expect.poll(state, soon).toBe("Paused for a moment");
    await site.admin.step("sale", "resume");
    expect(errors).toEqual([]);
  });
});
