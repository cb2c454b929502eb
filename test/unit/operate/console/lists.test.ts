/** What the forms of records send, and what is said of keys. */
import { describe, expect, it } from "vitest";
import { PROFILE_NAMES } from "../../../../src/config/schema/choices.ts";
import { changesIn, fingerprintOf, patchOf } from "../../../../src/operate/console/forms/draft.ts";
import { adminKeys } from "../../../../src/operate/console/records/admin-keys.tsx";
import { profiles, snippetCommand } from "../../../../src/operate/console/records/client-setup.ts";
import { clients } from "../../../../src/operate/console/records/clients.tsx";
import { isEarly, type Key, nextOf, texts, warningOf } from "../../../../src/operate/console/records/key-life.ts";
import type { RecordField } from "../../../../src/operate/console/records/record.ts";
import { newDocument } from "../../../../src/operate/console/records/record-form.tsx";

/** What would be changed in a document by what is written into fields of its form. */
function patchFor(fields: readonly RecordField[], document: unknown, written: Readonly<Record<string, string>>) {
  const layers = { file: null, live: null, inForce: null, document };
  const entries = fields.map((field) => ({ field, isOfDocument: true }));
  const drafts = Object.entries(written).map(([path, text]) => {
    const entry = entries.find(({ field }) => field.path === path);
    if (entry === undefined) throw new Error(`no field ${path}`);
    return [path, { text, seen: fingerprintOf(entry, layers) }] as const;
  });
  return patchOf(changesIn(entries, layers, new Map(drafts), "UTC").changes);
}
const sentFor = (fields: readonly RecordField[], written: Readonly<Record<string, string>>) =>
  newDocument(fields, patchFor(fields, {}, written));

describe("a client in a form", () => {
  const fields = clients.form?.fields([]) ?? [];

  it("has the kinds of relying parties that the configuration has", () => {
    expect(Object.keys(profiles).sort()).toEqual([...PROFILE_NAMES].sort());
  });

  it("is sent without what was not entered, and its lists without empty lines", () => {
    expect(sentFor(fields, { redirect_uris: " https://a.example/cb \n\n ", require_pkce: "false" })).toEqual({
      profile: "generic",
      redirect_uris: ["https://a.example/cb"],
      require_pkce: false,
    });
    expect(sentFor(fields, {})).toEqual({ profile: "generic", redirect_uris: [] });
  });

  it("is changed by what differs now; what was emptied is left out of it", () => {
    const row = { document: { room: "shop", redirect_uris: ["https://a.example/cb"], login_timeout: "7m" } };
    const document = clients.form?.documentOf?.(row as never);
    const written = { rooms: "shop", login_timeout: "7m", redirect_uris: "https://a.example/cb", profile: "generic" };
    expect(patchFor(fields, document, written)).toEqual({});
    const changes = { rooms: "shop\nbar", login_timeout: " ", refresh_tokens: "true", require_pkce: "" };
    const patch = patchFor(fields, document, changes);
    expect(patch).toEqual({ rooms: ["shop", "bar"], login_timeout: null, refresh_tokens: true });
    expect(patchFor(fields, document, { rooms: "" })).toEqual({ rooms: null });
    // The room of the document gives way to the rooms of the form.
    expect(clients.form?.alsoChanged?.(row as never, patch)).toEqual({ room: null });
    expect(clients.form?.alsoChanged?.(row as never, {})).toEqual({});
  });

  it("names a command for all kinds that have a guide, in one word for a shell", () => {
    expect(Object.keys(profiles).filter((name) => snippetCommand("a", name) === null)).toEqual(["generic"]);
    expect(snippetCommand("a'; rm -rf $HOME", "alb")).toBe(`usher snippet alb --client 'a'\\''; rm -rf $HOME'`);
    expect(snippetCommand("-x", "alb")).toBe("usher snippet alb --client '-x'");
  });
});

describe("an admin key in a form", () => {
  const fields = adminKeys.form?.fields([]) ?? [];

  it("is for all rooms and has no end unless that is entered; a time is sent with its zone", () => {
    expect(sentFor(fields, {})).toEqual({ role: "viewer" });
    const entered = { role: "operator", rooms: "shop", expires_at: "2031-05-11T00:00", note: " x " };
    expect(sentFor(fields, entered)).toEqual({
      role: "operator",
      rooms: ["shop"],
      expires_at: new Date(2031, 4, 11).toISOString(),
      note: "x",
    });
    expect(sentFor(fields, { expires_at: "soon" })).toMatchObject({ expires_at: "soon" });
  });
});

describe("a key of an issuer", () => {
  const nowMs = Date.parse("2026-05-01T10:00:00Z");
  const later = "2026-05-02T10:00:00Z";
  const earlier = "2026-05-01T09:00:00Z";
  const key = (members: Partial<Key>) =>
    ({ purpose: "signing", may_promote_at: null, may_retire_at: null, ...members }) as Key;

  it("says what happens next, and from when", () => {
    expect(nextOf(key({ state: "active" }), nowMs)).toEqual({ text: texts.nextByState.active, atMs: null });
    expect(nextOf(key({ state: "staged", may_promote_at: later }), nowMs)).toEqual({
      text: texts.nextAt.promote,
      atMs: Date.parse(later),
    });
    expect(nextOf(key({ state: "staged", may_promote_at: earlier }), nowMs).text).toBe(texts.nextNow.promote);
    expect(nextOf(key({ state: "retiring", may_retire_at: later }), nowMs).text).toBe(texts.nextAt.retire);
    expect(nextOf(key({ state: "retiring", may_retire_at: earlier }), nowMs).text).toBe(texts.nextNow.retire);
  });

  it("says what a step costs before its time, by what it has signed", () => {
    const early = key({ state: "retiring", purpose: "tickets", may_retire_at: later });
    expect([isEarly(early, "retire", nowMs), warningOf(early, "retire", nowMs)]).toEqual([
      true,
      texts.earlyRetirement.tickets,
    ]);
    const due = key({ state: "retiring", may_retire_at: earlier });
    expect([isEarly(due, "retire", nowMs), warningOf(due, "retire", nowMs)]).toEqual([false, texts.warnings.retire]);
    // It goes back to signing at once.
    expect(isEarly(early, "promote", nowMs)).toBe(false);
    expect(warningOf(key({ state: "new" }), "retire", nowMs)).toBe(texts.warnings.retireUnused);
    expect(warningOf(key({ state: "staged", may_promote_at: later }), "promote", nowMs)).toBe(
      texts.warnings.promoteEarly,
    );
  });
});
