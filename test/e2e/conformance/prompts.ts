/** `prompt`, `max_age` and the hints: who is logged in already, and since when. */
import { setTimeout as delay } from "node:timers/promises";
import { expect, test } from "vitest";
import type { World } from "../world.ts";
import { createParty, errorIn } from "./party.ts";

/** Errors that say that the visitor would have to see a page (OpenID Connect Core 3.1.2.6). */
const needsPage = /^(login|interaction|consent|account_selection)_required$/;

export function describePrompts(world: () => World): void {
  /** Logs the same visitor in twice. `auth_time` is in seconds, so what should be later has to be that much later. */
  async function twice(parameters: (idToken: string) => Record<string, string>, pauseMs = 0) {
    const party = createParty(world(), "op");
    const first = await party.logIn();
    await delay(pauseMs);
    const second = await party.logIn(parameters(first.tokens.id_token), first.visitor);
    expect(second.page.redirects).toEqual([]);
    return { first: first.tokens.claims, second: second.tokens.claims };
  }
  const expectSame = ({ first, second }: Awaited<ReturnType<typeof twice>>) => {
    expect(second).toMatchObject({ sub: first.sub, auth_time: first.auth_time });
    expect(second.auth_time).toEqual(expect.any(Number));
  };
  const expectLater = ({ first, second }: Awaited<ReturnType<typeof twice>>) => {
    expect(second.sub).toBe(first.sub);
    expect(Number(second.auth_time)).toBeGreaterThan(Number(first.auth_time));
    expect(Math.abs(Number(second.auth_time) - Date.now() / 1_000)).toBeLessThan(10);
  };

  test("oidcc-prompt-login: the visitor is logged in anew, and auth_time says so", async () => {
    expectLater(await twice(() => ({ prompt: "login" }), 1_100));
  });

  test("oidcc-max-age-1: two seconds later the visitor is logged in anew, and auth_time says so", async () => {
    expectLater(await twice(() => ({ max_age: "1" }), 2_000));
  });

  test("oidcc-max-age-10000: two seconds later the login is young enough, and auth_time stays", async () => {
    expectSame(await twice(() => ({ max_age: "10000" }), 2_000));
  });

  test("oidcc-prompt-none-logged-in: nothing is asked, and it is the same visitor and login", async () => {
    expectSame(await twice(() => ({ prompt: "none" }), 1_100));
  });

  test("oidcc-id-token-hint: with prompt=none the visitor that it names is let in, and the login stays", async () => {
    expectSame(await twice((idToken) => ({ prompt: "none", id_token_hint: idToken }), 1_100));
  });

  test("oidcc-prompt-none-not-logged-in: an error that needs a page, and a state of 128 characters as it was sent", async () => {
    const state = "0123456789abcdefABCDEF-._~/+=&%?".repeat(4);
    expect(state).toHaveLength(128);
    const party = createParty(world(), "closed");
    const login = party.start({ prompt: "none", state });
    const page = await party.ask(login);
    expect(page.location?.href.startsWith(`${party.site.options.redirectUri}?`)).toBe(true);
    expect(errorIn(page, login, world())).toMatch(needsPage);
  });
}
