/** Parameters of the authorization request that change nothing here, or are refused as the specification says. */
import { UnsecuredJWT } from "jose";
import { expect, test } from "vitest";
import { clientId, type World } from "../world.ts";
import { createParty, errorIn, postedBy, readTokens } from "./party.ts";

export function describeRequests(world: () => World): void {
  const expectLogin = async (parameters: Record<string, string>) => {
    const { tokens } = await createParty(world(), "op").logIn(parameters);
    expect(tokens.claims.room).toBe("op");
    return tokens;
  };
  /** As the suite makes one: not signed, and the same as the request. */
  const requestObject = (url: URL, changes: Record<string, string> = {}) =>
    new UnsecuredJWT({ ...Object.fromEntries(url.searchParams), ...changes })
      .setIssuer(clientId("closed"))
      .setAudience(world().issuer)
      .encode();

  test("oidcc-display-page: display=page is taken", () => expectLogin({ display: "page" }));

  test("oidcc-display-popup: display=popup is taken", () => expectLogin({ display: "popup" }));

  test("oidcc-ensure-request-with-unknown-parameter-succeeds: what nobody knows is ignored", () =>
    expectLogin({ extra: "foobar" }));

  test("oidcc-login-hint: login_hint is taken", () => expectLogin({ login_hint: "buffy@example.org" }));

  test("oidcc-ui-locales: ui_locales is taken", () => expectLogin({ ui_locales: "se fr-CA de" }));

  test("oidcc-claims-locales: claims_locales is taken", () => expectLogin({ claims_locales: "se fr-CA" }));

  test("oidcc-ensure-request-with-acr-values-succeeds: acr_values is taken, and no acr is claimed", async () => {
    expect((await expectLogin({ acr_values: "1 2" })).claims).not.toHaveProperty("acr");
  });

  test("oidcc-claims-essential: the parameter claims is ignored, as the metadata say, and no name is made up", async () => {
    const metadata = (await world().http.get(`${world().issuer}/.well-known/openid-configuration`)).json();
    expect(metadata).toMatchObject({ claims_parameter_supported: false });
    const wish = JSON.stringify({ userinfo: { name: { essential: true } } });
    const { access_token } = await expectLogin({ claims: wish });
    expect(await createParty(world(), "op").userinfo(access_token)).not.toHaveProperty("name");
  });

  test("oidcc-ensure-post-request-succeeds: the request may come by POST", async () => {
    const party = createParty(world(), "op");
    const { url, nonce, ...login } = party.start();
    const visitor = world().visitor();
    const page = await visitor.navigate(url.origin + url.pathname, {
      method: "POST",
      body: url.searchParams,
      stopAt: ({ origin }) => origin !== url.origin,
    });
    const code = page.location?.searchParams.get("code") ?? "";
    const answer = await party.redeem({ visitor, page, code, login: { url, nonce, ...login } });
    await readTokens(world(), "op", answer, nonce);
  });

  test("oidcc-unsigned-request-object-supported-correctly-or-rejected-as-unsupported: request_not_supported", async () => {
    const party = createParty(world(), "closed");
    const login = party.start();
    login.url.searchParams.set("request", requestObject(login.url));
    expect(errorIn(await party.ask(login), login, world())).toBe("request_not_supported");
  });

  test.each([
    ["form_post", "form_post"],
    ["fragment", "fragment"],
    ["query", "query"],
    ["query", "something-else"],
  ])(
    "an unsigned request object alone says how the refusal comes and with which state: by %s for %s",
    async (mode, wanted) => {
      const party = createParty(world(), "closed");
      const login = party.start();
      const state = String(login.url.searchParams.get("state"));
      login.url.searchParams.set("request", requestObject(login.url, { response_mode: wanted }));
      login.url.searchParams.delete("state");
      const page = await party.ask(login);
      const answers: Record<string, URLSearchParams> = {
        query: new URLSearchParams(page.location?.search),
        fragment: new URLSearchParams(page.location?.hash.slice(1)),
        form_post: postedBy(page.body),
      };
      expect(Object.fromEntries(answers[mode] ?? [])).toMatchObject({
        error: "request_not_supported",
        iss: world().issuer,
        state,
      });
      if (mode === "form_post") expect([page.status, page.location]).toEqual([400, undefined]);
    },
  );

  test("what the query says of the answer wins over a request object, and an object that is none says nothing", async () => {
    const party = createParty(world(), "closed");
    const login = party.start({ response_mode: "query" });
    login.url.searchParams.set("request", requestObject(login.url, { response_mode: "form_post", state: "another" }));
    expect(errorIn(await party.ask(login), login, world())).toBe("request_not_supported");
    for (const object of ["nonsense", "a.b.c", "a.b.c.d.e", "e30.W10.", "e30.bnVsbA."]) {
      const bad = party.start();
      bad.url.searchParams.set("request", object);
      expect(errorIn(await party.ask(bad), bad, world())).toBe("request_not_supported");
    }
  });

  test("oidcc-ensure-request-object-with-redirect-uri: an object that says otherwise does not make an address right", async () => {
    const party = createParty(world(), "closed");
    const login = party.start();
    const object = requestObject(login.url);
    login.url.searchParams.set("request", object);
    login.url.searchParams.set("redirect_uri", "https://closed.example.test/invalid");
    const page = await party.ask(login);
    expect([page.status, page.location, page.notice]).toEqual([400, undefined, "request_refused"]);
  });

  test("oidcc-request-uri-unsigned-supported-correctly-or-rejected-as-unsupported: request_uri_not_supported", async () => {
    const party = createParty(world(), "closed");
    const login = party.start({ request_uri: "https://closed.example.test/request.jwt" });
    expect(errorIn(await party.ask(login), login, world())).toBe("request_uri_not_supported");
  });

  test("oidcc-ensure-registered-redirect-uri: one that is not registered gets a page, and no redirect", async () => {
    const party = createParty(world(), "closed");
    const page = await party.ask(party.start({ redirect_uri: "https://closed.example.test/callback/x7Yq" }));
    expect([page.status, page.location, page.notice]).toEqual([400, undefined, "request_refused"]);
  });
}
