/** OpenID Connect RP-Initiated Logout 1.0, by the modules of the plan. */
import { decodeJwt, exportJWK, generateKeyPair, SignJWT, UnsecuredJWT } from "jose";
import { expect, test } from "vitest";
import type { Page, Visitor } from "../../support/visitor.ts";
import { submitForm } from "../form.ts";
import { loggedOutUri, type World } from "../world.ts";
import { createParty, errorIn } from "./party.ts";

const state = `${"S-._~".repeat(25)}end`;

export function describeLogout(world: () => World): void {
  const isOutside = ({ origin }: URL) => origin !== world().issuer;

  /** Logs a visitor in and asks for the logout, as the suite does. `null` leaves a parameter out. */
  async function logOut(changes: (idToken: string) => Record<string, string | null> | Promise<Record<string, string>>) {
    const party = createParty(world(), "op");
    const { visitor, tokens } = await party.logIn();
    const url = new URL(`${world().issuer}/logout`);
    const parameters = {
      id_token_hint: tokens.id_token,
      post_logout_redirect_uri: loggedOutUri("op"),
      state,
      ...(await changes(tokens.id_token)),
    };
    for (const [name, value] of Object.entries(parameters)) if (value !== null) url.searchParams.set(name, value);
    const page = await visitor.navigate(url, { stopAt: isOutside });
    return { visitor, page };
  }

  /** Where there is no hint: presses the button of the page that asks. */
  async function confirm(visitor: Visitor, page: Page) {
    expect([page.status, page.notice]).toEqual([200, "logout_confirm"]);
    return submitForm(visitor, page, isOutside);
  }

  async function expectLoggedOut(visitor: Visitor) {
    const party = createParty(world(), "op");
    const login = party.start({ prompt: "none" });
    expect(errorIn(await party.ask(login, visitor), login, world())).toMatch(/^(login|interaction)_required$/);
  }

  async function expectRefused({ visitor, page }: { visitor: Visitor; page: Page }) {
    expect([page.status, page.location, page.notice]).toEqual([400, undefined, "bad_request"]);
    // And nobody has been logged out.
    const party = createParty(world(), "op");
    expect((await party.ask(party.start({ prompt: "none" }), visitor)).location?.searchParams.has("code")).toBe(true);
  }

  async function expectLoggedOutHere({ visitor, page }: { visitor: Visitor; page: Page }, isAsked = true) {
    const done = isAsked ? await confirm(visitor, page) : page;
    expect([done.status, done.location, done.notice]).toEqual([200, undefined, "logged_out"]);
    await expectLoggedOut(visitor);
  }

  test("oidcc-rp-initiated-logout: back to the relying party with its state, and prompt=none errs", async () => {
    expect(state).toHaveLength(128);
    const { visitor, page: back } = await logOut(() => ({}));
    expect(back.location?.href.split("?")[0]).toBe(loggedOutUri("op"));
    expect([...(back.location?.searchParams ?? [])]).toEqual([["state", state]]);
    await expectLoggedOut(visitor);
  });

  test("oidcc-rp-initiated-logout-no-state: back to the relying party without one", async () => {
    const { visitor, page } = await logOut(() => ({ state: null }));
    expect(page.location?.href).toBe(loggedOutUri("op"));
    await expectLoggedOut(visitor);
  });

  test("oidcc-rp-initiated-logout-bad-post-logout-redirect-uri: an error page, and no redirect", async () =>
    expectRefused(await logOut(() => ({ post_logout_redirect_uri: `${loggedOutUri("op")}/x7Yq` }))));

  test("oidcc-rp-initiated-logout-query-added-to-post-logout-redirect-uri: an error page, and no redirect", async () =>
    expectRefused(await logOut(() => ({ post_logout_redirect_uri: `${loggedOutUri("op")}?foo=bar` }))));

  test("oidcc-rp-initiated-logout-modified-id-token-hint: one without a signature gets an error page", async () =>
    expectRefused(await logOut((idToken) => ({ id_token_hint: new UnsecuredJWT(decodeJwt(idToken)).encode() }))));

  test("oidcc-rp-initiated-logout-bad-id-token-hint: one that somebody else has signed gets an error page", async () =>
    expectRefused(
      await logOut(async (idToken) => {
        const { privateKey, publicKey } = await generateKeyPair("RS256");
        const header = { alg: "RS256", jwk: await exportJWK(publicKey) };
        return { id_token_hint: await new SignJWT(decodeJwt(idToken)).setProtectedHeader(header).sign(privateKey) };
      }),
    ));

  test("oidcc-rp-initiated-logout-no-id-token-hint: the visitor is asked, and not sent to an address that nobody vouches for", async () =>
    expectLoggedOutHere(await logOut(() => ({ id_token_hint: null }))));

  test("oidcc-rp-initiated-logout-no-params: the visitor is logged out, and told so", async () =>
    expectLoggedOutHere(await logOut(() => ({ id_token_hint: null, post_logout_redirect_uri: null, state: null }))));

  test("oidcc-rp-initiated-logout-no-post-logout-redirect-uri: the visitor is logged out, and told so", async () =>
    expectLoggedOutHere(await logOut(() => ({ post_logout_redirect_uri: null })), false));

  test("oidcc-rp-initiated-logout-only-state: the visitor is logged out, and told so", async () =>
    expectLoggedOutHere(await logOut(() => ({ id_token_hint: null, post_logout_redirect_uri: null }))));
}
