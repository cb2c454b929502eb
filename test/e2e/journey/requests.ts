import { createHash } from "node:crypto";
import { expect, test } from "vitest";
import { queued } from "../line.ts";
import type { World } from "../world.ts";

export const requestsRooms = ["posted", "silent", "modes", "hints"].map((id) => ({ id }));
export const agesRooms = [{ id: "prompts" }];

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

  test("the answer comes in the response mode that was asked for, each as discovery says", async () => {
    const { http, issuer, admin } = world();
    const site = world().relyingParty("modes");
    const visitor = world().visitor();
    await admin.increment("modes", 1);
    const discovery = (await http.get(`${issuer}/.well-known/openid-configuration`)).json();
    expect(discovery).toMatchObject({ response_modes_supported: ["form_post", "fragment", "query"] });

    const inFragment = site.startLogin({ response_mode: "fragment" });
    const redirect = await visitor.navigate(inFragment.url, { stopAt: ({ origin }) => origin !== issuer });
    const fragment = new URLSearchParams(redirect.location?.hash.slice(1));
    expect((await site.redeem(fragment.get("code") ?? "", inFragment)).status).toBe(200);

    const inForm = site.startLogin({ response_mode: "form_post" });
    const page = await visitor.navigate(inForm.url, { stopAt: site.isCallback });
    expect(page.body).toContain(`action="${site.options.redirectUri}"`);
    const code = /name="code" value="([^"]+)"/.exec(page.body)?.[1] ?? "";
    expect((await site.redeem(code, inForm)).status).toBe(200);
    // The page is oidc-provider's own: its script runs, and nothing else may be done with it.
    const script = /<script>([\s\S]*?)<\/script>/.exec(page.body)?.[1] ?? "";
    const hash = createHash("sha256").update(script).digest("base64");
    const policy = page.header("content-security-policy");
    expect(policy).toContain(`script-src 'sha256-${hash}'`);
    expect(policy).toContain("default-src 'none'");
    expect(policy).not.toContain("form-action");
    const headers = ["x-frame-options", "x-content-type-options", "cache-control", "referrer-policy"];
    expect(headers.map((name) => page.header(name))).toEqual(["DENY", "nosniff", "no-store", "strict-origin"]);
  });

  test("an id_token_hint lets in whom it names, and others are told before they wait", async () => {
    const { admin } = world();
    const site = world().relyingParty("hints");
    const visitor = world().visitor();
    await admin.increment("hints", 1);
    const { idToken, claims } = await site.login(visitor);
    const hinted = site.startLogin({ id_token_hint: idToken });
    const again = await site.finishLogin(await visitor.navigate(hinted.url, { stopAt: site.isCallback }), hinted);
    expect(again.claims.sub).toBe(claims.sub);

    const other = world().visitor();
    const refuse = async () => {
      const { url } = site.startLogin({ id_token_hint: idToken });
      const page = await other.navigate(url, { stopAt: site.isCallback });
      return page.location?.searchParams.get("error");
    };
    expect(await refuse()).toBe("login_required");
    expect(await queued(world(), "hints")).toBe(1);
    expect((await other.navigate(site.startLogin().url)).position).toBe(2);
    expect(await refuse()).toBe("login_required");
  });
}

/** How long ago the visitor logged in. */
export function describeAges(world: () => World): void {
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
    expect((await log({ prompt: "select_account", max_age: "99999999999" })).sub).toBe(claims.sub);
  });
}
