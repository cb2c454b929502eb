import { createHash } from "node:crypto";
import type { Context } from "koa";
import { describe, expect, it } from "vitest";
import type { SignInRule } from "../../../../src/config/index.ts";
import { claimAt, grantedBy, nameOf, personId } from "../../../../src/operate/admin-api/sign-in/claims.ts";
import { createSignInCookies, csrfTokenOf, isCsrfToken } from "../../../../src/operate/admin-api/sign-in/cookies.ts";
import { readReturnTo } from "../../../../src/operate/admin-api/sign-in/return-to.ts";

const rule = (claim: string, value: string, role: SignInRule["role"], rooms?: string[]): SignInRule => ({
  claim,
  value,
  role,
  ...(rooms && { rooms }),
});

/** As Keycloak's documentation has them in a token. */
const keycloak = {
  sub: "f:1",
  realm_access: { roles: ["offline_access", "usher-operator"] },
  resource_access: { "my.client": { roles: ["desk"] }, account: { roles: ["view-profile"] } },
  groups: ["/staff/tickets"],
};

describe("what claims grant", () => {
  it.each([
    ["realm_access.roles", "usher-operator"],
    ["resource_access.my.client.roles", "desk"],
    ["resource_access.account.roles", "view-profile"],
    ["groups", "/staff/tickets"],
  ])("finds Keycloak's %s", (claim, value) => {
    expect(grantedBy([rule(claim, value, "viewer")], keycloak)).toEqual({ role: "viewer", rooms: null });
    expect(grantedBy([rule(claim, `${value}x`, "viewer")], keycloak)).toBeNull();
  });

  it("finds a claim whose own name has dots, and nothing that is inherited", () => {
    expect(claimAt({ "https://example.com/roles": ["a"] }, "https://example.com/roles")).toEqual(["a"]);
    for (const path of ["constructor", "__proto__.toString", "groups.length", "sub.length"]) {
      expect(claimAt(keycloak, path), path).toBeUndefined();
    }
  });

  it("takes the highest role, in the rooms of the rules that give it alone", () => {
    const rules = [
      rule("groups", "all", "viewer"),
      rule("groups", "a", "operator", ["one"]),
      rule("groups", "b", "operator", ["two", "one"]),
    ];
    expect(grantedBy(rules, { groups: ["all", "a", "b"] })).toEqual({ role: "operator", rooms: ["one", "two"] });
    expect(grantedBy(rules, { groups: ["all"] })).toEqual({ role: "viewer", rooms: null });
    expect(grantedBy(rules, { groups: "a" })).toEqual({ role: "operator", rooms: ["one"] });
    expect(grantedBy(rules, { groups: ["all-of-us", "A", ["a"]] })).toBeNull();
  });

  it("goes by no address that the provider has not verified", () => {
    const rules = [rule("email", "ada@example.com", "admin")];
    const email = "ada@example.com";
    expect(grantedBy(rules, { email, email_verified: true })).not.toBeNull();
    for (const email_verified of [undefined, false, "true", 1]) {
      expect(grantedBy(rules, { email, email_verified }), String(email_verified)).toBeNull();
    }
  });

  it("gives people ids that no key has, of bounded length, and names on one line", () => {
    expect(personId("ada")).toBe("person:ada");
    for (const sub of ["x".repeat(300), "a b", "a\nb"]) expect(personId(sub)).toMatch(/^person:[0-9a-f]{64}$/);
    expect(nameOf({ sub: "1", name: "Ada\u0000\n\u2028 L" })).toBe("Ada L");
    expect(nameOf({ sub: "1", name: "\u200b ", preferred_username: 7, email: "a@example.com" })).toBe("a@example.com");
    expect(nameOf({ sub: "1", name: "x".repeat(500) })).toHaveLength(100);
  });
});

it("a token against forged requests fits its session alone, and does not lead to it", () => {
  const token = csrfTokenOf("one");
  expect([isCsrfToken("one", token), isCsrfToken("two", token), isCsrfToken("one", "")]).toEqual([true, false, false]);
  expect(token).not.toBe(createHash("sha256").update("one").digest("base64url"));
});

describe("where a sign-in leads", () => {
  const here = "https://usher.example.com";
  it.each([
    ["", "/admin/sign-in"],
    ["/admin/rooms?a=b", "/admin/rooms?a=b"],
    ["/", "/"],
    // It would begin again and again, where the provider asks nothing.
    ["/admin/sign-in/start?return_to=/admin/sign-in/start", "/admin/sign-in"],
    ["/admin/x/../SIGN-IN/start", "/admin/sign-in"],
  ])("%j: to %s", (given, to) => expect(readReturnTo(given, here)).toBe(to));

  it.each([
    "//evil.example",
    "/\\evil.example",
    "\\\\evil.example",
    "https://evil.example/",
    "https://usher.example.com/",
    "javascript:alert(1)",
    "/\t/evil.example",
    "/..//evil.example",
    "/%0d%0a\r\nx",
    "admin",
    `/${"x".repeat(2_048)}`,
  ])("refuses %j", (given) => expect(() => readReturnTo(given, here)).toThrow("return_to"));
  it("refuses what is no text", () => expect(() => readReturnTo(["/a", "/b"], here)).toThrow("return_to"));
});

describe("the cookies of an https address", () => {
  const id = "x".repeat(43);
  const cookies = createSignInCookies(true, 3_600_000);
  const sent = (cookie = "") => {
    const set: string[] = [];
    const ctx = { headers: { cookie }, append: (_: string, value: string) => set.push(value) } as unknown as Context;
    return { ctx, set };
  };

  it("are of this host alone, and no script's", () => {
    const { ctx, set } = sent();
    cookies.setSession(ctx, id);
    cookies.begin(ctx, { state: "s", nonce: "n", verifier: "v" }, "/");
    const attributes = "Path=/; HttpOnly; SameSite=Lax; Secure";
    expect(set[0]).toBe(`__Host-usher-session=${id}; Max-Age=3600; ${attributes}`);
    expect(set[1]).toMatch(/^__Host-usher-sign-in=[\w-]+; Max-Age=600; Path=\/; HttpOnly; SameSite=Lax; Secure$/);
  });

  it("count by that name alone: any other could be a neighbour's", () => {
    expect(cookies.session(sent(`__Host-usher-session=${id}`).ctx)).toBe(id);
    for (const cookie of [`usher-session=${id}`, `x__Host-usher-session=${id}`, "__Host-usher-session=short"]) {
      expect(cookies.session(sent(cookie).ctx), cookie).toBeNull();
    }
  });

  it.each(["x", "", "e30", "x".repeat(5_000), Buffer.from('{"state":1}').toString("base64url")])(
    "of a sign-in that began says nothing where it is %j, and is deleted",
    (value) => {
      const { ctx, set } = sent(`__Host-usher-sign-in=${value}`);
      expect(cookies.takeTransaction(ctx)).toBeNull();
      expect(set).toEqual([expect.stringMatching(/^__Host-usher-sign-in=; Max-Age=0;/)]);
    },
  );
});
