/** RFC 7009: a client gives up its tokens. */
import { expect, test } from "vitest";
import { clientId, type World } from "../world.ts";
import { asClient, post } from "./endpoint.ts";
import { createParty } from "./party.ts";

export function describeRevocation(world: () => World): void {
  const revoke = (token: string, room: string, further: Record<string, string> = {}) =>
    post(world(), "/revoke", { token, ...further }, asClient(room));
  const statusAtUserinfo = async (room: string, token: string) =>
    (await createParty(world(), room).site.userinfo(token)).status;

  test("RFC 7009 2.1: a refresh token is revoked, and with it the access tokens of its login", async () => {
    const party = createParty(world(), "refresh");
    const [tokens, others] = [(await party.logIn()).tokens, (await party.logIn()).tokens];
    const refreshed = (await party.site.refresh(tokens.refresh_token ?? "")).json() as { access_token: string };
    const answer = await revoke(tokens.refresh_token ?? "", "refresh", { token_type_hint: "refresh_token" });
    expect([answer.status, answer.body]).toEqual([200, ""]);
    expect([answer.header("content-type"), answer.header("content-length")]).toEqual([undefined, "0"]);
    for (const token of [tokens.access_token, refreshed.access_token]) {
      expect(await statusAtUserinfo("refresh", token)).toBe(401);
    }
    expect((await party.site.refresh(tokens.refresh_token ?? "")).json()).toMatchObject({ error: "invalid_grant" });
    // Those of another visitor's login are as good as before.
    expect(await statusAtUserinfo("refresh", others.access_token)).toBe(200);
    expect((await party.site.refresh(others.refresh_token ?? "")).status).toBe(200);
  });

  test("RFC 7009 2.1: an access token is revoked, and the login's refresh token with it, by a hint that is wrong as well", async () => {
    const party = createParty(world(), "refresh");
    const { tokens } = await party.logIn();
    expect((await revoke(tokens.access_token, "refresh", { token_type_hint: "refresh_token" })).status).toBe(200);
    expect(await statusAtUserinfo("refresh", tokens.access_token)).toBe(401);
    expect((await party.site.refresh(tokens.refresh_token ?? "")).status).toBe(400);
  });

  test("RFC 7009 2.1: revoking ends no admission, so that the next login is immediate", async () => {
    const party = createParty(world(), "refresh");
    const { tokens, visitor } = await party.logIn();
    await revoke(tokens.refresh_token ?? "", "refresh");
    const { claims } = (await party.logIn({}, visitor)).tokens;
    expect(claims).toMatchObject({ sub: tokens.claims.sub, queue_position: tokens.claims.queue_position });
  });

  test("RFC 7009 2.2: what is no token, or none any more, is revoked as far as anybody can tell", async () => {
    const { tokens } = await createParty(world(), "op").logIn();
    expect((await revoke(tokens.access_token, "op")).status).toBe(200);
    for (const token of ["nonsense", tokens.access_token]) {
      const answer = await revoke(token, "op", { token_type_hint: "nonsense" });
      expect([answer.status, answer.body]).toEqual([200, ""]);
    }
  });

  test("RFC 7009 2.1: another client's token is left as it is, and the client told so", async () => {
    const { tokens } = await createParty(world(), "refresh").logIn();
    for (const token of [tokens.access_token, tokens.refresh_token ?? ""]) {
      const refused = await revoke(token, "op");
      expect([refused.status, refused.json()]).toMatchObject([400, { error: "invalid_request" }]);
      const byPublic = await post(world(), "/revoke", { token, client_id: clientId("spa") });
      expect([byPublic.status, byPublic.json()]).toMatchObject([400, { error: "invalid_request" }]);
    }
    expect(await statusAtUserinfo("refresh", tokens.access_token)).toBe(200);
    expect((await createParty(world(), "refresh").site.refresh(tokens.refresh_token ?? "")).status).toBe(200);
  });

  test("RFC 7009 2.1: a public client revokes its own by its name", async () => {
    const { tokens } = await createParty(world(), "spa", { authentication: "none", usesPkce: true }).logIn();
    const form = { token: tokens.refresh_token ?? "", client_id: clientId("spa") };
    expect((await post(world(), "/revoke", form)).status).toBe(200);
    expect(await statusAtUserinfo("spa", tokens.access_token)).toBe(401);
  });

  test("RFC 7009 2.2.1: requests that are malformed, or by nobody, change nothing", async () => {
    const { tokens } = await createParty(world(), "op").logIn();
    const token = tokens.access_token;
    const answers = [
      [400, "invalid_request", await post(world(), "/revoke", {}, asClient("op"))],
      [
        400,
        "invalid_request",
        await post(
          world(),
          "/revoke",
          [
            ["token", token],
            ["token", token],
          ],
          asClient("op"),
        ),
      ],
      [400, "invalid_request", await post(world(), "/revoke", { token })],
      [401, "invalid_client", await post(world(), "/revoke", { token, client_id: clientId("op") })],
      [400, "unsupported_token_type", await revoke(tokens.id_token, "op")],
    ] as const;
    for (const [status, error, answer] of answers) {
      expect([answer.status, answer.json()]).toMatchObject([status, { error }]);
    }
    expect(await statusAtUserinfo("op", token)).toBe(200);
  });
}
