/** A room's settings as they are written, and as the program has them. */
import { describe, expect, test } from "vitest";
import { readRoomSettings, roomSettings, writeRoomSettings } from "../../../../src/config/schema/room-settings.ts";
import { innermost, membersOf } from "../../../../src/config/schema/settings-codec.ts";

describe("a room's settings", () => {
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
      device_binding: "none",
      when_away: "let_in",
      check: {
        type: "challenge",
        challenge: "turnstile",
        when_away: "let_in",
        when: "suspicious",
        share: 0.2,
        difficulty: 2,
        difficulty_max: 8,
        without_scripts: "wait",
        wait: "45s",
      },
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
      address_rules: [
        { name: "office", action: "pass", ranges: ["203.0.113.0/28", "2001:db8:5::/48"] },
        { name: "scalpers", action: "refuse", ranges: ["192.0.2.0/24"] },
      ],
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

  test("rules for addresses have names of their own and so many ranges together", () => {
    const rule = (name: string, count: number, action = "refuse") => ({
      name,
      action,
      ranges: Array.from({ length: count }, (_, at) => `10.${at >> 8}.${at & 255}.0/24`),
    });
    const read = (rules: object) => roomSettings.safeParse({ address_rules: rules });
    const faults = (rules: object) => read(rules).error?.issues.map(({ path, message }) => [path.join("."), message]);
    expect(faults([rule("a", 1_000), rule("b", 1_000)])).toBeUndefined();
    expect(faults([rule("a", 1_000), rule("b", 1_000), rule("c", 1)])).toEqual([
      ["address_rules", "all rules together have 2001 ranges: expected at most 2000"],
    ]);
    expect(faults([rule("a", 1_001)])).toEqual([["address_rules.0.ranges", "expected a list of 1 to 1000 items"]]);
    expect(faults([rule("a", 1), rule("b", 1), rule("a", 1)])).toEqual([
      ["address_rules.2.name", "another rule of the room has this name"],
    ]);
    expect(faults(Array.from({ length: 51 }, (_, at) => rule(`r${at}`, 1)))).toEqual([
      ["address_rules", "expected a list of 1 to 50 items"],
    ]);
    const { addressRules } = readRoomSettings(roomSettings.parse({ address_rules: [rule("cloud", 1, "challenge")] }));
    expect(addressRules).toEqual([{ name: "cloud", action: "challenge", ranges: ["10.0.0.0/24"] }]);
    expect(writeRoomSettings({ addressRules: null })).toEqual({ address_rules: null });
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
