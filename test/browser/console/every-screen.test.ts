/** Every screen of the console, by its own list: who sees it, that it can be read by everybody on every device, and that its policy refuses nothing of its own. */
import { createHash } from "node:crypto";
import type { Page } from "playwright-core";
import { afterAll, beforeAll, describe, expect } from "vitest";
import { memoryStore, useWorld } from "../../e2e/world.ts";
import { type BorrowedChromium, borrowChromium } from "../../support/chromium.ts";
import { consoleScreens } from "../../support/console-screens.ts";
import { ADMIN_KEY } from "../../support/gateway.ts";
import { long, test } from "../../support/sizes.ts";
import {
  adminKeys,
  deskKey,
  enterConsole,
  expectNoSidewaysScroll,
  expectReadable,
  type Operator,
  openConsole,
  twoLooks,
  viewerKey,
} from "./operator.ts";

const screens = await consoleScreens("shop");

const operatorKey = "key-of-an-operator-0123456789abcdef01";
const ownKey = "key-of-an-admin-of-one-room-0123456789";
const sha256 = (key: string) => createHash("sha256").update(key).digest("hex");
const keys = [
  ...adminKeys,
  { id: "operator", key_sha256: sha256(operatorKey), role: "operator" },
  { id: "own", key_sha256: sha256(ownKey), role: "admin", rooms: ["shop"] },
];
const inlet = { type: "periodic", outflow_per_minute: 1 };
const world = useWorld(() => ({
  store: memoryStore,
  rooms: [{ id: "shop", inlet, settings: { title: "Shop" } }],
  config: { admin: { keys } },
}));

let chromium: BorrowedChromium;
beforeAll(async () => {
  chromium = await borrowChromium();
  for (let n = 0; n < 5; n++) {
    await world().http.request(`${world().issuer}/rooms/shop/tickets`, { method: "POST" });
  }
});
afterAll(() => chromium.refund());

const open = (options: Parameters<typeof openConsole>[2]) => openConsole(chromium.browser, world().issuer, options);

/** Its heading is there, and nothing is loaded any more. */
async function isShown({ page }: Operator): Promise<void> {
  await page.getByRole("heading", { level: 1 }).first().waitFor();
  await page.locator(".badge-live").waitFor();
  await page.getByText("Asking Usher …").first().waitFor({ state: "detached" });
  await expect.poll(() => page.getByText("There is no such screen").count()).toBe(0);
}

/** Goes to another screen as a link does, until it is drawn. */
function follow(page: Page, path: string): Promise<unknown> {
  return page.evaluate(`
    history.pushState(null, "", ${JSON.stringify(path)});
    dispatchEvent(new PopStateEvent("popstate"));
    new Promise(requestAnimationFrame)`);
}

/** Every control of the room that changes something or tells of a single visitor, in its sheet or at hand, and who has it. */
const controls = {
  "Pause the line": ["operator", "admin"],
  Apply: ["operator", "admin"],
  Call: ["operator", "admin"],
  Show: ["box_office", "operator", "admin"],
  Set: ["box_office", "operator", "admin"],
  "Make a link": ["box_office", "operator", "admin"],
  Find: ["box_office", "operator", "admin"],
  "Open the doors": ["operator", "admin"],
  "Back before the line": ["operator", "admin"],
  "Let everybody pass": ["operator", "admin"],
  "End the room": ["operator", "admin"],
  "Reset: void all places": ["operator", "admin"],
};
const ranks: readonly string[] = ["viewer", "box_office", "operator", "admin"];
const people = [
  { role: "viewer", key: viewerKey, isOfAll: true },
  { role: "box_office", key: deskKey, isOfAll: true },
  { role: "operator", key: operatorKey, isOfAll: true },
  { role: "admin", key: ADMIN_KEY, isOfAll: true },
  { role: "admin", key: ownKey, isOfAll: false },
] as const;

type Person = (typeof people)[number];
const isQuick = ({ role }: Person) => role === "box_office";

const whatIsTheirs =
  "a person with the role $role, for all rooms: $isOfAll, has the screens and controls of the role, and is told why at the address of another";
test.each(people.filter(isQuick))(whatIsTheirs, expectWhatIsTheirs);
long.each(people)(whatIsTheirs, expectWhatIsTheirs);

async function expectWhatIsTheirs({ role, key, isOfAll }: Person): Promise<void> {
  const operator = await open({ key });
  const { page } = operator;
  await isShown(operator);
  for (const screen of screens) {
    const isTheirs = ranks.indexOf(role) >= ranks.indexOf(screen.role) && (isOfAll || !screen.isForAllRooms);
    await follow(page, screen.path);
    await page.getByRole("heading", { level: 1 }).first().waitFor();
    const refused = page.getByText("This screen takes another role, or one that is for all rooms.");
    expect([screen.path, await refused.count()]).toEqual([screen.path, isTheirs ? 0 : 1]);
    const links = page.getByRole("navigation").locator(`a[href="${screen.path}"]`);
    // Where there is one screen to choose, there is no menu.
    if (!isTheirs) expect([screen.path, await links.count()]).toEqual([screen.path, 0]);
    if (screen.path === "/console/rooms/shop") await expectControls(page, role);
  }
  expect(operator.faults).toEqual([]);
}

/** In a room, those of the role and no other. */
async function expectControls(page: Page, role: Person["role"]): Promise<void> {
  await page.getByText("Waiting", { exact: true }).first().waitFor();
  for (const [name, roles] of Object.entries(controls)) {
    // Most are in sheets that nobody has opened.
    const count = await page.getByRole("button", { name, exact: true, includeHidden: true }).count();
    expect([name, count > 0]).toEqual([name, (roles as readonly string[]).includes(role)]);
  }
}

describe("every screen", () => {
  /** All are looked at in one window. */
  let operator: Operator;
  beforeAll(async () => {
    operator = await enterConsole(chromium.browser, world().issuer, { reducedMotion: "reduce" });
  });
  afterAll(() => operator.page.context().close());

  test("can be read on a phone, by day and by night", async () => {
    const { page, faults } = operator;
    for (const { path } of screens) {
      await follow(page, path);
      await isShown(operator);
      await expectReadable(page, path.replaceAll("/", "-").slice(1), twoLooks);
    }
    expect(faults).toEqual([]);
    await expectNoScripts(page, faults);
  });

  const isWholeAndSafe =
    "$path fits at 320 px, as at 400 %, and from right to left, moves nothing where that is not wanted, can be read, and runs nothing that was planted in it";
  long.each(screens)(isWholeAndSafe, async ({ path }) => {
    const { page, faults } = operator;
    const earlierFaults = faults.length;
    await page.setViewportSize({ width: 320, height: 256 });
    await page.goto(`${world().issuer}${path}`);
    await isShown(operator);
    await expectNoSidewaysScroll(page);
    expect(
      await page.evaluate("document.getAnimations().filter(({ playState }) => playState === 'running').length"),
    ).toBe(0);
    await page.evaluate("document.documentElement.dir = 'rtl'");
    await expectNoSidewaysScroll(page);
    await page.setViewportSize({ width: 1_440, height: 900 });
    await expectNoSidewaysScroll(page);
    await page.evaluate("document.documentElement.dir = 'ltr'");
    await expectReadable(page, path.replaceAll("/", "-").slice(1));
    expect(faults.slice(earlierFaults)).toEqual([]);
    await expectNoScripts(page, faults);
  });
});

/** Whoever plants one in the page has nothing of it. */
async function expectNoScripts(page: Page, faults: readonly string[]): Promise<void> {
  const before = faults.length;
  await page.evaluate(`{
        const script = document.createElement("script");
        try { script.textContent = "document.title = 'owned'"; document.body.append(script); } catch {}
        try { document.body.insertAdjacentHTML("beforeend", "<img src=x onerror=\\"document.title='owned'\\">"); } catch {}
        const button = document.createElement("button");
        try { button.setAttribute("onclick", "document.title = 'owned'"); document.body.append(button); button.click(); } catch {}
        const link = document.createElement("a");
        try { link.href = "javascript:document.title='owned'"; document.body.append(link); link.click(); } catch {}
      }`);
  await expect.poll(() => faults.length - before).toBeGreaterThanOrEqual(2);
  expect(await page.title()).not.toContain("owned");
}
