/** The console's rooms in a real browser: live, old and said so, in words and colours that can be read, and proof against hostile texts. */
import { afterEach, beforeAll, describe, expect, onTestFinished } from "vitest";
import { memoryStore, useWorld } from "../../e2e/world.ts";
import { type BorrowedChromium, borrowChromium } from "../../support/chromium.ts";
import { startGateway } from "../../support/gateway.ts";
import { freePort } from "../../support/ports.ts";
import { startRedis } from "../../support/redis-server.ts";
import { describeLong, long, test } from "../../support/sizes.ts";
import { adminKeys, expectReadable, openConsole, viewerKey } from "./operator.ts";

const hostile = `<img src=x onerror="document.title='owned'"><script>document.title='owned'</script>`;
const world = useWorld(() => ({
  store: memoryStore,
  rooms: [
    { id: "shop", settings: { title: "Shop" }, inlet: { type: "periodic", outflow_per_minute: 60 } },
    { id: "hostile", settings: { title: hostile, schedule: { opens_at: "2020-01-01T00:00:00Z" } } },
    { id: "later", settings: { title: "Later", schedule: { opens_at: "2099-01-01T00:00:00Z" } } },
  ],
  config: { admin: { keys: adminKeys } },
}));

let chromium: BorrowedChromium;
beforeAll(async () => {
  chromium = await borrowChromium();
});
afterEach(() => chromium.refund());
const join = (room: string) => world().http.request(`${world().issuer}/rooms/${room}/tickets`, { method: "POST" });

describe("the rooms", () => {
  test("are live: what happens is on the screen within seconds, what needs a person first", async () => {
    const { page, card, badge, faults } = await openConsole(chromium.browser, world().issuer);
    await card("Shop").waitFor();
    await expect.poll(() => card("Shop").textContent()).toContain("Open");
    for (let n = 0; n < 3; n++) await join("later");
    await world().admin.step("shop", "pause");
    await card("Shop").getByText("An operator has paused the line.").waitFor();
    await card("Shop").getByText("Look").waitFor();
    await expect.poll(() => page.getByRole("article").first().textContent()).toContain("Shop");
    await expect.poll(() => card("Later").textContent()).toMatch(/Before the line.*opens .*2099|opens/s);
    await expect.poll(badge).toMatch(/^Live, \d s old$/);
    await world().admin.step("shop", "resume");
    await card("Shop").getByText("An operator has paused the line.").waitFor({ state: "detached" });
    expect(faults).toEqual([]);
  });

  long("show a hostile title as the text that it is", async () => {
    const { page, card } = await openConsole(chromium.browser, world().issuer);
    await card(hostile).waitFor();
    expect(await page.title()).toBe("Rooms · Console · Usher");
    await expect.poll(() => page.locator("img, main script").count()).toBe(0);
  });

  long("are told in German to those who read it", async () => {
    const { page } = await openConsole(chromium.browser, world().issuer, { locale: "de-AT" });
    await page.getByRole("heading", { name: "Räume" }).waitFor();
    await expect.poll(() => page.locator("html").getAttribute("lang")).toBe("de");
    await page.getByText("Abmelden").waitFor();
  });

  long("are gone from the screen when the session ends, and come back with another", async () => {
    const { page, card } = await openConsole(chromium.browser, world().issuer, { key: viewerKey });
    await card("Shop").waitFor();
    const { sessions } = (await world().admin.request("GET", "/sessions")).json() as {
      sessions: { id: string; principal: { id: string } }[];
    };
    for (const { id, principal } of sessions) {
      if (principal.id === "viewer") await world().admin.request("DELETE", `/sessions/${id}`);
    }
    await page.getByRole("heading", { name: "You are signed out" }).waitFor({ timeout: 15_000 });
    await expect.poll(() => page.getByRole("article").count()).toBe(0);
    await page.getByRole("link", { name: "Sign in again" }).click();
    await page.getByLabel("Admin key").fill(viewerKey);
    await page.keyboard.press("Enter");
    await card("Shop").waitFor();
    expect(page.url()).toBe(`${world().issuer}/console`);
    await page.getByRole("button", { name: "Sign out" }).click();
    await page.getByRole("heading", { name: "You are signed out" }).waitFor();
    expect((await page.context().cookies()).filter(({ name }) => name === "usher-session")).toEqual([]);
  });

  long("are in no frame of another page", async () => {
    const { page } = await openConsole(chromium.browser, world().issuer);
    const refused: string[] = [];
    page.on("console", (message) => refused.push(message.text()));
    await page.goto(`${world().issuer}/`);
    await page.evaluate(
      `document.body.append(Object.assign(document.createElement("iframe"), { src: ${JSON.stringify(`${world().issuer}/console`)} }))`,
    );
    await expect.poll(() => refused.join("\n")).toMatch(/frame-ancestors|frame-src|default-src|X-Frame-Options/);
    expect(page.frames().some((frame) => frame.url().endsWith("/console"))).toBe(false);
  });
});

describeLong("a gateway that stands still", () => {
  const stopped = useWorld(() => ({
    asProcess: true,
    store: memoryStore,
    rooms: [
      { id: "shop", settings: { title: "Shop" } },
      { id: "later", settings: { title: "Later" } },
    ],
  }));

  long("leaves rooms that can be read, live and old", async () => {
    const { page, card } = await openConsole(chromium.browser, stopped().issuer);
    await stopped().admin.step("later", "pause");
    await card("Shop").waitFor();
    await page.locator(".badge-live").waitFor();
    await expectReadable(page, "rooms");
    // Nothing comes any more and nothing breaks, as where a network is cut.
    stopped().gateways[0]?.process().signal("SIGSTOP");
    onTestFinished(() => stopped().gateways[0]?.process().signal("SIGCONT"));
    await page.locator(".badge-cut").waitFor({ timeout: 15_000 });
    await expectReadable(page, "rooms-old");
    stopped().gateways[0]?.process().signal("SIGCONT");
    await page.locator(".badge-live").waitFor({ timeout: 15_000 });
  });
});

describeLong("when something is gone, the console says so, shows the figures as old, and recovers", () => {
  long("the network and the gateway", async () => {
    const gateway = await startGateway({
      asProcess: true,
      config: { rooms: [{ id: "shop", title: "Shop" }] },
      port: await freePort(),
    });
    onTestFinished(() => gateway.stop());
    const { page, card } = await openConsole(chromium.browser, gateway.origin);
    await page.locator(".badge-live").waitFor();

    await page.context().setOffline(true);
    // An open stream outlives what the browser is told of the network.
    await gateway.kill();
    await page
      .getByText(/^No news from Usher: figures are \d+ s old/)
      .first()
      .waitFor({ timeout: 15_000 });
    await expect.poll(() => card("Shop").getAttribute("class")).toContain("stale");
    await card("Shop")
      .getByText(/These figures are \d+ s old/)
      .waitFor();
    await page
      .getByRole("status")
      .filter({ hasText: /^No news from Usher$/ })
      .waitFor({ state: "attached" });

    await page.context().setOffline(false);
    await gateway.start();
    await gateway.waitUntilReady();
    await page.locator(".badge-live").waitFor({ timeout: 30_000 });
    await expect.poll(() => card("Shop").getAttribute("class")).not.toContain("stale");
  });

  long("the store, for ten seconds", async () => {
    const redis = await startRedis();
    const gateway = await startGateway({
      asProcess: true,
      config: { store: { type: "redis", url: redis.url }, rooms: [{ id: "shop", title: "Shop" }] },
    });
    onTestFinished(async () => {
      await gateway.stop();
      await redis.stop();
    });
    const { page, card } = await openConsole(chromium.browser, gateway.origin);
    await page.locator(".badge-live").waitFor();
    await redis.kill();
    await card("Shop").getByText("The store is away", { exact: false }).waitFor({ timeout: 15_000 });
    await page.locator(".badge-store").waitFor({ timeout: 15_000 });
    await expect.poll(() => card("Shop").textContent()).toMatch(/figures are \d+ s old/);
    await redis.restart();
    await page.locator(".badge-live").waitFor({ timeout: 30_000 });
  });
});
