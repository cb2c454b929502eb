/** RFC 6749 §3.2, §5.2: requests of the token endpoint that are refused, and cost nobody a code. */
import { expect, test } from "vitest";
import { clientId, clientSecret, redirectUri, type World } from "../world.ts";
import { asClient, basic, type Form, post } from "./endpoint.ts";
import { createParty } from "./party.ts";

const grants = [
  ...["password", "client_credentials", "implicit", "urn:ietf:params:oauth:grant-type:device_code"],
  ...["urn:ietf:params:oauth:grant-type:jwt-bearer", "urn:ietf:params:oauth:grant-type:token-exchange", "nonsense"],
];
const id = clientId("op");
const secret = clientSecret("op");
const redirect_uri = redirectUri("op");
const form = (code: string) => ({ grant_type: "authorization_code", code, redirect_uri });

export function describeTokenRequests(world: () => World): void {
  const ask = (fields: Form, headers?: Record<string, string>, path = "/token") => post(world(), path, fields, headers);

  test.each(grants)("RFC 6749 5.2: the grant type %s is not supported", async (grant_type) => {
    const fields = { grant_type, username: "a", password: "b", scope: "openid" };
    const refused = await ask(fields, asClient("op"));
    expect([refused.status, refused.json()]).toMatchObject([400, { error: "unsupported_grant_type" }]);
    expect([refused.header("cache-control"), refused.header("pragma")]).toEqual(["no-store", "no-cache"]);
  });

  test("RFC 6749 5.2: a client without refresh tokens may not use that grant", async () => {
    const { tokens } = await createParty(world(), "refresh").logIn();
    const refresh_token = tokens.refresh_token ?? "";
    const refused = await ask({ grant_type: "refresh_token", refresh_token }, asClient("op"));
    expect([refused.status, refused.json()]).toMatchObject([400, { error: "unauthorized_client" }]);
  });

  test("RFC 6749 3.2: requests that are malformed are refused, and the code still works for its owner", async () => {
    const party = createParty(world(), "op");
    const entered = await party.enter();
    const good = form(entered.code);
    const { grant_type, ...withoutGrantType } = good;
    const { code: _, ...withoutCode } = good;
    const { redirect_uri: __, ...withoutRedirectUri } = good;
    const malformed: [Form, string][] = [
      [withoutGrantType, "invalid_request"],
      [{ ...good, grant_type: "" }, "invalid_request"],
      [withoutCode, "invalid_request"],
      [{ ...good, code: "" }, "invalid_request"],
      [withoutRedirectUri, "invalid_request"],
      [{ ...good, redirect_uri: `${redirect_uri}/` }, "invalid_grant"],
      [{ ...good, redirect_uri: redirectUri("other") }, "invalid_grant"],
      [{ ...good, code: "nonsense" }, "invalid_grant"],
      [{ ...good, code: `${good.code}x` }, "invalid_grant"],
      [{ ...good, client_id: clientId("other") }, "invalid_request"],
      ...(["grant_type", "code", "redirect_uri"] as const).map((name): [Form, string] => [
        [...Object.entries(good), [name, good[name]] as const],
        "invalid_request",
      ]),
    ];
    for (const [fields, error] of malformed) {
      const refused = await ask(fields, asClient("op"));
      expect([refused.status, refused.json()], JSON.stringify(fields)).toMatchObject([400, { error }]);
      expect(refused.json()).toMatchObject({
        error_description: expect.stringMatching(/^[\x20-\x21\x23-\x5b\x5d-\x7e]+$/),
      });
    }
    const json = await world().http.request(`${world().issuer}/token`, {
      method: "POST",
      headers: asClient("op"),
      body: { ...good, grant_type },
    });
    expect([json.status, json.json()]).toMatchObject([400, { error: "invalid_request" }]);
    const stolen = await ask(good, asClient("other"));
    expect([stolen.status, stolen.json()]).toMatchObject([400, { error: "invalid_grant" }]);

    expect((await party.redeem(entered)).status).toBe(200);
  });

  test("RFC 6749 2.3.1: a client that does not prove who it is gets nothing, and the code still works for its owner", async () => {
    const party = createParty(world(), "op");
    const entered = await party.enter();
    const good = form(entered.code);
    const inQuery = `/token?${new URLSearchParams({ client_id: id, client_secret: secret })}`;
    const allInQuery = `/token?${new URLSearchParams({ ...good, client_id: id, client_secret: secret })}`;
    const attempts: [string, number, Awaited<ReturnType<typeof ask>>][] = [
      ["invalid_request", 400, await ask(good)],
      ["invalid_request", 400, await ask(good, {}, inQuery)],
      ["invalid_request", 400, await ask({}, {}, allInQuery)],
      ["invalid_request", 400, await ask({ ...good, client_id: id, client_secret: secret }, asClient("op"))],
      ["invalid_client", 401, await ask({ ...good, client_id: id })],
      ["invalid_client", 401, await ask({ ...good, client_id: id, client_secret: "wrong" })],
      ["invalid_client", 401, await ask({ ...good, client_id: "nobody", client_secret: "wrong" })],
      ["invalid_client", 401, await ask({ ...good, client_id: clientId("spa"), client_secret: secret })],
      ["invalid_client", 401, await ask(good, { authorization: basic(id, "wrong") })],
      ["invalid_client", 401, await ask(good, { authorization: basic("nobody", secret) })],
      ["invalid_client", 401, await ask(good, { authorization: basic(clientId("spa"), "any") })],
    ];
    for (const [index, [error, status, refused]] of attempts.entries()) {
      expect([refused.status, refused.json()], String(index)).toMatchObject([status, { error }]);
      const challenge = refused.header("www-authenticate");
      // RFC 6749 5.2: whoever came with the header is told by the header.
      if (status === 401 && index >= 8) expect(challenge).toMatch(/^Basic realm=/);
    }
    // Whether there is such a client is not told.
    const [wrong, unknown] = [attempts[5], attempts[6]].map((attempt) => attempt?.[2].json());
    expect(unknown).toEqual(wrong);
    expect((await party.redeem(entered)).status).toBe(200);
  });

  test.each([
    ["nothing behind the scheme", "Basic"],
    ["what is no base64", "Basic §§§"],
    ["no colon", `Basic ${Buffer.from(id).toString("base64")}`],
    ["no secret", basic(id, "")],
    ["another scheme", `Bearer ${secret}`],
    ["two of them", `${basic(id, secret)}, ${basic(id, secret)}`],
  ])("RFC 6749 2.3.1: a header Authorization with %s is a bad request", async (_, authorization) => {
    const refused = await ask(form("any"), { authorization: Buffer.from(authorization).toString("latin1") });
    expect([refused.status, refused.json()]).toMatchObject([400, { error: "invalid_request" }]);
  });

  test("a secret whose percent sign encodes nothing is taken as it stands", async () => {
    const refused = await ask(form("any"), { authorization: basic(id, "%zz") });
    expect([refused.status, refused.json()]).toMatchObject([401, { error: "invalid_client" }]);
  });
}
