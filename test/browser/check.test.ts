/** A check before a join, in a real browser: with scripts, without them, in circles, and on a slow phone. */
import type { BrowserContextOptions, Page } from "playwright-core";
import { afterAll, beforeAll, expect } from "vitest";
import { memoryStore, startWorld, type World } from "../e2e/world.ts";
import { type ChallengeProvider, challengeSecret, startChallengeProvider } from "../support/challenge-provider.ts";
import {
  type BorrowedChromium,
  borrowChromium,
  expectNoAxeViolations,
  launchWithoutCookies,
} from "../support/chromium.ts";
import { long, test } from "../support/sizes.ts";

let world: World;
let provider: ChallengeProvider;
let chromium: BorrowedChromium;
beforeAll(async () => {
  provider = await startChallengeProvider();
  const check = { type: "proof_of_work" };
  const challenge = (id: string, whenAway: string) => {
    return { id, settings: { check: { type: "challenge", challenge: "own", when_away: whenAway } } };
  };
  const challenges = [
    {
      id: "own",
      provider: "custom",
      site_key: "key",
      secret: challengeSecret,
      name: "The double",
      timeout: "1s",
      verify_url: `${provider.url}/siteverify`,
      script_url: `${provider.url}/widget.js`,
    },
  ];
  const rooms = [
    challenge("held", "hold"),
    challenge("works", "proof_of_work"),
    { id: "asked", settings: { check } },
    { id: "waits", settings: { check: { ...check, without_scripts: "wait", wait: "5s" } } },
  ];
  [world, chromium] = await Promise.all([
    startWorld({
      store: memoryStore,
      rooms,
      config: { challenges, listen: { trusted_proxies: ["127.0.0.1", "::1"] } },
    }),
    borrowChromium(),
  ]);
});
afterAll(() => Promise.all([world?.stop(), chromium?.refund(), provider?.close()]));

const pageFor = async (options: BrowserContextOptions = {}) => (await chromium.browser.newContext(options)).newPage();
const loginAt = (room: string) => String(world.relyingParty(room).startLogin().url);

const positionOn = (page: Page) => page.locator("main[data-position]").getAttribute("data-position");

test("the browser does it by itself, and the visitor waits where the login began, by the same request", async () => {
  const page = await pageFor();
  const policies: string[] = [];
  page.on("response", (response) => {
    const policy = response.headers()["content-security-policy"];
    if (response.status() === 403 && policy !== undefined) policies.push(policy);
  });
  const said: string[] = [];
  page.on("console", (message) => said.push(message.text()));
  const login = loginAt("asked");
  await page.goto(login, { waitUntil: "commit" });
  expect(await positionOn(page)).toBe("1");
  expect(page.url()).toBe(login);
  expect(policies).toHaveLength(1);
  expect(policies[0]).toMatch(/script-src 'sha256-[^']+'; connect-src 'self'; worker-src 'self'/);
  expect(said.filter((text) => /Content.Security|Refused/i.test(text))).toEqual([]);
  const names = async () => (await page.context().cookies()).map(({ name }) => name.replace(/\.place\..*/, ".place"));
  await expect.poll(async () => (await names()).sort()).toEqual(["usher-asked", "usher-asked.place"]);
  // Who has a place is not asked.
  await page.reload();
  expect(await positionOn(page)).toBe("1");
});

long(
  "while it is done the page says so, offers nothing to press, and is fit for screen readers and small phones",
  async () => {
    const page = await pageFor({ viewport: { width: 320, height: 640 } });
    let letGo = () => {};
    const held = new Promise<void>((resolve) => {
      letGo = resolve;
    });
    await page.route("**/rooms/asked/check", async (route) => {
      await held;
      await route.continue();
    });
    await page.goto(loginAt("asked"));
    await expect.poll(() => page.locator("#check").textContent()).toContain("a few seconds");
    await expect.poll(() => page.locator(".actions").isHidden()).toBe(true);
    await expectNoAxeViolations(page);
    expect(await page.evaluate("document.documentElement.scrollWidth")).toBe(320);
    letGo();
    expect(Number(await positionOn(page))).toBeGreaterThan(0);
  },
);

long("a proof that does not count is done again; a browser that gets nowhere stops, and says so", async () => {
  const page = await pageFor();
  let posts = 0;
  await page.route("**/rooms/asked/check", (route) => {
    posts++;
    return route.continue({ postData: "proof=bm9uZQ" });
  });
  await page.goto(loginAt("asked"));
  await expect.poll(() => page.locator("#check").textContent()).toContain("could not be finished");
  expect(posts).toBe(4);
  await expect.poll(() => page.locator(".actions a").isVisible()).toBe(true);
});

long("a visitor whose address changes with each request does it once", async () => {
  const page = await pageFor();
  const seen: string[] = [];
  await page.route("**", (route, request) => {
    const place = seen.length % 2 === 0 ? `2001:db8:${seen.length}::1` : `198.18.${seen.length}.1`;
    if (/\/(authorize|check)\b/.test(request.url())) seen.push(`${request.method()} ${place}`);
    return route.continue({ headers: { ...request.headers(), "x-forwarded-for": place } });
  });
  await page.goto(loginAt("asked"), { waitUntil: "commit" });
  expect(Number(await positionOn(page))).toBeGreaterThan(0);
  expect(seen).toEqual(["GET 2001:db8:0::1", "POST 198.18.1.1", "GET 2001:db8:2::1"]);
});

long("a browser whose workers cannot be loaded does it in the page", async () => {
  const page = await pageFor();
  await page.route("**/assets/solve-*", (route) => route.abort());
  await page.goto(loginAt("asked"), { waitUntil: "commit" });
  expect(Number(await positionOn(page))).toBeGreaterThan(0);
});

long("a browser that keeps no cookies is told so, and not sent in circles", async () => {
  const { context, close } = await launchWithoutCookies(world.issuer);
  const page = await context.newPage();
  await page.goto(loginAt("asked"), { waitUntil: "commit" });
  await page.locator('main[data-notice="cookies_blocked"]').waitFor();
  await close();
});

long(
  "without scripts the page says that there is no way, or waits, by the room's setting, and then has a place",
  async () => {
    const page = await pageFor({ javaScriptEnabled: false });
    await page.goto(loginAt("asked"));
    await expect.poll(() => page.locator("noscript").textContent()).toContain("Allow scripts for this site");
    await expect.poll(() => page.locator(".actions a").isVisible()).toBe(true);
    await page.goto(loginAt("waits"));
    await expect.poll(() => page.locator("noscript").textContent()).toContain("Time to wait: 5 seconds.");
    expect(await positionOn(page)).toBe("1");
  },
);

long("a provider's widget is shown, its answer is verified, and the visitor has a place", async () => {
  const page = await pageFor({ viewport: { width: 320, height: 640 } });
  const said: string[] = [];
  page.on("console", (message) => said.push(message.text()));
  const login = loginAt("held");
  await page.goto(login);
  await expect.poll(() => page.locator(".card").textContent()).toContain("It comes from The double, which");
  const button = page.getByRole("button", { name: "I am a person" });
  await button.waitFor();
  await expectNoAxeViolations(page);
  await button.click();
  expect(await positionOn(page)).toBe("1");
  expect(page.url()).toBe(login);
  expect(said.filter((text) => /Content.Security|Refused/i.test(text))).toEqual([]);
  expect(provider.asked).toHaveLength(1);
});

long("while the provider is away the page says so and tries again, or a proof of work takes its place", async () => {
  provider.behave((response) => void response.writeHead(500).end());
  const page = await pageFor();
  await page.clock.install();
  await page.goto(loginAt("held"));
  await page.getByRole("button", { name: "I am a person" }).click();
  await expect.poll(() => page.locator("#check").textContent()).toContain("is not answering at the moment");
  provider.behave("usual");
  const again = page.waitForNavigation();
  await page.clock.fastForward(30_000);
  await again;
  await page.getByRole("button", { name: "I am a person" }).click();
  expect(Number(await positionOn(page))).toBeGreaterThan(0);

  // It answers nobody, which several visitors have found out.
  provider.behave(() => {});
  const asAnother = (last: number) =>
    world.http.request(`${world.issuer}/rooms/works/tickets`, {
      method: "POST",
      body: { challenge_response: "right-any" },
      headers: { "x-forwarded-for": `203.0.113.${last}` },
    });
  await Promise.all([21, 22, 23].map(asAnother));
  const another = await pageFor();
  await another.goto(loginAt("works"));
  expect(await positionOn(another)).toBe("1");

  // Its script cannot be had.
  const other = await pageFor();
  await other.route("**/widget.js", (route) => route.abort());
  await other.goto(loginAt("held"));
  await expect.poll(() => other.locator("#check").textContent()).toContain("is not answering at the moment");
});
