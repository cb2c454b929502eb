// Long: two processes on Redis, one of which is killed; every-screen.test.ts has the screen as such.
/** The console's health in a real browser: what is wrong first, in words and colours, for each role, and old where nothing comes. */
import { afterEach, beforeAll, describe, expect, onTestFinished, test } from "vitest";
import { redisStore } from "../../e2e/redis-store.ts";
import { useWorld } from "../../e2e/world.ts";
import { type BorrowedChromium, borrowChromium, expectNoAxeViolations } from "../../support/chromium.ts";
import { adminKeys, expectReadable, openConsole, viewerKey } from "./operator.ts";

const world = useWorld(() => ({
  asProcess: true,
  store: redisStore,
  gateways: 2,
  rooms: [{ id: "shop", settings: { title: "Shop" } }],
  config: { admin: { keys: adminKeys } },
}));

let chromium: BorrowedChromium;
beforeAll(async () => {
  chromium = await borrowChromium();
});
afterEach(() => chromium.refund());

describe("the health", () => {
  test("shows both processes, store, logs and keys; one that is killed is in the header and first on the screen", async () => {
    const { page, faults } = await openConsole(chromium.browser, world().issuer, { path: "/console/health" });
    await page.getByRole("heading", { name: "Health" }).waitFor();
    const processes = page.getByRole("table", { name: "Processes" });
    await expect.poll(() => processes.getByText("ready", { exact: true }).count(), { timeout: 30_000 }).toBe(2);
    await expect.poll(() => processes.getByText("answers this page").count()).toBe(1);
    await page.getByText(/^sealed \d+ s ago$|^empty$/).waitFor();
    await expect
      .poll(() => page.getByRole("table", { name: "Keys" }).getByText("signs", { exact: true }).count())
      .toBeGreaterThan(2);
    await expect.poll(() => page.locator(".detail").textContent()).toContain("noeviction");

    const [, other] = world().gateways;
    await other?.kill();
    onTestFinished(async () => other?.start());
    await page.getByText("A process is gone").waitFor({ timeout: 30_000 });
    await processes.getByText("gone", { exact: true }).waitFor();
    await page.getByRole("link", { name: /^Health: \d+ things? needs? a look$/ }).waitFor({ timeout: 15_000 });
    await expectNoAxeViolations(page);
    expect(faults).toEqual([]);
  });

  test("opens from the header, for a viewer, without hosts", async () => {
    const { page } = await openConsole(chromium.browser, world().issuer, { key: viewerKey });
    await page.getByRole("navigation").getByRole("link", { name: "Health" }).click();
    await page.getByRole("table", { name: "Processes" }).waitFor();
    expect(await page.title()).toBe("Health · Console · Usher");
    await expect.poll(() => page.locator("main").textContent()).not.toContain("127.0.0.1");
  });

  test("can be read", async () => {
    const { page } = await openConsole(chromium.browser, world().issuer, { path: "/console/health" });
    await page.getByRole("heading", { name: "Keys" }).waitFor();
    await expectReadable(page, "health");
  });

  test("says that it is old where the gateway answers no more", async () => {
    const { page } = await openConsole(chromium.browser, world().issuer, { path: "/console/health" });
    await page.getByRole("heading", { name: "Keys" }).waitFor();
    world().gateways[0]?.process().signal("SIGSTOP");
    onTestFinished(() => world().gateways[0]?.process().signal("SIGCONT"));
    await page.getByText(/^Old: /).waitFor({ timeout: 45_000 });
    await expectNoAxeViolations(page);
  });

  test("is told in German to those who read it", async () => {
    const { page } = await openConsole(chromium.browser, world().issuer, { locale: "de-AT", path: "/console/health" });
    await page.getByRole("heading", { name: "Zustand" }).waitFor();
    await page.getByRole("heading", { name: "Speicherdienst" }).waitFor();
  });
});
