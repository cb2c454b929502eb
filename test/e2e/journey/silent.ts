import { expect, test } from "vitest";
import type { LoginRequest } from "../../support/relying-party.ts";
import type { Visitor } from "../../support/visitor.ts";
import { submitForm } from "../form.ts";
import { numbers, queued } from "../line.ts";
import { type RoomUnderTest, redirectUri, type World } from "../world.ts";

export const silentRooms: RoomUnderTest[] = [
  { id: "passing" },
  { id: "passing-idle", settings: { when_idle: "pass_through" } },
  { id: "passing-once", admission: { duration: "2s" } },
  { id: "silent-hint", admission: { logins_per_admission: 2 } },
];

export const silentAgesRooms: RoomUnderTest[] = [{ id: "silent-age" }];

function asksIn(world: () => World) {
  const visit = (room: string, visitor: Visitor, { url }: LoginRequest) =>
    visitor.navigate(url, { stopAt: world().relyingParty(room).isCallback });

  async function askSilently(room: string, visitor: Visitor, parameters: Record<string, string> = {}) {
    const login = world()
      .relyingParty(room)
      .startLogin({ prompt: "none", ...parameters });
    const page = await visit(room, visitor, login);
    expect(page.location?.href.startsWith(redirectUri(room))).toBe(true);
    const answer = page.location?.searchParams;
    return { login, page, error: answer?.get("error") ?? null, description: answer?.get("error_description") ?? null };
  }
  return { visit, askSilently };
}

/** `prompt=none` (OpenID Connect Core 3.1.2.1): who is logged in stays so, and nobody else is logged in by it. */
export function describeSilentLogins(world: () => World): void {
  const { visit, askSilently } = asksIn(world);

  async function logOut(room: string, visitor: Visitor) {
    const question = await visitor.navigate(`${world().issuer}/logout?client_id=site-${room}`);
    expect((await submitForm(visitor, question)).notice).toBe("logged_out");
  }

  test.each([
    ["passing", "passthrough"],
    ["passing-idle", "idle"],
  ] as const)(
    "where everybody passes, who has logged out is not logged in until they come themselves: %s",
    async (room, step) => {
      await world().admin.step(room, step);
      const site = world().relyingParty(room);
      const stranger = await askSilently(room, world().visitor());
      expect([stranger.error, stranger.description]).toEqual(["login_required", "the visitor is not logged in"]);

      const visitor = world().visitor();
      const { claims } = await site.login(visitor);
      const silent = await askSilently(room, visitor);
      const { claims: again } = await site.finishLogin(silent.page, silent.login);
      expect(again).toMatchObject({ sub: claims.sub, auth_time: claims.auth_time, admitted_at: claims.admitted_at });

      await logOut(room, visitor);
      for (let asks = 0; asks < 2; asks++) {
        const { error, description } = await askSilently(room, visitor);
        expect([error, description]).toEqual([stranger.error, stranger.description]);
      }
      expect(await numbers(world(), room)).toMatchObject({ live_admissions: 0, counts: { passed: 1 } });
      expect((await site.login(visitor)).claims.sub).toBe(claims.sub);
      expect((await askSilently(room, visitor)).error).toBeNull();
    },
  );

  test("an admission that has ended is not begun anew by a silent login", async () => {
    await world().admin.step("passing-once", "passthrough");
    const visitor = world().visitor();
    const { claims } = await world().relyingParty("passing-once").login(visitor);
    await expect.poll(async () => (await askSilently("passing-once", visitor)).error).toBe("login_required");

    const other = world().visitor();
    const { claims: ended } = await world().relyingParty("passing-once").login(other);
    await world().admin.request("PATCH", `/rooms/passing-once/admissions/${ended.sub}`, { status: "revoked" });
    expect((await askSilently("passing-once", other)).error).toBe("login_required");
    expect(claims.sub).not.toBe(ended.sub);
    expect(await numbers(world(), "passing-once")).toMatchObject({ counts: { passed: 2 } });
  });

  test("a hint of another visitor is login_required; it counts as no login, and lets nobody in", async () => {
    const { admin, relyingParty } = world();
    await admin.increment("silent-hint", 1);
    const site = relyingParty("silent-hint");
    const [visitor, other] = [world().visitor(), world().visitor()];
    const { idToken } = await site.login(visitor);
    expect((await visit("silent-hint", other, site.startLogin())).position).toBe(2);
    await admin.increment("silent-hint", 1);
    expect((await askSilently("silent-hint", other, { id_token_hint: idToken })).error).toBe("login_required");
    expect(await numbers(world(), "silent-hint")).toMatchObject({ live_admissions: 1 });

    const { idToken: theirs } = await site.login(other);
    for (let asks = 0; asks < 3; asks++) {
      expect((await askSilently("silent-hint", visitor, { id_token_hint: theirs })).error).toBe("login_required");
    }
    expect((await askSilently("silent-hint", visitor, { id_token_hint: idToken })).error).toBeNull();
    expect(await queued(world(), "silent-hint")).toBe(2);
  });
}

export function describeSilentAges(world: () => World): void {
  const { askSilently } = asksIn(world);

  test("nobody is logged in anew silently: a max_age that has passed is login_required, and without a session auth_time stays", async () => {
    await world().admin.increment("silent-age", 1);
    const site = world().relyingParty("silent-age");
    const visitor = world().visitor();
    const { claims } = await site.login(visitor);
    await new Promise((resolve) => setTimeout(resolve, 2_100));
    expect((await askSilently("silent-age", visitor, { max_age: "1" })).error).toBe("login_required");
    expect((await askSilently("silent-age", visitor, { max_age: "10000" })).error).toBeNull();

    for (const { name } of visitor.jar.all()) if (name.includes("usher.session")) visitor.jar.delete(name);
    expect((await askSilently("silent-age", visitor, { max_age: "1" })).error).toBe("login_required");
    const { login, page } = await askSilently("silent-age", visitor);
    const { claims: again } = await site.finishLogin(page, login);
    expect(again).toMatchObject({ sub: claims.sub, auth_time: claims.admitted_at });
  });
}
