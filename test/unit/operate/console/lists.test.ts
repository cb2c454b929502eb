/** What the forms of the installation's lists send, and what is said of keys. */
import { describe, expect, it } from "vitest";
import { PROFILE_NAMES } from "../../../../src/config/schema/profiles.ts";
import {
  authMethods,
  membersOf,
  profiles,
  snippetCommand,
  valuesOf,
} from "../../../../src/operate/console/clients/client-values.ts";
import { adminKeyBody, newAdminKey } from "../../../../src/operate/console/keys/admin-key-values.ts";
import { isEarly, type Key, meaningOf, nextOf } from "../../../../src/operate/console/keys/key-steps.ts";
import { texts as keysTexts } from "../../../../src/operate/console/keys/texts.ts";
import { given, patchOf } from "../../../../src/operate/console/parts/form/members.ts";

describe("a client in a form", () => {
  it("has the kinds of relying parties that the configuration has", () => {
    expect([...profiles].sort()).toEqual([...PROFILE_NAMES].sort());
    expect(authMethods).toContain("private_key_jwt");
  });

  it("is sent without what was not entered, and its lists without empty lines", () => {
    const values = { ...valuesOf({}), redirect_uris: [" https://a.example/cb ", "", " "], require_pkce: "no" };
    expect(given(membersOf(values))).toEqual({
      profile: "generic",
      redirect_uris: ["https://a.example/cb"],
      require_pkce: false,
    });
  });

  it("is changed by what is another now; what was emptied goes back to what is usual", () => {
    const before = valuesOf({ room: "shop", redirect_uris: ["https://a.example/cb"], login_timeout: "7m" });
    const after = { ...before, rooms: ["shop", "bar"], login_timeout: " ", refresh_tokens: "yes" };
    expect(patchOf(membersOf(before), membersOf(before))).toEqual({});
    expect(patchOf(membersOf(before), membersOf(after))).toEqual({
      rooms: ["shop", "bar"],
      login_timeout: null,
      refresh_tokens: true,
    });
  });

  it("names a command for all kinds that have a guide, in one word for a shell", () => {
    expect(profiles.filter((each) => snippetCommand("a", each) === null)).toEqual(["generic"]);
    expect(snippetCommand("a'; rm -rf $HOME", "alb")).toBe(`usher snippet alb --client 'a'\\''; rm -rf $HOME'`);
    expect(snippetCommand("-x", "alb")).toBe("usher snippet alb --client '-x'");
  });
});

describe("an admin key in a form", () => {
  it("is for all rooms and has no end unless that is entered; a time is told with its zone", () => {
    expect(adminKeyBody(newAdminKey)).toEqual({ role: "viewer" });
    const entered = { ...newAdminKey, role: "operator", rooms: ["shop"], expires_at: "2031-05-11T00:00", note: " x " };
    expect(adminKeyBody(entered)).toEqual({
      role: "operator",
      rooms: ["shop"],
      expires_at: new Date(2031, 4, 11).toISOString(),
      note: "x",
    });
    expect(adminKeyBody({ ...newAdminKey, expires_at: "soon" }).expires_at).toBe("soon");
  });
});

describe("a key of an issuer", () => {
  const nowMs = Date.parse("2026-05-01T10:00:00Z");
  const later = "2026-05-02T10:00:00Z";
  const earlier = "2026-05-01T09:00:00Z";
  const key = (given: Partial<Key>) =>
    ({ purpose: "signing", may_promote_at: null, may_retire_at: null, ...given }) as Key;

  it("says what happens next, and from when", () => {
    expect(nextOf(key({ state: "active" }), nowMs)).toEqual({ text: keysTexts.signing.nextByState.active, atMs: null });
    expect(nextOf(key({ state: "staged", may_promote_at: later }), nowMs)).toEqual({
      text: keysTexts.signing.nextAt.promote,
      atMs: Date.parse(later),
    });
    expect(nextOf(key({ state: "staged", may_promote_at: earlier }), nowMs).text).toBe(
      keysTexts.signing.nextNow.promote,
    );
    expect(nextOf(key({ state: "retiring", may_retire_at: later }), nowMs).text).toBe(keysTexts.signing.nextAt.retire);
    expect(nextOf(key({ state: "retiring", may_retire_at: earlier }), nowMs).text).toBe(
      keysTexts.signing.nextNow.retire,
    );
  });

  it("says what a step costs before its time, by what it has signed", () => {
    const early = key({ state: "retiring", purpose: "tickets", may_retire_at: later });
    expect([isEarly(early, "retire", nowMs), meaningOf(early, "retire", nowMs)]).toEqual([
      true,
      keysTexts.signing.earlyRetirement.tickets,
    ]);
    const due = key({ state: "retiring", may_retire_at: earlier });
    expect([isEarly(due, "retire", nowMs), meaningOf(due, "retire", nowMs)]).toEqual([
      false,
      keysTexts.signing.warnings.retire,
    ]);
    // It goes back to signing at once.
    expect(isEarly(early, "promote", nowMs)).toBe(false);
    expect(meaningOf(key({ state: "new" }), "retire", nowMs)).toBe(keysTexts.signing.warnings.retireUnused);
    expect(meaningOf(key({ state: "staged", may_promote_at: later }), "promote", nowMs)).toBe(
      keysTexts.signing.warnings.promoteEarly,
    );
  });
});
