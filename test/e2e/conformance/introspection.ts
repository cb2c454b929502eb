/** RFC 7662: a client asks about its tokens. */
import { expect, test } from "vitest";
import { clientId, type World } from "../world.ts";
import { asClient, post } from "./endpoint.ts";
import { createParty } from "./party.ts";

const inactive = { active: false };

export function describeIntrospection(world: () => World): void {
  const introspect = async (token: string, room: string, further: Record<string, string> = {}) => {
    const answer = await post(world(), "/introspect", { token, ...further }, asClient(room));
    expect([answer.status, answer.header("cache-control")]).toEqual([200, "no-store"]);
    expect(answer.header("content-type")).toMatch(/^application\/json\b/);
    return answer.json() as Record<string, unknown>;
  };

  test("RFC 7662 2.2: a client learns of its access token what its visitor's ID token says", async () => {
    const { tokens } = await createParty(world(), "op").logIn();
    const { sub, room, queue_position, admitted_via, admitted_at, auth_time } = tokens.claims;
    const answer = await introspect(tokens.access_token, "op");
    expect(answer).toMatchObject({
      active: true,
      client_id: clientId("op"),
      scope: "openid",
      token_type: "Bearer",
      iss: world().issuer,
      sub,
      room,
      queue_position,
      admitted_via,
      admitted_at,
      auth_time,
    });
    expect(Number(answer.exp) - Number(answer.iat)).toBeGreaterThan(0);
    expect(JSON.stringify(answer)).not.toContain(tokens.access_token);
  });

  test("RFC 7662 2.2: another client's token is not active, and neither is what is no token", async () => {
    const { tokens, code } = await createParty(world(), "refresh").logIn();
    for (const token of [tokens.access_token, tokens.refresh_token ?? "", code, "nonsense"]) {
      expect(await introspect(token, "op")).toEqual(inactive);
    }
    expect(await introspect(code, "refresh")).toEqual(inactive);
  });

  test("RFC 7662 4: a token that was revoked, or a code's that came twice, is not active", async () => {
    const party = createParty(world(), "refresh");
    const used = await party.logIn();
    expect(await introspect(used.tokens.access_token, "refresh")).toMatchObject({ active: true });
    await party.redeem(used);
    expect(await introspect(used.tokens.access_token, "refresh")).toEqual(inactive);
    const { tokens } = await party.logIn();
    await post(world(), "/revoke", { token: tokens.access_token }, asClient("refresh"));
    for (const token of [tokens.access_token, tokens.refresh_token ?? ""]) {
      expect(await introspect(token, "refresh")).toEqual(inactive);
    }
  });

  test("RFC 7662 4: a refresh token is active as long as the admission that it needs", async () => {
    const { tokens } = await createParty(world(), "refresh").logIn();
    const token = tokens.refresh_token ?? "";
    const { sub } = tokens.claims;
    const hint = { token_type_hint: "refresh_token" };
    expect(await introspect(token, "refresh", hint)).toMatchObject({
      active: true,
      sub,
      client_id: clientId("refresh"),
    });
    const path = `/rooms/refresh/admissions/${sub}`;
    await world().admin.request("PATCH", path, { status: "revoked" });
    expect(await introspect(token, "refresh", hint)).toEqual(inactive);
  });

  test("RFC 7662 2.1: nobody asks who does not prove who they are", async () => {
    const { tokens } = await createParty(world(), "spa", { authentication: "none", usesPkce: true }).logIn();
    const token = tokens.access_token;
    for (const [status, error, answer] of [
      // Its own, and what is none: a public client cannot prove anything.
      [401, "invalid_client", await post(world(), "/introspect", { token, client_id: clientId("spa") })],
      [401, "invalid_client", await post(world(), "/introspect", { token: "nonsense", client_id: clientId("spa") })],
      [401, "invalid_client", await post(world(), "/introspect", { token, client_id: clientId("op") })],
      [400, "invalid_request", await post(world(), "/introspect", { token })],
      [400, "invalid_request", await post(world(), "/introspect", { token }, { authorization: `Bearer ${token}` })],
      [400, "invalid_request", await post(world(), "/introspect", {}, asClient("op"))],
    ] as const) {
      expect([answer.status, answer.json()]).toMatchObject([status, { error }]);
      expect(answer.json()).not.toHaveProperty("active");
    }
  });
}
