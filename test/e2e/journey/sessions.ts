import { expect, test } from "vitest";
import { submitForm } from "../form.ts";
import { numbers } from "../line.ts";
import { initiateLoginUri, loggedOutUri, type RoomUnderTest, redirectUri, type World } from "../world.ts";

export const sessionsRooms: RoomUnderTest[] = [
  { id: "refreshed", client: { refresh_tokens: true } },
  { id: "plain" },
  { id: "bulk", client: { refresh_tokens: true } },
  { id: "next-visit", client: { refresh_tokens: true } },
  { id: "new-line", client: { refresh_tokens: true } },
  { id: "exit" },
  { id: "exit-asked" },
];

export const slidingRooms: RoomUnderTest[] = [
  { id: "sliding", admission: { duration: "5s", max_duration: "12s" }, client: { refresh_tokens: true } },
];

const later = (ms: number) => new Promise((resolve) => setTimeout(resolve, ms));

/** How long an admission lasts, and who may end it. */
export function describeSessions(world: () => World): void {
  test("a client that asks for refresh tokens refreshes until the admission ends", async () => {
    const site = world().relyingParty("refreshed");
    await world().admin.increment("refreshed", 1);
    const tokens = await site.login(world().visitor());
    expect(tokens.refreshToken).toBeTruthy();
    // The relying party comes back soon enough to learn that the admission has ended.
    expect(tokens.expiresInSec).toBeLessThanOrEqual(300);
    const refreshed = await site.refresh(tokens.refreshToken ?? "");
    expect(refreshed.status).toBe(200);
    const { access_token } = refreshed.json() as { access_token: string };
    const userinfo = (await site.userinfo(access_token)).json();
    const { sub, queue_position, admitted_at, auth_time } = tokens.claims;
    expect(userinfo).toMatchObject({ sub, queue_position, admitted_at, auth_time, admitted_via: "queue" });

    const ended = await world().admin.request("PATCH", `/rooms/refreshed/admissions/${sub}`, { status: "revoked" });
    expect(ended.json()).toMatchObject({ status: "revoked" });
    const refused = await site.refresh(tokens.refreshToken ?? "");
    expect([refused.status, refused.json()]).toMatchObject([400, { error: "invalid_grant" }]);
    // With it goes all that came of that login.
    for (const token of [tokens.accessToken, access_token]) expect((await site.userinfo(token)).status).toBe(401);
  });

  test("other clients get no refresh token", async () => {
    await world().admin.increment("plain", 1);
    const tokens = await world().relyingParty("plain").login(world().visitor());
    expect(tokens.refreshToken).toBeUndefined();
  });

  test("a report ends many admissions at once, may be repeated, and names those it does not know", async () => {
    const { admin } = world();
    const site = world().relyingParty("bulk");
    await admin.increment("bulk", 4);
    const subs: string[] = [];
    for (let i = 0; i < 4; i++) subs.push(String((await site.login(world().visitor())).claims.sub));
    const stranger = "bulk.AAAAAAAAAAAAAAAAAAAAAA";
    const body = { completed: [subs[0], subs[1]], abandoned: [subs[2], stranger] };
    for (let i = 0; i < 2; i++) {
      const answer = await admin.request("POST", "/rooms/bulk/report", body);
      expect([answer.status, answer.json()]).toMatchObject([200, { completed: 2, abandoned: 1, unknown: [stranger] }]);
    }
    const counts = { entered: 4, completed: 2, abandoned: 1 };
    expect(await numbers(world(), "bulk")).toMatchObject({ live_admissions: 1, counts });
    const key = { "Idempotency-Key": "exit-1" };
    for (let i = 0; i < 2; i++) await admin.request("POST", "/rooms/bulk/report", { exited: 1 }, key);
    expect(await numbers(world(), "bulk")).toMatchObject({ live_admissions: 0 });
  });

  test("a refresh token of one visit is worth nothing in the next", async () => {
    const { admin } = world();
    const site = world().relyingParty("next-visit");
    const visitor = world().visitor();
    await admin.increment("next-visit", 2);
    const first = await site.login(visitor);
    await admin.request("PATCH", `/rooms/next-visit/admissions/${first.claims.sub}`, { status: "completed" });
    await later(1_100);
    const second = await site.login(visitor);
    expect(second.claims).toMatchObject({ sub: first.claims.sub, queue_position: 2 });
    expect((await site.refresh(first.refreshToken ?? "")).status).toBe(400);
    expect((await site.refresh(second.refreshToken ?? "")).status).toBe(200);
  });

  test("after a reset those who are in log in as before, and take no new places", async () => {
    const { admin } = world();
    const site = world().relyingParty("new-line");
    const visitor = world().visitor();
    await admin.increment("new-line", 1);
    const { claims } = await site.login(visitor);
    await admin.step("new-line", "reset");
    for (let i = 0; i < 3; i++) expect((await site.login(visitor)).claims.sub).toBe(claims.sub);
    expect(await numbers(world(), "new-line")).toMatchObject({ queued: 0, live_admissions: 1 });
    await admin.step("new-line", "end");
    expect((await site.login(visitor)).claims.sub).toBe(claims.sub);
    const silent = site.startLogin({ prompt: "none" });
    const page = await visitor.navigate(silent.url, { stopAt: site.isCallback });
    expect(page.location?.searchParams.get("code")).toBeTruthy();
  });

  test("a link of the site ends the visit and returns to where the site has registered", async () => {
    const site = world().relyingParty("exit");
    await world().admin.increment("exit", 1);
    const visitor = world().visitor();
    await site.login(visitor);
    const url = `${world().issuer}/rooms/exit/leave?return=${encodeURIComponent(loggedOutUri("exit"))}`;
    const stopAt = (location: URL) => location.origin !== world().issuer;

    for (const evil of [
      "https://evil.example/",
      `${loggedOutUri("exit")}/x`,
      "javascript:alert(1)",
      redirectUri("exit"),
    ]) {
      const refused = await visitor.navigate(`${world().issuer}/rooms/exit/leave?return=${encodeURIComponent(evil)}`);
      expect([refused.status, refused.notice, refused.location]).toEqual([400, "bad_request", undefined]);
    }
    // An image or a prefetch ends nothing.
    await visitor.fetch(url, { headers: { referer: "https://exit.example.test/" } });
    expect(await numbers(world(), "exit")).toMatchObject({ live_admissions: 1 });

    const gone = await visitor.navigate(url, { headers: { referer: "https://exit.example.test/" }, stopAt });
    expect([gone.status, gone.location?.href]).toEqual([303, loggedOutUri("exit")]);
    expect(await numbers(world(), "exit")).toMatchObject({ live_admissions: 0, counts: { logged_out: 1 } });
    expect((await visitor.navigate(site.startLogin().url, { stopAt: site.isCallback })).position).toBe(2);
  });

  test("a link from elsewhere only asks, and the answer must come from our own page", async () => {
    const site = world().relyingParty("exit-asked");
    const visitor = world().visitor();
    expect((await visitor.navigate(site.startLogin().url, { stopAt: site.isCallback })).position).toBe(1);
    const address = initiateLoginUri("exit-asked");
    const url = `${world().issuer}/rooms/exit-asked/leave?return=${encodeURIComponent(address)}`;
    const asked = await visitor.navigate(url, { headers: { referer: "https://evil.example/" } });
    expect([asked.status, asked.notice]).toEqual([200, "leave_confirm"]);
    expect(await numbers(world(), "exit-asked")).toMatchObject({ counts: { left: 0 } });
    const gone = await submitForm(visitor, asked, (location) => location.origin !== world().issuer);
    expect(gone.location?.href).toBe(address);
    expect(await numbers(world(), "exit-asked")).toMatchObject({ counts: { left: 1 } });
  });
}

export function describeSliding(world: () => World): void {
  test("a sliding admission is extended by logins and refreshes, up to its maximum", async () => {
    const site = world().relyingParty("sliding");
    await world().admin.increment("sliding", 1);
    const visitor = world().visitor();
    const startedAt = Date.now();
    const at = (ms: number) => later(Math.max(0, startedAt + ms - Date.now()));
    let tokens = await site.login(visitor);
    // By the last of them it would have ended twice; how long each takes does not add up.
    for (const [ms, how] of [
      [2_000, "refresh"],
      [4_000, "login"],
      [6_000, "refresh"],
      [8_000, "login"],
    ] as const) {
      await at(ms);
      if (how === "login") tokens = await site.login(visitor);
      else expect((await site.refresh(tokens.refreshToken ?? "")).status).toBe(200);
    }
    expect(tokens.claims.queue_position).toBe(1);
    await at(12_000);
    // It began after that time was taken, by as much as the first login took.
    const isOver = async () => (await site.refresh(tokens.refreshToken ?? "")).status;
    await expect.poll(isOver, { interval: 200 }).toBe(400);
    const over = await visitor.navigate(site.startLogin().url, { stopAt: site.isCallback });
    expect(over.position).toBe(2);
  });
}
