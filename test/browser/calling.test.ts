/** How the waiting page calls a visitor who does other things: what it offers, what it asks of the browser, and when. */
import type { BrowserContextOptions, Page } from "playwright-core";
import { beforeEach, describe, expect } from "vitest";
import { english, titleOf } from "../support/english.ts";
import { soon, visitGallery } from "../support/gallery-visit.ts";
import { describeLong, long, test } from "../support/sizes.ts";

const { gallery, arrive, text, count, setVisibility } = await visitGallery();

const status = "/rooms/tickets/status";
const [playSound, showNotification, keepScreenOn] = ["Play a sound", "Show a notification", "Keep the screen on"];
const shown = [
  "notification",
  "Autumn tour tickets",
  { body: english.waiting.live.titles.turn, tag: "Autumn tour tickets" },
];

/** What the page asks of the browser and gets, in order. */
const noted: unknown[] = [];
beforeEach(() => {
  noted.length = 0;
});

/** The browser does as it always does, and its doings are noted. */
const noteDoings = `
  OscillatorNode = class extends OscillatorNode {
    start(at) { note("sound"); super.start(at); }
  };
  AudioContext = class extends AudioContext {
    constructor() { super(); note("audio"); }
  };
  const ask = Notification.requestPermission;
  Notification = class extends Notification {
    constructor(title, options) {
      super(title, options);
      if (title !== "") { note(["notification", title, options]); window.shown = this; }
    }
    static requestPermission() { note("permission"); return ask(); }
    close() { if (this.title !== "") note("closed"); super.close(); }
  };
  const locks = [];
  window.countLocks = () => locks.filter((lock) => !lock.released).length;
  const request = WakeLock.prototype.request;
  WakeLock.prototype.request = async function (type) {
    note("screen");
    locks.push(await request.call(this, type));
    return locks.at(-1);
  };`;

/** @param change of the browser, before the page is loaded */
async function arriveNoted(change = "", options: BrowserContextOptions = {}): Promise<Page> {
  const page = await arrive({ permissions: ["notifications", "screen-wake-lock"], ...options }, async (page) => {
    await page.exposeFunction("note", (doing: unknown) => noted.push(doing));
    await page.addInitScript(`{${noteDoings}${change}}`);
  });
  await page.getByText(english.waiting.call.summary).click();
  return page;
}

const box = (page: Page, name = "") => page.getByRole("checkbox", { name });

async function turnComes(page: Page): Promise<void> {
  await setVisibility("hidden");
  gallery.room.serving = 5_000;
  await expect.poll(() => page.title(), soon).toBe(titleOf(english.waiting.live.titles.turn));
}

async function hasAskedAgain(): Promise<void> {
  const asked = count(status);
  await expect.poll(() => count(status), soon).toBeGreaterThan(asked + 2);
}

describeLong("what is offered", () => {
  long("asks nothing of the browser unless it is ticked, not even when the turn comes", async () => {
    const page = await arriveNoted();
    for (const name of [playSound, showNotification, keepScreenOn]) {
      await expect.poll(() => box(page, name).isChecked(), { message: name }).toBe(false);
    }
    await turnComes(page);
    await hasAskedAgain();
    expect(noted).toEqual([]);
  });

  long(
    "comes when it is opened: nothing can be ticked before, and without it the page says so and tries again",
    async () => {
      let isAway = true;
      const page = await arrive({}, (page) =>
        page.route("**/assets/call-*.js*", (route) => (isAway ? route.abort() : route.continue())),
      );
      expect(gallery.requests.some((path) => path.startsWith("/assets/"))).toBe(false);
      await page.getByText(english.waiting.call.summary).click();
      await expect.poll(() => text("#call-blocked"), soon).toContain("cannot be reached");
      await expect
        .poll(() => page.locator("#call input:not([disabled]), #call button:not([disabled])").count())
        .toBe(0);
      isAway = false;
      await expect.poll(() => box(page, playSound).isEnabled(), soon).toBe(true);
      expect(await text("#call-blocked")).toBe("");
      expect(gallery.requests.filter((path) => path.startsWith("/assets/call-")).length).toBe(1);
    },
  );

  long("is not there without JavaScript", async () => {
    const page = await arrive({ javaScriptEnabled: false });
    await expect.poll(() => page.getByText(english.waiting.call.summary).isVisible()).toBe(false);
  });

  long("is only what the browser can do", async () => {
    const page = await arriveNoted("delete window.Notification; delete Navigator.prototype.wakeLock;");
    await expect.poll(() => box(page).count(), soon).toBe(1);
    await expect.poll(() => box(page, playSound).isVisible()).toBe(true);
  });

  long("is remembered, and shown then; a sound counts again when the browser allows it", async () => {
    // As a browser does that keeps a page silent until something is pressed in it.
    const page = await arriveNoted(`
      let [isFree, isPressed] = [false, false];
      AudioContext = class extends AudioContext {
        get state() { return isFree ? "running" : "suspended"; }
        async resume() {
          await super.resume();
          if (isFree || !isPressed) return;
          isFree = true;
          this.dispatchEvent(new Event("statechange"));
        }
      };
      addEventListener("click", () => { isPressed = true; }, true);`);
    for (const name of [playSound, showNotification]) await box(page, name).check();
    noted.length = 0;
    await page.reload();
    await expect.poll(() => box(page, showNotification).isChecked()).toBe(true);
    await expect.poll(() => box(page, keepScreenOn).isChecked()).toBe(false);
    await expect.poll(() => box(page, playSound).isChecked()).toBe(false);
    await page.getByRole("heading", { level: 1 }).click();
    await expect.poll(() => box(page, playSound).isChecked(), soon).toBe(true);
    await box(page, playSound).uncheck();
    await page.reload();
    await page.getByRole("heading", { level: 1 }).click();
    await expect.poll(() => box(page, playSound).isChecked()).toBe(false);
    expect(noted).toEqual(["audio"]);
  });

  long("works where storage is closed, and is forgotten there", async () => {
    const page = await arriveNoted(
      "Object.defineProperty(window, 'localStorage', { get() { throw new DOMException('closed', 'SecurityError'); } });",
    );
    await box(page, playSound).check();
    await turnComes(page);
    expect(noted).toEqual(["audio", "sound"]);
  });
});

describe("the turn", () => {
  test("is called once, by all that is ticked; looking takes the notification away and enters", async () => {
    const page = await arriveNoted();
    for (const name of [playSound, showNotification]) await box(page, name).check();
    expect(noted).toEqual(["audio", "permission"]);
    noted.length = 0;
    await turnComes(page);
    await hasAskedAgain();
    expect(noted).toEqual(["sound", shown]);
    await setVisibility("visible");
    await page.waitForURL("**/site");
    expect(noted).toEqual(["sound", shown, "closed"]);
  });

  long("that is taken back takes the notification back, and is called anew when it comes again", async () => {
    const page = await arriveNoted();
    await box(page, showNotification).check();
    noted.length = 0;
    await turnComes(page);
    gallery.room.serving = 4_000;
    await expect.poll(() => page.title(), soon).toContain("999 ahead");
    expect(noted).toEqual([shown, "closed"]);
    await turnComes(page);
    expect(noted.at(-1)).toEqual(shown);
    await page.evaluate(
      "window.focus = () => note('focus'); shown.onclick(new Event('click', { cancelable: true })); undefined",
    );
    await expect.poll(() => noted.at(-1), soon).toBe("focus");
  });

  long("of who looks is called by a sound alone, which is heard before the page gives way", async () => {
    const page = await arriveNoted();
    for (const name of [playSound, showNotification]) await box(page, name).check();
    noted.length = 0;
    // By the browser's own clock, which does not wait for this process.
    await page.evaluate(`{
      const { start } = OscillatorNode.prototype;
      OscillatorNode.prototype.start = function (at) {
        sessionStorage.setItem("soundedAt", Date.now());
        start.call(this, at);
      };
    }`);
    gallery.room.serving = 5_000;
    await page.waitForURL("**/site");
    const soundedForMs = await page.evaluate("performance.timeOrigin - sessionStorage.getItem('soundedAt')");
    expect(soundedForMs).toBeGreaterThan(500);
    expect(noted).toEqual(["sound"]);
  });

  long("sounds as the test of it does", async () => {
    const page = await arriveNoted();
    await page.getByRole("button", { name: "Test the sound" }).click();
    await expect.poll(() => noted, soon).toEqual(["audio", "sound"]);
    // The test is no choice.
    await expect.poll(() => box(page, playSound).isChecked()).toBe(false);
    await turnComes(page);
    expect(noted).toEqual(["audio", "sound"]);
  });
});

describeLong("a notification", () => {
  const blocked = "Your browser does not let this page show notifications.";

  long("that is refused is said to be, and the box is not ticked", async () => {
    const page = await arriveNoted("", { permissions: [] });
    await expect.poll(() => page.locator("#call-blocked[role=status]").textContent()).toBe("");
    await box(page, showNotification).click();
    await expect.poll(() => text("#call-blocked"), soon).toBe(blocked);
    await expect.poll(() => box(page, showNotification).isChecked()).toBe(false);
    await page.reload();
    await page.getByText(english.waiting.call.summary).click();
    await expect.poll(() => box(page, showNotification).isChecked()).toBe(false);
    expect(noted).toEqual(["permission"]);
  });

  long("that only a service worker may show, as on Android, is not asked for", async () => {
    const page = await arriveNoted(`
      const { requestPermission } = Notification;
      Notification = function () { throw new TypeError("Illegal constructor"); };
      Notification.requestPermission = requestPermission;`);
    await box(page, showNotification).click();
    await expect.poll(() => text("#call-blocked"), soon).toBe(blocked);
    await expect.poll(() => box(page, showNotification).isChecked()).toBe(false);
    expect(noted).toEqual([]);
  });
});

test("the screen stays on while the box is ticked and somebody looks", async () => {
  const page = await arriveNoted();
  const locks = () => page.evaluate("countLocks()");
  await box(page, keepScreenOn).check();
  await expect.poll(locks, soon).toBe(1);
  await setVisibility("hidden");
  await expect.poll(locks, soon).toBe(0);
  await setVisibility("visible");
  await expect.poll(locks, soon).toBe(1);
  await page.reload();
  await expect.poll(locks, soon).toBe(1);
  await box(page, keepScreenOn).uncheck();
  await expect.poll(locks, soon).toBe(0);
  // Nor has it to stay on when it is their turn.
  await box(page, keepScreenOn).check();
  await expect.poll(locks, soon).toBe(1);
  // The page stays, though it asks for the way in.
  await page.route("**/authorize*", (route) => route.abort("aborted"));
  gallery.room.serving = 5_000;
  await page.locator('main[data-state="turn"]').waitFor();
  await expect.poll(locks, soon).toBe(0);
});

describeLong("a screen whose browser takes its time to answer", () => {
  const slowly = `
    window.asked = [];
    WakeLock.prototype.request = () => new Promise((resolve, reject) => {
      const lock = { isHeld: false, release: async () => { lock.isHeld = false; } };
      asked.push({ lock, reject, grant: () => { lock.isHeld = true; resolve(lock); } });
    });`;
  const held = "asked.filter(({ lock }) => lock.isHeld).length";

  long("is let go where the box is not ticked any more", async () => {
    const page = await arriveNoted(slowly);
    await box(page, keepScreenOn).check();
    await box(page, keepScreenOn).uncheck();
    await page.evaluate("asked[0].grant()");
    expect(await page.evaluate(held)).toBe(0);
  });

  long("is kept on once, however often it was asked", async () => {
    const page = await arriveNoted(slowly);
    await box(page, keepScreenOn).check();
    await setVisibility("visible");
    await page.evaluate("asked.forEach(({ grant }) => grant())");
    expect(await page.evaluate(held)).toBe(1);
    await box(page, keepScreenOn).uncheck();
    expect(await page.evaluate(held)).toBe(0);
  });

  long("is asked for again by whoever looked away meanwhile", async () => {
    const page = await arriveNoted(slowly);
    await box(page, keepScreenOn).check();
    await setVisibility("hidden");
    await page.evaluate("asked[0].reject()");
    await expect.poll(() => box(page, keepScreenOn).isChecked()).toBe(true);
    await setVisibility("visible");
    await page.evaluate("asked[1].grant()");
    expect(await page.evaluate(held)).toBe(1);
  });
});

long("a screen that the browser does not keep on is not said to be", async () => {
  const page = await arriveNoted("", { permissions: [] });
  await box(page, keepScreenOn).click();
  await expect.poll(() => noted, soon).toEqual(["screen"]);
  await expect.poll(() => box(page, keepScreenOn).isChecked(), soon).toBe(false);
});
