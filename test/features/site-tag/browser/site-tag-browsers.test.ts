/** What the site's tag stores in a browser, however many rooms it visits; and browsers that refuse or lack what they may. */
import { afterAll, beforeAll, expect } from "vitest";
import { soon } from "../../../support/gallery-visit.ts";
import { long, test } from "../../../support/sizes.ts";
import { recordNavigations } from "../../../support/waiting-visitor.ts";
import { startTagSite, type TagSite } from "./tag-site.ts";

const html = {
  "/guarded": `<script>
      usher.guard({ room: new URLSearchParams(location.search).get("room") }).then(({ sub }) => {
        document.querySelector("output").textContent = sub;
      });
    </script>`,
  "/teaser": `<p data-usher-room="later" id="one"></p>`,
};
const roomCount = 24;
/** That the tag stores at most. */
const storedMax = 20;
const names = Array.from({ length: roomCount }, (_, index) => `room-${index + 1}`);

let site: TagSite;
beforeAll(async () => {
  const passing = { when_idle: "pass_through", schedule: { opens_at: "2099-01-01T10:00:00Z" } };
  const later = { id: "later", schedule: { opens_at: new Date(Date.now() + 5_400_000).toISOString() } };
  site = await startTagSite([...names.map((id) => ({ id, ...passing })), later], html);
}, 60_000);
afterAll(() => site.stop());

long(
  "of many rooms the admissions of the last 20 are stored; a visitor of one more is let in by the room again",
  async () => {
    const context = await site.browser.newContext();
    const page = await context.newPage();
    const navigations = recordNavigations(page);
    const entries = () => navigations.filter(({ pathname }) => pathname.endsWith("/enter")).length;
    const stored = async () => {
      const list = JSON.parse(String(await page.evaluate("localStorage.usher"))) as [url: string][];
      expect(await page.evaluate("[localStorage.length, sessionStorage.length < 2]")).toEqual([1, true]);
      return list.map(([url]) => url.split("/").at(-1));
    };
    const isIn = async (room: string) => {
      await expect.poll(() => page.locator("output").textContent(), soon).toMatch(new RegExp(`^${room}\\.`));
      return page.evaluate("getComputedStyle(document.documentElement).display !== 'none'");
    };
    const come = async (room: string) => {
      await page.goto(await site.handedOver(room, `/guarded?room=${room}`));
      expect(await isIn(room)).toBe(true);
    };
    for (const room of names) await come(room);
    const latest = names.toReversed().slice(0, storedMax);
    expect(await stored()).toEqual(latest);
    expect(String(await page.evaluate("localStorage.usher")).length).toBeLessThan(6_000);
    // One room again and again takes the place of no other.
    for (let times = 0; times < 3; times++) await come(names[7] as string);
    expect((await stored()).sort()).toEqual([...latest].sort());
    expect(entries()).toBe(0);

    const [oldest = "", second = ""] = [names[roomCount - storedMax], names[0]];
    const asked = site.count(`/rooms/${oldest}/admission`);
    await page.goto(`${site.origin}/guarded?room=${oldest}`);
    expect([await isIn(oldest), entries(), site.count(`/rooms/${oldest}/admission`)]).toEqual([true, 0, asked]);
    await page.goto(`${site.origin}/guarded?room=${second}`);
    expect([await isIn(second), entries(), new URL(page.url()).search]).toEqual([true, 1, `?room=${second}`]);
    expect((await stored()).slice(0, 2)).toEqual([second, names[7]]);
    expect(await stored()).toHaveLength(storedMax);
    await context.close();
  },
);

long.each(['"5"', "null", '{"a":5}', '[5,null,"x",[],[1,2,3]]', "nonsense"])(
  "what somebody else has stored as %s is no admission, and costs a visit at most",
  async (value) => {
    const context = await site.browser.newContext();
    const page = await context.newPage();
    const errors: string[] = [];
    page.on("pageerror", ({ message }) => errors.push(message));
    await page.goto(`${site.origin}/nothing`);
    await page.evaluate(`localStorage.usher = sessionStorage.usher = ${JSON.stringify(value)}`);
    await page.goto(`${site.origin}/guarded?room=room-1`);
    await expect.poll(() => page.locator("output").textContent(), soon).toMatch(/^room-1\./);
    expect(errors).toEqual([]);
    await context.close();
  },
);

const refuse = (name: string) =>
  `Object.defineProperty(window, "${name}", { get() { throw new DOMException("refused", "SecurityError"); } });`;
const lacks = {
  localStorage: refuse("localStorage"),
  sessionStorage: refuse("sessionStorage"),
  "a quota": `Storage.prototype.setItem = () => { throw new DOMException("full", "QuotaExceededError"); };
    for (const name of ["localStorage", "sessionStorage"]) {
      Object.defineProperty(window, name, { value: new Proxy({}, { set() { throw new DOMException("full", "QuotaExceededError"); } }) });
    }`,
  "crypto.subtle": `Object.defineProperty(crypto, "subtle", { value: undefined });`,
  "formats of units": `{
      const plain = Number.prototype.toLocaleString;
      Number.prototype.toLocaleString = function (language, format) {
        if (format?.style === "unit") throw new RangeError("style");
        return plain.call(this, language, format);
      };
    }`,
  "newer methods": `delete AbortSignal.timeout; delete Array.prototype.at; delete window.structuredClone; delete window.requestIdleCallback;`,
} as const;

const goesOn = "a browser without %s counts down, and shows the guarded page after the visit";
test.each(["all of them"])(goesOn, expectToGoOn);
long.each(Object.keys(lacks))(goesOn, expectToGoOn);

async function expectToGoOn(name: string): Promise<void> {
  const context = await site.browser.newContext();
  for (const [each, script] of Object.entries(lacks)) {
    if (each === name || name === "all of them") await context.addInitScript(script);
  }
  const page = await context.newPage();
  const errors: string[] = [];
  page.on("pageerror", ({ message }) => errors.push(message));
  await page.goto(`${site.origin}/teaser`);
  await expect
    .poll(() => page.locator(".usher-timer").textContent(), soon)
    .toMatch(/^Opens in (1 hour \d+ minutes?|\d{4} s)$/);
  await page.goto(`${site.origin}/guarded?room=room-2`);
  await expect.poll(() => page.locator("output").textContent(), soon).toMatch(/^room-2\./);
  expect([new URL(page.url()).search, errors]).toEqual(["?room=room-2", []]);
  await context.close();
}
