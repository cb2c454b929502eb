import { describe, expect, test } from "vitest";
import type { GateNotice } from "../../../../src/oidc/index.ts";
import {
  describeNotice,
  jsonStatus,
  noticeJson,
  retryAfterMs,
} from "../../../../src/web/visitor/pages/gate-notices.ts";

const room = {
  id: "tickets",
  title: "Autumn tour",
  state: { nowMs: 1_000 },
  storeNowMs: 1_700,
  nowMs: 1_700,
  settings: {},
  draws: { order: "arrival" },
} as unknown as GateNotice["room"];
const notice = (changes: Partial<GateNotice>) =>
  describeNotice({ status: 200, code: "not_open", room, ...changes } as GateNotice);

test("a room that is not open yet is asked for at its time, or every now and then", () => {
  expect(notice({ opensAtMs: 90_000 })).toMatchObject({
    code: "not_open",
    values: { room: "Autumn tour" },
    opensAtMs: 90_000,
    // As it is by now, however long ago the store was heard.
    nowMs: 1_700,
    autoRetryMs: 300_000,
    watch: { statusUrl: "/rooms/tickets/status", phase: "idle", spreadMs: 10_000 },
    action: { kind: "link", href: "", label: "try_again" },
  });
  expect(notice({ opensAtMs: 90_000, entryAtMs: 95_000 })).toMatchObject({ opensAtMs: 90_000, entryAtMs: 95_000 });
  expect(notice({ opensAtMs: 90_000, entryAtMs: 95_000 })).not.toHaveProperty("drawUrl");
  expect(notice({ opensAtMs: null })).toMatchObject({ opensAtMs: null, autoRetryMs: 30_000 });
  expect(notice({ retryMs: 5_000, returnTo: "/authorize?a=1" })).toMatchObject({
    autoRetryMs: 5_000,
    action: { href: "/authorize?a=1" },
  });
});

test("whoever comes before a prequeue is told that its places are drawn, and where that is explained", () => {
  const drawing = { ...room, draws: { order: "random" } } as unknown as typeof room;
  const drawUrl = "/rooms/tickets/draw";
  expect(notice({ room: drawing, opensAtMs: 90_000, entryAtMs: 95_000 })).toMatchObject({ drawUrl });
  expect(notice({ room: drawing, opensAtMs: 90_000, entryAtMs: null })).not.toHaveProperty("drawUrl");
});

test("a full line is asked again, after its status", () => {
  expect(notice({ code: "room_full" })).toMatchObject({
    code: "room_full",
    autoRetryMs: 30_000,
    watch: { statusUrl: "/rooms/tickets/status", phase: null },
  });
});

test("whoever comes from a crowded address tries again by itself, in no less than five seconds", () => {
  const watch = { statusUrl: "/rooms/tickets/status", phase: null, waitsForPlaces: false };
  expect(notice({ code: "too_many_from_address", retryMs: 100 })).toMatchObject({
    code: "too_many_from_address",
    autoRetryMs: 5_000,
    watch,
    action: { kind: "link", href: "", label: "try_again" },
  });
  expect(notice({ code: "too_many_from_address", retryMs: 12_000 })).toMatchObject({ autoRetryMs: 12_000 });
});

test("a line that has closed is watched for whoever holds a place, and asked for by hand by everybody", () => {
  const action = { kind: "link", href: "", label: "check_again" };
  expect(notice({ code: "ended" })).toEqual({ code: "ended", values: { room: "Autumn tour" }, action });
  expect(notice({ code: "ended", retryMs: 60_000, returnTo: "/authorize?a=1" })).toMatchObject({
    autoRetryMs: 60_000,
    watch: { statusUrl: "/rooms/tickets/status", phase: "ended" },
    action: { ...action, href: "/authorize?a=1" },
  });
});

test("whoever is told to hold on asks the status first, also of a room of which nothing is known yet", () => {
  const watch = { statusUrl: "/rooms/tickets/status", phase: null, waitsForPlaces: true };
  expect(notice({ code: "hold_on", retryMs: 2_300 })).toMatchObject({ autoRetryMs: 2_300, watch });
  const unknown = {
    id: "tickets",
    title: "Autumn tour",
    state: null,
    storeNowMs: null,
    settings: {},
    draws: { order: "arrival" },
  } as unknown as typeof room;
  expect(notice({ code: "hold_on", room: unknown })).toMatchObject({ watch });
  expect(notice({ code: "not_open", room: unknown })).not.toHaveProperty("nowMs");
});

describe("where nothing is left to wait for", () => {
  const label = [{ language: null, text: "Other cities" }];
  const links = [{ label, url: "https://a.example/cities" }];
  const nextSale = { title: [{ language: null, text: "More" }], startsAtMs: 5_000, url: "https://a.example/more" };
  const withSettings = { ...room, settings: { links, nextSale }, state: null } as unknown as typeof room;

  test.each(["ended", "sold_out", "place_expired", "place_left", "room_full"] as const)(
    "%s says where to go on",
    (code) => {
      expect(notice({ code, room: withSettings })).toMatchObject({
        links,
        nextSale,
        calendarUrl: "/rooms/tickets/calendar.ics?of=next_sale",
      });
      expect(notice({ code, room: { ...withSettings, settings: {} } as unknown as typeof room })).not.toHaveProperty(
        "links",
      );
    },
  );

  test("a room that is not open yet has its links, and its own opening for a calendar", () => {
    const shown = notice({ room: withSettings, opensAtMs: 90_000 });
    expect(shown).toMatchObject({ links, calendarUrl: "/rooms/tickets/calendar.ics?of=opening" });
    expect(shown).not.toHaveProperty("nextSale");
  });

  test("a sale that has begun is a link like the others", () => {
    const begun = { ...withSettings, nowMs: 5_000 } as unknown as typeof room;
    const shown = notice({ code: "ended", room: begun });
    expect(shown.links).toEqual([{ label: nextSale.title, url: nextSale.url }, ...links]);
    expect(shown).not.toHaveProperty("calendarUrl");
  });

  test.each(["hold_on", "cookies_blocked", "unknown_target", "too_many_logins"] as const)("%s does not", (code) => {
    expect(notice({ code, room: withSettings })).not.toHaveProperty("links");
  });

  test("programs are told where visitors are sent", () => {
    const redirect = "https://a.example/over";
    expect(noticeJson({ status: 200, code: "ended", room, redirect })).toMatchObject({ error: "room_ended", redirect });
    expect(noticeJson({ status: 200, code: "ended", room })).not.toHaveProperty("redirect");
  });
});

test("programs get the names of the wire", () => {
  const nameOf = (code: GateNotice["code"]) => noticeJson({ status: 200, code, room }).error;
  expect(nameOf("not_open")).toBe("not_open");
  expect(nameOf("ended")).toBe("room_ended");
  expect(nameOf("sold_out")).toBe("room_ended");
  expect(nameOf("room_full")).toBe("room_full");
});

test("programs are told when the line begins", () => {
  const tell = (changes: Partial<GateNotice>) => noticeJson({ status: 200, code: "not_open", room, ...changes });
  expect(tell({ opensAtMs: Date.UTC(2030, 0, 2, 20) })).toHaveProperty("opens_at", "2030-01-02T20:00:00.000Z");
  expect(tell({ opensAtMs: null })).toHaveProperty("opens_at", null);
  expect(tell({})).toHaveProperty("opens_at", null);
  expect(tell({ code: "ended" })).not.toHaveProperty("opens_at");
});

test.each([
  ["not_open", { opensAtMs: 61_700 }, 60_000],
  ["not_open", { opensAtMs: 9_000_000 }, 300_000],
  ["not_open", { opensAtMs: 1_000 }, 0],
  ["not_open", { opensAtMs: 61_700, room: { ...room, storeNowMs: null } }, 300_000],
  ["not_open", { opensAtMs: null }, 30_000],
  ["hold_on", { retryMs: 2_300 }, 2_300],
  ["hold_on", {}, 2_000],
  ["room_full", {}, 30_000],
  ["too_many_from_address", { retryMs: 100 }, 100],
  ["ended", { retryMs: 60_000 }, 60_000],
  ["ended", {}, undefined],
  ["too_many_logins", {}, undefined],
  ["navigation_required", {}, undefined],
] as const)("whoever is answered %s %j comes again after %s ms", (code, changes, expected) => {
  expect(retryAfterMs({ status: 200, code, room, ...changes } as GateNotice)).toBe(expected);
});

test.each([
  ["not_open", 200, 503],
  ["ended", 200, 409],
  ["sold_out", 200, 409],
  ["ticket_unreadable", 200, 409],
  ["place_expired", 200, 409],
  ["place_left", 200, 409],
  ["too_many_logins", 429, 429],
  ["room_full", 503, 503],
  ["too_many_from_address", 429, 429],
  ["link_preview", 200, 200],
] as const)("for programs, %s is no page with status %i but %i", (code, status, expected) => {
  expect(jsonStatus({ status, code, room })).toBe(expected);
});

test("a notice of a room has the words of its operator, and what looks for new ones", () => {
  const message = { severity: "warning", texts: [{ language: null, text: "Soon" }] };
  for (const code of ["not_open", "room_full", "ended", "hold_on", "place_left"] as const) {
    expect(notice({ code, room: { ...room, message } as unknown as GateNotice["room"] })).toMatchObject({ message });
    expect(notice({ code, room: { ...room, message: null } as unknown as GateNotice["room"] })).toMatchObject({
      message: null,
    });
  }
  expect(notice({ code: "unknown_target", room: null })).not.toHaveProperty("message");
});

test("before its class opens, an invitation's page goes by the time alone: the room's status says nothing of it", () => {
  const early = (opensAtMs: number) => notice({ code: "invitation_early", opensAtMs, returnTo: "/rooms/r/enter" });
  const nowMs = room?.storeNowMs ?? 0;
  expect(early(nowMs + 60_000)).toMatchObject({ opensAtMs: nowMs + 60_000, autoRetryMs: 60_000, nowMs });
  expect(early(nowMs + 9_000_000)).toMatchObject({ autoRetryMs: 300_000 });
  expect(early(nowMs)).toMatchObject({ autoRetryMs: 1_000 });
  expect(early(nowMs + 60_000)).not.toHaveProperty("watch");
  const told = { status: 403, code: "invitation_early", room, opensAtMs: 60_000 } as const;
  expect(noticeJson(told)).toMatchObject({ error: "invitation_early", opens_at: "1970-01-01T00:01:00.000Z" });
});
