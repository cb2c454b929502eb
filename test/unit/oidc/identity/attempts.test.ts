/** The cookies of sign-ins that were begun: encrypted, of one browser and one room, for one sign-in and ten minutes. */
import type { Context } from "koa";
import { expect, test } from "vitest";
import { attemptMs, createAttempts } from "../../../../src/oidc/identity/attempts.ts";
import { createCookieBound, createVisitorCookies } from "../../../../src/oidc/index.ts";
import { createIssuerKeys } from "../../../../src/registry/index.ts";

const keysOf = (...bytes: number[]) =>
  createIssuerKeys({
    signing: [],
    cookies: [],
    draw: [],
    tickets: bytes.map((byte) => ({ kid: `k${byte}`, secret: Buffer.alloc(32, byte) })),
  });

/** A browser that keeps what it is sent. */
function openBrowser(issuer = "https://queue.example.com", keys = keysOf(1)) {
  const jar = new Map<string, string>();
  let nowMs = 1_000_000;
  const cookies = createVisitorCookies(true);
  const nothing = { get: () => undefined, read: () => undefined };
  const cookieBound = createCookieBound(cookies, nothing, nothing);
  const attempts = createAttempts({ issuer, keys, cookies, cookieBound, clock: { now: () => nowMs } });
  async function visit<T>(work: (ctx: Context) => Promise<T>): Promise<T> {
    let sent: string[] = [];
    const cookie = [...jar].map(([name, value]) => `${name}=${value}`).join("; ");
    const res = {
      getHeader: () => sent,
      setHeader(_: string, values: string[]) {
        sent = values;
      },
    };
    const answer = await work({ req: { headers: { cookie } }, res } as unknown as Context);
    for (const each of sent) {
      const [pair = ""] = each.split(";");
      const [name = "", value = ""] = pair.split("=");
      expect(each).toContain("; Path=/; HttpOnly; SameSite=Lax; Secure");
      expect(pair.length).toBeLessThan(4_096);
      jar.delete(name);
      if (value !== "") jar.set(name, value);
    }
    return answer;
  }
  return {
    jar,
    headerLength: () => [...jar].map((pair) => pair.join("=")).join("; ").length,
    pass(ms: number) {
      nowMs += ms;
    },
    keep: (state: string, returnTo = "/authorize?x", room = "shop") =>
      visit((ctx) => attempts.keep(ctx, room, { state, nonce: "nonce-of-it", verifier: "verifier-of-it" }, returnTo)),
    find: (state: string, room = "shop") => visit((ctx) => attempts.find(ctx, room, state)),
    forget: (state: string) => visit(async (ctx) => attempts.forget(ctx, { room: "shop", state })),
  };
}

const stateOf = (letter: string) => letter.repeat(43);

test("each is found by its own state in its own room, until it is finished", async () => {
  const browser = openBrowser();
  await browser.keep(stateOf("a"), "/authorize?tab=a");
  await browser.keep(stateOf("b"), "/authorize?tab=b");
  expect(await browser.find(stateOf("c"))).toBeNull();
  expect(await browser.find(`${stateOf("a").slice(0, 42)}x`)).toBeNull();
  expect(await browser.find(stateOf("a"), "other")).toBeNull();
  expect(await browser.find("")).toBeNull();
  expect(await browser.find(stateOf("b"))).toMatchObject({ returnTo: "/authorize?tab=b", nonce: "nonce-of-it" });
  await browser.forget(stateOf("b"));
  expect(await browser.find(stateOf("b"))).toBeNull();
  expect(await browser.find(stateOf("a"))).toMatchObject({ returnTo: "/authorize?tab=a", verifier: "verifier-of-it" });
  await browser.forget(stateOf("a"));
  expect(browser.jar.size).toBe(0);
});

test("none is readable, nor good at another issuer, under another key, in another room's name, or too late", async () => {
  const browser = openBrowser();
  await browser.keep(stateOf("a"), "/authorize?secret=of-the-site");
  const [[name = "", value = ""] = []] = browser.jar;
  expect(Buffer.from(value, "base64url").toString("latin1")).not.toContain("of-the-site");
  expect(value).not.toContain(Buffer.from("of-the-site").toString("base64url"));
  for (const other of [openBrowser("https://other.example.com"), openBrowser(undefined, keysOf(2))]) {
    other.jar.set(name, value);
    expect(await other.find(stateOf("a"))).toBeNull();
  }
  const rotated = openBrowser(undefined, keysOf(2, 1));
  rotated.jar.set(name, value);
  expect(await rotated.find(stateOf("a"))).not.toBeNull();
  const altered = openBrowser();
  altered.jar.set(name, `${value.slice(0, -9)}${value.at(-9) === "A" ? "B" : "A"}${value.slice(-8)}`);
  expect(await altered.find(stateOf("a"))).toBeNull();
  browser.jar.set(name.replace("shop", "other"), value);
  expect(await browser.find(stateOf("a"), "other")).toBeNull();
  browser.pass(attemptMs);
  expect(await browser.find(stateOf("a"))).toBeNull();
});

test("so many fit into a request as may, the newest; one alone that does not fit is refused", async () => {
  const browser = openBrowser();
  const states = [..."abcdefghij"].map(stateOf);
  for (const state of states) await browser.keep(state, `/authorize?${"x".repeat(700)}`);
  const kept = [...browser.jar.values()];
  expect(browser.headerLength()).toBeLessThanOrEqual(4_096);
  expect(kept.length).toBeGreaterThanOrEqual(2);
  expect(await browser.find(stateOf("j"))).not.toBeNull();
  expect(await browser.find(stateOf("i"))).not.toBeNull();
  expect(await browser.find(stateOf("a"))).toBeNull();
  await expect(browser.keep(stateOf("k"), `/authorize?${"x".repeat(3_000)}`)).rejects.toMatchObject({
    code: "request_too_long",
  });
});

test("those of several rooms fit into one request together", async () => {
  const browser = openBrowser();
  for (const room of ["shop", "other", "third"]) {
    for (const letter of "abc") await browser.keep(stateOf(letter), `/authorize?${"x".repeat(1_500)}`, room);
  }
  expect(browser.headerLength()).toBeLessThanOrEqual(4_096);
  expect(await browser.find(stateOf("c"), "third")).not.toBeNull();
  expect(await browser.find(stateOf("a"))).toBeNull();
});
