/** The schema of a room's settings and the type of those that the store keeps say the same. */
import { describe, expect, expectTypeOf, test } from "vitest";
import {
  type RoomSettingsConfig,
  readRoomSettings,
  roomSettings,
  writeRoomSettings,
} from "../../../../src/config/schema/room-settings.ts";
import { innermost, membersOf } from "../../../../src/config/schema/settings-codec.ts";
import type { RoomSettings } from "../../../../src/store/contract/room-settings.ts";

/** As it is written out: an interface and the type that follows from the schema have the same members. */
type Plain<T> = T extends readonly (infer Item)[]
  ? readonly Plain<Item>[]
  : T extends object
    ? { readonly [Key in keyof T]: Plain<T[Key]> }
    : T;

describe("a room's settings", () => {
  test("are of the type that the store's contract has", () => {
    expectTypeOf<Plain<RoomSettingsConfig>>().toEqualTypeOf<Plain<RoomSettings>>();
  });

  test("are written as they were read", () => {
    const written = {
      title: "Sale",
      message: { text: { en: "Soon", de: "Bald" }, severity: "warning" },
      inlet: {
        type: "adaptive",
        outflow_per_minute: 600,
        starts_at: "2027-03-01T10:00:00+01:00",
        ends_at: null,
        max_active: null,
        floor_per_minute: 6,
        start_per_minute: 60,
        step_per_minute: 12,
        latency_ms: 800,
        times_baseline: 3,
        error_rate: 0.05,
        decide_every: "10s",
        probe: { url: "https://a/", interval: "2s", timeout: "5s" },
        weight: 2,
        gate: { health_url: "https://a/", interval: "5s", timeout: "2s", unhealthy_after: 3, healthy_after: 2 },
      },
      schedule: {
        prequeue_at: null,
        opens_at: "2027-03-01T10:00:00+01:00",
        ends_at: null,
        time_zone: "Europe/Berlin",
      },
      when_idle: "page",
      when_ended: { redirect: "https://a.example/over" },
      links: [
        { label: { en: "Other cities", de: "Andere Städte" }, url: "https://a.example/cities" },
        { label: "Newsletter", url: "https://a.example/news" },
      ],
      next_sale: {
        title: { en: "Extra concert", de: "Zusatzkonzert" },
        starts_at: "2027-04-01T10:00:00+02:00",
        url: "https://a.example/extra",
      },
      while_waiting: { en: "## Soon\n\nDoors at *seven*.", de: "Bald" },
      max_waiting: 5,
      stock: { show: "number", per_visitor: 2.5, returns: false },
      draw: { order: "arrival", beacon: "none" },
      admission: {
        duration: "20m",
        max_duration: "1h",
        claim_within: "15m",
        logins_per_admission: 20,
        addresses_per_admission: 5,
        first_visit_within: "2m",
      },
      admission_log: { max_entries: 0 },
      admission_events: true,
      rehearsal: true,
      push: true,
      show_people: true,
      moves: "unlimited",
      when_away: "let_in",
      joins_per_address: {
        per_minute: 60,
        burst: 120,
        prequeue: "off",
        ranges: [
          { range: "198.51.100.0/24", limit: "off" },
          { range: "2001:db8::/32", limit: { per_minute: 600, burst: 1_200, prequeue: 500 } },
          { range: "203.0.113.9", limit: { prequeue: "off" } },
        ],
      },
      waiting_status: 202,
    };
    const { inlet, ...settings } = readRoomSettings(roomSettings.parse(written));
    const kept = { ...settings, title: "Sale", inlet: { ...inlet, sharedOutflow: null } };
    expect(writeRoomSettings(kept, "Europe/Berlin")).toEqual({
      ...written,
      inlet: { ...written.inlet, shared_outflow: null },
    });
    // Nothing that there is was left out above.
    const named = (members: object) => Object.keys(members).sort();
    expect(named(written)).toEqual(named(roomSettings.shape));
    for (const [group, members] of Object.entries(written)) {
      const known = membersOf(innermost(roomSettings.shape[group as keyof typeof roomSettings.shape]));
      if (known !== null && group !== "inlet")
        expect(named(members as object)).toEqual(known.map(([key]) => key).sort());
    }
  });

  const joinsOf = (written: object) =>
    readRoomSettings(roomSettings.parse({ joins_per_address: written })).joinsPerAddress;

  test("that say nothing are none, and joins without a limit are off", () => {
    const { inlet, ...settings } = readRoomSettings(roomSettings.parse({ joins_per_address: "off" }));
    expect(settings).toMatchObject({ message: null, maxWaiting: null, joinsPerAddress: null, logRowsMax: 100_000 });
    expect(inlet).toEqual({
      type: "manual",
      outflowPerMinute: null,
      startsAtMs: null,
      endsAtMs: null,
      maxActive: null,
      gate: null,
    });
    expect(
      joinsOf({ per_minute: 60, prequeue: 5, ranges: [{ range: "2001:db8::/32", limit: { per_minute: 600 } }] }),
    ).toEqual({
      perMinute: 60,
      burst: 120,
      prequeue: 5,
      ranges: [{ range: "2001:db8::/32", limit: { perMinute: 600, burst: 1_200 } }],
    });
    expect(joinsOf({ prequeue: "off" })).toEqual({ perMinute: 600, burst: 1_200, prequeue: "any" });
    expect(joinsOf({})).toEqual({ perMinute: 600, burst: 1_200 });
    expect(writeRoomSettings({ joinsPerAddress: null })).toEqual({ joins_per_address: "off" });
  });
});
