import { expect, test } from "vitest";
import { queued } from "../line.ts";
import type { World } from "../world.ts";

export const requestsRooms = [{ id: "posted" }, { id: "silent" }, { id: "prompts" }];

export function describeRequests(world: () => World): void {
  test("POST /authorize answers 303 to the same request by GET and sets no cookie", async () => {
    const { http, issuer } = world();
    const site = world().relyingParty("posted");
    const { url } = site.startLogin();
    const answer = await http.request(`${issuer}/authorize`, { method: "POST", body: url.searchParams });
    expect(answer.status).toBe(303);
    expect(answer.setCookies).toEqual([]);
    const location = new URL(answer.header("location") ?? "", issuer);
    expect(location.origin + location.pathname).toBe(`${issuer}/authorize`);
    expect([...location.searchParams]).toEqual([...url.searchParams]);
    expect(await queued(world(), "posted")).toBe(0);
    expect((await world().visitor().navigate(location)).position).toBe(1);
  });

  test("prompt=none while waiting is interaction_required at the redirect URI and takes no place", async () => {
    const site = world().relyingParty("silent");
    const visitor = world().visitor();
    const state = "s".repeat(128);
    const silent = site.startLogin({ prompt: "none", state });
    const stranger = await visitor.navigate(silent.url, { stopAt: site.isCallback });
    expect(stranger.location?.href.startsWith(`${site.options.redirectUri}?`)).toBe(true);
    expect(stranger.location?.searchParams.get("error")).toMatch(/^(interaction|login)_required$/);
    expect(stranger.location?.searchParams.get("state")).toBe(state);
    expect(await queued(world(), "silent")).toBe(0);

    await visitor.navigate(site.startLogin().url);
    const waiting = await visitor.navigate(silent.url, { stopAt: site.isCallback });
    expect(waiting.location?.searchParams.get("error")).toBe("interaction_required");
    expect(await queued(world(), "silent")).toBe(1);

    await world().admin.increment("silent", 1);
    const { claims } = await site.login(visitor);
    const again = site.startLogin({ prompt: "none" });
    const tokens = await site.finishLogin(await visitor.navigate(again.url, { stopAt: site.isCallback }), again);
    expect(tokens.claims).toMatchObject({ sub: claims.sub, auth_time: claims.auth_time });
  });

  test("prompt=login and a max_age that has passed advance auth_time; a longer max_age does not", async () => {
    const site = world().relyingParty("prompts");
    const visitor = world().visitor();
    await world().admin.increment("prompts", 1);
    const { claims } = await site.login(visitor);
    const log = async (parameters: Record<string, string>) => {
      const login = site.startLogin(parameters);
      return (await site.finishLogin(await visitor.navigate(login.url, { stopAt: site.isCallback }), login)).claims;
    };
    await new Promise((resolve) => setTimeout(resolve, 2_100));
    expect((await log({ max_age: "10000" })).auth_time).toBe(claims.auth_time);
    const afterMaxAge = await log({ max_age: "1" });
    expect(Number(afterMaxAge.auth_time)).toBeGreaterThan(Number(claims.auth_time));
    await new Promise((resolve) => setTimeout(resolve, 1_100));
    const afterPrompt = await log({ prompt: "login" });
    expect(Number(afterPrompt.auth_time)).toBeGreaterThan(Number(afterMaxAge.auth_time));
    expect(afterPrompt.sub).toBe(claims.sub);
  });
}
