// Long: waits for the demonstration's crowd to move, in real time.
/** The demonstration as a newcomer sees it: within a minute of its start the console shows a living line, which is slowed, paused and let in. */
import { fileURLToPath } from "node:url";
import { afterAll, beforeAll, expect, test } from "vitest";
import { type BorrowedChromium, borrowChromium } from "../../support/chromium.ts";
import { freePorts } from "../../support/ports.ts";
import { type Running, startProcess } from "../../support/processes.ts";
import { makeTempDir, type TempDir } from "../../support/temp-dir.ts";
import { openConsole, openTool } from "./operator.ts";

const main = fileURLToPath(new URL("../../../dist/main.js", import.meta.url));
let chromium: BorrowedChromium;
let folder: TempDir;
let demo: Running;
beforeAll(async () => {
  chromium = await borrowChromium();
  folder = await makeTempDir("demo");
});
afterAll(async () => {
  await demo?.stop();
  await folder.remove();
  await chromium.refund();
});

interface Figures {
  readonly phase: string;
  readonly waiting: number;
  readonly outflow_per_minute: number;
  readonly counts: { readonly entered: number };
}

test("the line lives within a minute; half the rate lets in half as many, a pause nobody, and a link past the line its guest", async () => {
  const [port = 0, sitePort = 0] = await freePorts(2);
  demo = startProcess({
    name: "demo",
    command: process.execPath,
    args: [main, "demo"],
    cwd: folder.path,
    env: { PATH: process.env.PATH, HOME: folder.path, PORT: String(port), USHER_DEMO_PORT: String(sitePort) },
  });
  const startedMs = performance.now();
  await demo.waitForOutput(/The demonstration is running/);
  const guide = demo.stdout();
  const key = /admin key (\S+)/.exec(guide)?.[1] ?? "";
  const address = new URL(/in the console: +(\S+)/.exec(guide)?.[1] ?? "");

  const { page, faults } = await openConsole(chromium.browser, address.origin, { key, path: address.pathname });
  const told = async () => (await page.request.get(`${address.origin}/admin/rooms/demo`)).json() as Promise<Figures>;
  const entered = async () => (await told()).counts.entered;
  const waiting = page.locator(".figure-waiting strong");
  await expect.poll(async () => Number(await waiting.textContent()), { timeout: 60_000 }).toBeGreaterThan(50);
  const entering = page.locator(".figure-entering dd");
  await expect
    .poll(async () => Number.parseFloat((await entering.textContent()) ?? ""), { timeout: 60_000 })
    .toBeGreaterThan(0);
  expect(performance.now() - startedMs).toBeLessThan(60_000);
  // It takes two minutes to see how many people come, and as long again where none could for want of a core.
  const forecast = { timeout: 150_000 };
  await page.locator(".figure-ends", { hasText: /Line ends(after )?\d/ }).waitFor(forecast);

  /** Who entered in so many seconds. */
  const enteredIn = async (sec: number) => {
    const before = await entered();
    await page.waitForTimeout(sec * 1_000);
    return (await entered()) - before;
  };
  const usual = await enteredIn(20);
  expect(usual).toBeGreaterThanOrEqual(16);

  // What the newcomer opened beside it.
  const visitor = await (await chromium.browser.newContext()).newPage();
  await visitor.goto(`http://localhost:${sitePort}`);
  await visitor.locator("[data-position]").first().waitFor();

  await page.getByLabel("Admissions a minute", { exact: true }).fill("30");
  await page.getByText(/^The line would end: .*\. Now: /).waitFor(forecast);
  await page.getByRole("button", { name: "Apply" }).click();
  await page.getByText("30 may enter a minute.").waitFor();
  // Of the last minute more have entered than the new limit: until they are a minute ago, nobody does.
  await page.waitForTimeout(40_000);
  const slowed = await enteredIn(30);
  expect(slowed).toBeGreaterThanOrEqual(11);
  expect(slowed).toBeLessThanOrEqual(19);

  await openTool(page, "Message");
  await page.getByLabel("Message on the pages of the room").fill("Back in a minute.");
  await page.getByRole("button", { name: "Show, and pause the line" }).click();
  await page.locator(".phase-paused").waitFor();
  await visitor.getByText("Back in a minute.").waitFor();
  // Those who were on their way are in.
  await page.waitForTimeout(2_000);
  expect(await enteredIn(10)).toBe(0);
  await page.getByRole("button", { name: "Let the line go on" }).click();

  await openTool(page, "Let one person past");
  await page.getByRole("button", { name: "Make a link", exact: true }).click();
  const url = await page.getByLabel("The link", { exact: true }).inputValue();
  const guest = await (await chromium.browser.newContext()).newPage();
  await guest.goto(url);
  await guest.getByRole("button").first().click();
  await guest.getByText("You are in").waitFor();
  expect(faults).toEqual([]);
});
