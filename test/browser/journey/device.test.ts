/** A place that is bound to the browser, in real ones: the key, two tabs at once, cookies that are copied, no scripts, no storage. */
import type { BrowserContext, BrowserContextOptions, Page } from "playwright-core";
import { afterAll, beforeAll, expect } from "vitest";
import { memoryStore, startWorld, type World } from "../../e2e/world.ts";
import { type BorrowedChromium, borrowChromium, expectNoAxeViolations } from "../../support/chromium.ts";
import { long, test } from "../../support/sizes.ts";

let world: World;
let chromium: BorrowedChromium;
beforeAll(async () => {
  const targets = ["https://shop.example.test/"];
  const rooms = ["shop", "tabs", "scripts", "slow", "often", "many"].map((id) => ({
    id,
    settings: { device_binding: "required", targets },
  }));
  [world, chromium] = await Promise.all([
    startWorld({
      store: memoryStore,
      rooms: [...rooms, { id: "offered", settings: { device_binding: "offered", targets } }],
    }),
    borrowChromium(),
  ]);
});
afterAll(() => Promise.all([world?.stop(), chromium?.refund()]));

/** A browser for which the shop answers. */
async function newBrowser(options: BrowserContextOptions = {}): Promise<BrowserContext> {
  const context = await chromium.browser.newContext(options);
  await context.route("https://*.example.test/**", (route) =>
    route.fulfill({ contentType: "text/html", body: "<title>The shop</title>" }),
  );
  return context;
}

const loginAt = (room: string) => String(world.relyingParty(room).startLogin().url);
const positionOn = (page: Page) => page.locator("main[data-position]").getAttribute("data-position");
const heading = (page: Page) => page.locator("h1").textContent();

test("the browser makes a key that no script can read, waits, and gets in by itself; copied cookies do not", async () => {
  const context = await newBrowser();
  const page = await context.newPage();
  const said: string[] = [];
  page.on("console", (message) => said.push(message.text()));
  const login = loginAt("shop");
  await page.goto(login, { waitUntil: "commit" });
  expect(await positionOn(page)).toBe("1");
  expect(page.url()).toBe(login);
  const key = await page.evaluate(`new Promise((resolve, reject) => {
    const opening = indexedDB.open("usher");
    opening.onsuccess = () => {
      const asked = opening.result.transaction("keys").objectStore("keys").get("device");
      asked.onsuccess = async () => {
        const { privateKey } = asked.result;
        const read = await crypto.subtle.exportKey("jwk", privateKey).then(() => "read", () => "refused");
        resolve([privateKey.extractable, privateKey.type, read]);
      };
    };
    opening.onerror = reject;
  })`);
  expect(key).toEqual([false, "private", "refused"]);

  const copy = await newBrowser();
  await copy.addCookies(await context.cookies());
  await world.admin.increment("shop", 1);
  const thief = await copy.newPage();
  await thief.goto(loginAt("shop"), { waitUntil: "commit" });
  await expect.poll(() => heading(thief)).toBe("This place belongs to another browser");
  await expectNoAxeViolations(thief);
  // The page of the visitor has seen its turn meanwhile, and goes on by itself.
  await expect.poll(() => page.title()).toBe("The shop");
  expect(new URL(page.url()).searchParams.get("code")).toBeTruthy();
  // A later login, of the same browser.
  await page.goto(loginAt("shop"), { waitUntil: "commit" });
  await expect.poll(() => page.title()).toBe("The shop");
  expect(said.filter((text) => /Content.Security|Refused/i.test(text))).toEqual([]);
  await Promise.all([context.close(), copy.close()]);
});

long("two tabs that make their key at once have the same", async () => {
  const context = await newBrowser();
  const tabs = await Promise.all([context.newPage(), context.newPage(), context.newPage()]);
  await Promise.all(tabs.map((tab) => tab.goto(loginAt("tabs"), { waitUntil: "commit" })));
  for (const tab of tabs) expect(Number(await positionOn(tab))).toBeGreaterThan(0);
  await world.admin.increment("tabs", 5);
  // The relying party remembers the newest login alone: the others are begun anew there.
  const titles = () => Promise.all(tabs.map((tab) => tab.title()));
  await expect.poll(titles).toContain("The shop");
  for (const tab of tabs) expect(await tab.content()).not.toContain("another browser");
  await context.close();
});

long("a tab proves each of its logins, however many there are in a minute", { timeout: 30_000 }, async () => {
  const context = await newBrowser();
  const page = await context.newPage();
  await page.goto(loginAt("often"), { waitUntil: "commit" });
  expect(await positionOn(page)).toBe("1");
  await world.admin.increment("often", 1);
  await expect.poll(() => page.title()).toBe("The shop");
  for (let logins = 0; logins < 6; logins++) {
    await page.goto(loginAt("often"), { waitUntil: "commit" });
    await expect.poll(() => page.title()).toBe("The shop");
  }
  await context.close();
});

long("tabs whose turn comes at once do not disturb each other: each proves its login once", async () => {
  const context = await newBrowser();
  const first = await context.newPage();
  await first.goto(loginAt("many"), { waitUntil: "commit" });
  expect(await positionOn(first)).toBe("1");
  await world.admin.increment("many", 1);
  await expect.poll(() => first.title()).toBe("The shop");
  const tabs = await Promise.all(Array.from({ length: 6 }, () => context.newPage()));
  let posts = 0;
  for (const tab of tabs) {
    await tab.route("**/rooms/many/device", (route) => {
      posts++;
      return route.continue();
    });
  }
  await Promise.all(tabs.map((tab) => tab.goto(loginAt("many"), { waitUntil: "commit" })));
  const isOver = (title: string) => title !== "" && !title.includes("tied to this browser");
  await expect.poll(async () => (await Promise.all(tabs.map((tab) => tab.title()))).every(isOver)).toBe(true);
  expect(posts).toBe(tabs.length);
  await context.close();
});

long(
  "while it is proven the page says so, offers nothing to press, and is fit for screen readers and small phones",
  async () => {
    const context = await newBrowser({ viewport: { width: 320, height: 640 } });
    const page = await context.newPage();
    let letGo = () => {};
    const held = new Promise<void>((resolve) => {
      letGo = resolve;
    });
    await page.route("**/rooms/slow/device", async (route) => {
      await held;
      await route.continue();
    });
    await page.goto(loginAt("slow"));
    expect(await heading(page)).toContain("tied to this browser");
    await expect.poll(() => page.locator(".actions").isHidden()).toBe(true);
    await expectNoAxeViolations(page);
    expect(await page.evaluate("document.documentElement.scrollWidth")).toBe(320);
    letGo();
    expect(Number(await positionOn(page))).toBeGreaterThan(0);
    await context.close();
  },
);

long(
  "a browser without scripts, or that keeps no key, is told so where one is required, and goes on where it is offered",
  async () => {
    const plain = await newBrowser({ javaScriptEnabled: false });
    const told = await plain.newPage();
    await told.goto(loginAt("scripts"));
    await expect.poll(() => told.locator("noscript").textContent()).toContain("Allow scripts");
    await told.goto(loginAt("offered"));
    await told.locator(".actions button").click();
    expect(Number(await told.locator("main").getAttribute("data-position"))).toBeGreaterThan(0);
    await plain.close();

    const closed = await newBrowser();
    // As in private windows of some browsers.
    await closed.addInitScript(
      "Object.defineProperty(window, 'indexedDB', { get: () => { throw new Error('closed'); } })",
    );
    const page = await closed.newPage();
    await page.goto(loginAt("scripts"));
    await expect.poll(() => page.locator("#device").textContent()).toContain("This browser keeps no key");
    await expect.poll(() => page.locator(".actions a").isVisible()).toBe(true);
    await page.goto(loginAt("offered"), { waitUntil: "commit" });
    expect(Number(await positionOn(page))).toBeGreaterThan(0);
    await closed.close();
  },
);

long("a key that the browser has made, and could not write down, binds no place", async () => {
  const context = await newBrowser();
  // As where the disk is full: it is said at the end of the transaction.
  await context.addInitScript(`
    const { add } = IDBObjectStore.prototype;
    IDBObjectStore.prototype.add = function (...given) {
      const request = add.apply(this, given);
      request.addEventListener("success", () => this.transaction.abort());
      return request;
    };
  `);
  const page = await context.newPage();
  await page.goto(loginAt("scripts"), { waitUntil: "commit" });
  await expect.poll(() => page.locator("#device").textContent()).toContain("This browser keeps no key");
  await expect.poll(() => page.locator(".actions a").isVisible()).toBe(true);
  await context.close();
});

long("a browser that gets nowhere stops, and says so", async () => {
  const context = await newBrowser();
  const page = await context.newPage();
  let posts = 0;
  await page.route("**/rooms/scripts/device", (route) => {
    posts++;
    return route.continue({ postData: "proof=none" });
  });
  await page.goto(loginAt("scripts"), { waitUntil: "commit" });
  await expect.poll(() => page.locator("#device").textContent()).toContain("This browser keeps no key");
  expect(posts).toBe(4);
  await context.close();
});
