import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { writeRoomSettings } from "../../../../src/config/index.ts";
import { emptyBody, validate } from "../../../../src/operate/admin-api/bodies.ts";
import { admissionBody } from "../../../../src/operate/admin-api/rooms/admissions.ts";
import {
  phaseWarnings,
  scheduleWarnings,
  standingWarnings,
} from "../../../../src/operate/admin-api/rooms/schedule-warnings.ts";
import {
  effectiveSettings,
  patchLive,
  readSettingsBody as read,
} from "../../../../src/operate/admin-api/rooms/settings.ts";
import { alarmBody, incrementBody, reportBody } from "../../../../src/operate/admin-api/rooms/step-bodies.ts";
import type { RoomSettings, RoomState } from "../../../../src/room/index.ts";
import { manualSettings } from "../../../support/room-settings.ts";

const file = manualSettings;
const morning = Date.UTC(2027, 2, 1, 9);
const hour = 3_600_000;
/** A file that uses everything. */
const full: RoomSettings = {
  ...file,
  message: { severity: "information", texts: [{ language: null, text: "Doors at ten" }] },
  inlet: {
    type: "periodic",
    outflowPerMinute: 600,
    maxActive: null,
    startsAtMs: morning,
    endsAtMs: morning + hour,
    sharedOutflow: { id: "shop", outflowPerMinute: 1_000, weight: 2 },
    gate: { healthUrl: "http://a/", intervalMs: 5_000, timeoutMs: 2_000, unhealthyAfter: 3, healthyAfter: 2 },
  },
  schedule: { prequeueAtMs: morning - hour, opensAtMs: morning, endsAtMs: morning + hour },
  whenIdle: "pass_through",
  maxWaiting: 50_000,
  admission: { ...file.admission, maxDurationMs: 2 * hour },
};

/** The message that a body is refused with. */
function refusal(act: () => unknown): string {
  try {
    act();
  } catch (error) {
    expect(error).toMatchObject({ code: "bad_request", status: 400 });
    return error instanceof Error ? error.message : "";
  }
  throw new Error("nothing was refused");
}

describe("a change of settings", () => {
  test("replaces what it names, keeps the rest, and null gives a value back to the file", () => {
    const first = patchLive({}, read({ inlet: { type: "periodic", outflow_per_minute: 600 }, title: "Sale" }));
    expect(effectiveSettings(file, first)).toEqual({
      ...file,
      title: "Sale",
      inlet: { ...file.inlet, type: "periodic", outflowPerMinute: 600 },
    });
    const second = patchLive(first, read({ admission: { duration: "5m" }, title: null }));
    expect(effectiveSettings(file, second)).toMatchObject({
      title: "Tickets",
      inlet: { type: "periodic", outflowPerMinute: 600 },
      admission: { durationMs: 300_000, claimWithinMs: 900_000 },
    });
    expect(patchLive(second, read({ inlet: null, admission: { duration: null } }))).toEqual({});
  });

  test("reaches gate, probe, weight, joins per address, log and status; off is none, and null gives back to the file", () => {
    const ofFile: RoomSettings = { ...full, joinsPerAddress: { perMinute: 600, burst: 1_200 }, waitingStatus: 200 };
    const gate = { health_url: "http://b/", interval: "10s" };
    const first = patchLive(
      {},
      read({
        inlet: { gate, weight: 5 },
        joins_per_address: { per_minute: 60 },
        admission_log: { max_entries: 5 },
        waiting_status: 429,
      }),
    );
    const changed = effectiveSettings(ofFile, first);
    expect(changed).toMatchObject({
      inlet: { weight: 5, gate: { healthUrl: "http://b/", intervalMs: 10_000, timeoutMs: 2_000, unhealthyAfter: 3 } },
      joinsPerAddress: { perMinute: 60, burst: 120 },
      logRowsMax: 5,
      waitingStatus: 429,
    });
    expect(writeRoomSettings(first)).toEqual({
      inlet: {
        weight: 5,
        gate: { health_url: "http://b/", interval: "10s", timeout: "2s", unhealthy_after: 3, healthy_after: 2 },
      },
      joins_per_address: { per_minute: 60, burst: 120 },
      admission_log: { max_entries: 5 },
      waiting_status: 429,
    });
    const off = patchLive(first, read({ inlet: { gate: "off" }, joins_per_address: "off" }));
    expect(effectiveSettings(ofFile, off)).toMatchObject({ inlet: { gate: null, weight: 5 }, joinsPerAddress: null });
    expect(writeRoomSettings(effectiveSettings(ofFile, off))).toMatchObject({ joins_per_address: "off" });
    const body = {
      inlet: { gate: null, weight: null },
      joins_per_address: null,
      admission_log: null,
      waiting_status: null,
    };
    expect(patchLive(off, read(body))).toEqual({});
    const alone = { ...file, inlet: { ...file.inlet, sharedOutflow: null } };
    expect(refusal(() => effectiveSettings(alone, patchLive({}, read({ inlet: { weight: 2 } }))))).toMatch(
      /^inlet\.weight: only with shared_outflow/,
    );
  });

  test("keeps what the file alone says", () => {
    const kept = { logRowsMax: 0, waitingStatus: 202, joinsPerAddress: null } as const;
    expect(effectiveSettings({ ...file, ...kept }, patchLive({}, read({ title: "Sale" })))).toMatchObject(kept);
  });

  test("reaches everything that can be changed live", () => {
    const body = {
      title: "Sale",
      message: "Soon",
      inlet: {
        type: "periodic",
        outflow_per_minute: 60,
        starts_at: "2027-03-01T11:00",
        ends_at: "2027-03-01T12:00+01:00",
      },
      schedule: {
        prequeue_at: "2027-03-01T09:00[Europe/Berlin]",
        opens_at: "2027-03-01T09:30Z",
        ends_at: "2027-03-01T12:00",
        time_zone: "Europe/Berlin",
      },
      when_idle: "pass_through",
      when_ended: "pass_through",
      max_waiting: 0,
      admission: { duration: "10m", max_duration: "1h", claim_within: "1m", logins_per_admission: 2 },
    };
    const live = patchLive({}, read(body));
    expect(live).toEqual({
      title: "Sale",
      message: { severity: "information", texts: [{ language: null, text: "Soon" }] },
      inlet: { type: "periodic", outflowPerMinute: 60, startsAtMs: morning + hour, endsAtMs: morning + 2 * hour },
      schedule: { prequeueAtMs: morning - hour, opensAtMs: morning + hour / 2, endsAtMs: morning + 2 * hour },
      timeZone: "Europe/Berlin",
      whenIdle: "pass_through",
      whenEnded: "pass_through",
      maxWaiting: 0,
      admission: { durationMs: 600_000, maxDurationMs: hour, claimWithinMs: 60_000, loginsPerAdmission: 2 },
    });
    expect(effectiveSettings(file, live)).toEqual({ ...file, ...live, inlet: { ...file.inlet, ...live.inlet } });
    const nothing = Object.fromEntries(Object.keys(body).map((key) => [key, null]));
    expect(patchLive(live, read(nothing))).toEqual({});
    const inEachGroup = {
      inlet: { type: null, outflow_per_minute: null, starts_at: null, ends_at: null, max_active: null },
      schedule: { prequeue_at: null, opens_at: null, ends_at: null, time_zone: null },
      admission: { duration: null, max_duration: null, claim_within: null, logins_per_admission: null },
    };
    expect(Object.keys(patchLive(live, read(inEachGroup)))).toEqual([
      "title",
      "message",
      "whenIdle",
      "whenEnded",
      "maxWaiting",
    ]);
  });

  test("of the message is of its text, its languages and how grave it is together", () => {
    const spoken = { severity: "warning", texts: [{ language: "en", text: "Soon" }] } as const;
    const graver: RoomSettings = { ...file, message: spoken };
    const plain = patchLive({}, read({ message: "Soon" }));
    expect(writeRoomSettings(effectiveSettings(graver, plain)).message).toBe("Soon");
    const soldOut = patchLive(plain, read({ message: { text: "Gone", severity: "sold_out" } }));
    expect(writeRoomSettings(effectiveSettings(graver, soldOut)).message).toEqual({
      text: "Gone",
      severity: "sold_out",
    });
    expect(writeRoomSettings(soldOut)).toEqual({ message: { text: "Gone", severity: "sold_out" } });
    const back = patchLive(soldOut, read({ message: null }));
    expect(back).toEqual({});
    expect(writeRoomSettings(effectiveSettings(graver, back)).message).toEqual({
      text: { en: "Soon" },
      severity: "warning",
    });
  });

  test("of one member after another is the same as of all at once", () => {
    const members = fc.record(
      {
        title: fc.constantFrom("a", "b", null),
        max_waiting: fc.constantFrom(0, 5, null),
        inlet: fc.record(
          {
            outflow_per_minute: fc.constantFrom(1, 60, null),
            max_active: fc.constantFrom(1, null),
            starts_at: fc.constantFrom("2027-03-01T09:00Z", null),
          },
          { requiredKeys: [] },
        ),
        schedule: fc.record({ ends_at: fc.constantFrom("2027-03-01T09:00Z", null) }, { requiredKeys: [] }),
      },
      { requiredKeys: [] },
    );
    fc.assert(
      fc.property(members, members, (before, patch) => {
        const live = patchLive({}, read(before));
        const atOnce = patchLive(live, read(patch));
        const oneByOne = Object.entries(patch).reduce(
          (sum, [key, value]) => patchLive(sum, read({ [key]: value })),
          live,
        );
        expect(oneByOne).toEqual(atOnce);
        expect(patchLive(atOnce, read(patch))).toEqual(atOnce);
      }),
    );
  });

  test("keeps the zone of its times, and a later local time is of that zone", () => {
    const zones = { inForce: "Europe/Berlin", file: "America/New_York" };
    const opensAtMs = (schedule: object) => read({ schedule }, zones).times.opensAtMs;
    expect(opensAtMs({ opens_at: "2027-03-01T10:00" })).toBe(morning);
    expect(opensAtMs({ opens_at: "2027-03-01T10:00", time_zone: "Asia/Tokyo" })).toBe(morning - 8 * hour);
    // Given back: the file's zone is in force again.
    expect(opensAtMs({ opens_at: "2027-03-01T10:00", time_zone: null })).toBe(morning + 6 * hour);
    const live = patchLive({}, read({ schedule: { opens_at: "2027-03-01T10:00", time_zone: "Europe/Berlin" } }));
    expect(patchLive(live, read({ schedule: { opens_at: null } }))).toEqual({ timeZone: "Europe/Berlin" });
    expect(patchLive(live, read({ schedule: { time_zone: null } }))).toEqual({ schedule: { opensAtMs: morning } });
    expect(patchLive(live, read({ schedule: null }))).toEqual({});
    expect(effectiveSettings({ ...file, timeZone: "Asia/Tokyo" }, live).timeZone).toBe("Europe/Berlin");
    expect(effectiveSettings({ ...file, timeZone: "Asia/Tokyo" }, {}).timeZone).toBe("Asia/Tokyo");
    expect(effectiveSettings(file, {})).toEqual(file);
  });

  test("into the past is taken as it is", () => {
    const live = patchLive({}, read({ schedule: { opens_at: "2001-01-01T00:00Z", ends_at: "2002-01-01T00:00Z" } }));
    expect(effectiveSettings(file, live).schedule.endsAtMs).toBe(Date.UTC(2002, 0, 1));
  });
});

describe("settings that contradict each other", () => {
  test("name a time that the body does not, and whether it is the file's", () => {
    const early = read({ schedule: { opens_at: "2027-03-01T07:00Z" } });
    expect(refusal(() => effectiveSettings(full, patchLive({}, early)))).toBe(
      "schedule.opens_at: expected a time after schedule.prequeue_at, 2027-03-01T08:00:00.000Z (from the file)",
    );
    const live = patchLive({}, read({ schedule: { prequeue_at: "2027-03-01T08:30Z" } }));
    expect(refusal(() => effectiveSettings(full, patchLive(live, early)))).toBe(
      "schedule.opens_at: expected a time after schedule.prequeue_at, 2027-03-01T08:30:00.000Z",
    );
  });

  test.each([
    [file, { inlet: { type: "periodic" } }, [/^inlet\.outflow_per_minute: required: .*periodic/]],
    [file, { inlet: { type: "max_active" } }, [/^inlet\.max_active: required/]],
    [file, { inlet: { type: "adaptive" } }, [/^inlet\.outflow_per_minute: required: .*adaptive/]],
    [file, { inlet: { latency_ms: 5 } }, [/^inlet\.latency_ms: only for type adaptive, not for manual/]],
    [
      full,
      { inlet: { type: "adaptive", floor_per_minute: 700 } },
      [/^inlet\.floor_per_minute: expected at most outflow_per_minute \(600\)/],
    ],
    [file, { inlet: { max_active: 5 } }, [/^inlet\.max_active: only for type max_active, not for manual/]],
    [
      file,
      { inlet: { starts_at: "2027-03-01T09:00Z" } },
      [/^inlet\.starts_at: only for type periodic or adaptive, not for manual/],
    ],
    [file, { schedule: { prequeue_at: "2027-03-01T09:00Z" } }, [/^schedule\.opens_at: required where prequeue_at/]],
    [file, { admission: { max_duration: "20m" } }, [/^admission\.max_duration: expected more than duration \(20m\)/]],
    [
      full,
      { schedule: { opens_at: "2027-03-01T08:00Z" } },
      [/^schedule\.opens_at: expected a time after schedule\.prequeue_at/],
    ],
    [
      full,
      { schedule: { opens_at: "2027-03-01T10:00Z" } },
      [/^schedule\.ends_at: expected a time after schedule\.opens_at/],
    ],
    [
      full,
      { inlet: { ends_at: "2027-03-01T09:00Z", max_active: 1 }, admission: { duration: "3h" } },
      [
        /inlet\.max_active: only for type max_active, not for periodic/,
        /inlet\.ends_at: expected a time after inlet\.starts_at/,
        /admission\.max_duration: expected more than duration \(3h\)/,
      ],
    ],
  ])("are refused with the path of each, all at once (%#)", (of, body, patterns) => {
    const message = refusal(() => effectiveSettings(of, patchLive({}, read(body))));
    for (const pattern of patterns) expect(message).toMatch(pattern);
    expect(message.split("; ").filter((part) => /^\w+\.\w+: /.test(part))).toHaveLength(patterns.length);
  });

  test("what the file says for its own type of inlet is in nobody's way", () => {
    const adaptive: RoomSettings = {
      ...file,
      inlet: { ...file.inlet, type: "adaptive", outflowPerMinute: 600, floorPerMinute: 60, latencyMs: 800 },
    };
    for (const inlet of [{ type: "manual" }, { outflow_per_minute: 30 }, { start_per_minute: 10 }]) {
      expect(() => effectiveSettings(adaptive, patchLive({}, read({ inlet })))).not.toThrow();
    }
    for (const [body, type] of [
      [{ inlet: { type: "manual" } }, "manual"],
      [{ inlet: { type: "max_active", max_active: 500 } }, "max_active"],
    ] as const) {
      expect(effectiveSettings(full, patchLive({}, read(body))).inlet.type).toBe(type);
    }
    const active: RoomSettings = { ...file, inlet: { ...file.inlet, type: "max_active", maxActive: 5 } };
    expect(effectiveSettings(active, patchLive({}, read({ inlet: { type: "manual" } }))).inlet.type).toBe("manual");
  });

  test("a share of an outflow is a limit", () => {
    const shared: RoomSettings = { ...full, inlet: { ...full.inlet, outflowPerMinute: null } };
    expect(effectiveSettings(shared, {}).inlet.type).toBe("periodic");
  });
});

describe("settings are written", () => {
  test("with times in UTC, or in the zone that is asked for", () => {
    const { schedule } = writeRoomSettings(full);
    expect(schedule).toMatchObject({ opens_at: "2027-03-01T09:00:00.000Z" });
    expect(writeRoomSettings({ ...full, timeZone: "Europe/Berlin" }, "Europe/Berlin")).toMatchObject({
      inlet: { starts_at: "2027-03-01T10:00:00+01:00" },
      schedule: { opens_at: "2027-03-01T10:00:00+01:00", time_zone: "Europe/Berlin" },
    });
    // A zone that this process does not know.
    expect(writeRoomSettings(full, "Mars/Base")).toEqual(writeRoomSettings(full));
    expect(writeRoomSettings({ timeZone: "Europe/Berlin" }, "Europe/Berlin")).toEqual({
      schedule: { time_zone: "Europe/Berlin" },
    });
  });
});

describe("a time that will change nothing", () => {
  const past = morning - hour;
  const later = morning + hour;
  const stateIn = (basePhase: RoomState["basePhase"]) =>
    ({ basePhase, nowMs: morning, settings: { effective: full } }) as unknown as RoomState;

  test.each([
    ["open", { opensAtMs: later }, /^schedule.opens_at: 2027-03-01T10:00:00.000Z will change nothing: .*open already/],
    ["open", { prequeueAtMs: later }, /^schedule.prequeue_at: .*will change nothing: the room is open already/],
    ["prequeue", { prequeueAtMs: later }, /^schedule.prequeue_at: .*in the phase prequeue already/],
    ["ended", { endsAtMs: later }, /^schedule.ends_at: .*the room has ended/],
    ["passthrough", { opensAtMs: later }, /^schedule.opens_at: .*the room is off/],
    ["idle", { opensAtMs: past }, /^schedule.opens_at: .*is past and was carried out before, .*POST …\/open/],
    ["open", { inletEndsAtMs: past }, /^inlet.ends_at: .*is past: the line does not move by itself/],
  ] as const)("in the phase %s: %j is said", (phase, times, warning) => {
    expect(scheduleWarnings(stateIn(phase), times)).toEqual([expect.stringMatching(warning)]);
  });

  test("and of those that will, nothing is said", () => {
    expect(scheduleWarnings(stateIn("idle"), { prequeueAtMs: later, opensAtMs: later, endsAtMs: later })).toEqual([]);
    expect(scheduleWarnings(stateIn("prequeue"), { prequeueAtMs: past, opensAtMs: later })).toEqual([]);
    expect(scheduleWarnings(stateIn("open"), { opensAtMs: past, endsAtMs: later, inletEndsAtMs: later })).toEqual([]);
    expect(scheduleWarnings(stateIn("ended"), { opensAtMs: null })).toEqual([]);
  });
});

describe("a phase that a change leads to at once", () => {
  const stateIn = (basePhase: RoomState["basePhase"], schedule = full.schedule) =>
    ({ basePhase, nowMs: morning, settings: { effective: { ...full, schedule } } }) as unknown as RoomState;

  test.each([
    ["idle", "open", ["schedule: the room is open now: opens_at 2027-03-01T09:00:00.000Z is past"]],
    ["idle", "prequeue", ["schedule: the room is in prequeue now: prequeue_at 2027-03-01T08:00:00.000Z is past"]],
    ["open", "ended", ["schedule: the room is ended now: ends_at 2027-03-01T10:00:00.000Z is past"]],
    ["open", "open", []],
    // That is what a new schedule is for.
    ["ended", "idle", []],
  ] as const)("from %s to %s", (before, after, warnings) => {
    expect(phaseWarnings(stateIn(before), stateIn(after))).toEqual(warnings);
  });

  test("is told where the schedule has no such time", () => {
    const ending = { prequeueAtMs: null, opensAtMs: null, endsAtMs: morning + hour };
    expect(phaseWarnings(stateIn("ended"), stateIn("open", ending))).toEqual([
      "schedule: the room is open now: the schedule has no opens_at",
    ]);
  });

  test("a schedule that came too late is told for as long as it stands", () => {
    const late = { prequeueAtMs: null, opensAtMs: morning + hour, endsAtMs: morning + 2 * hour };
    expect(standingWarnings(stateIn("idle", late))).toEqual([]);
    expect(standingWarnings(stateIn("open", late))).toEqual([
      expect.stringMatching(/^schedule\.opens_at: .* will change nothing: the room is open already/),
    ]);
  });
});

describe("a faulty body", () => {
  test("is refused with the names of all its faulty members, in our own words", () => {
    const message = refusal(() =>
      read({
        inlet: {
          type: "fast",
          outflow_per_minute: 0,
          max_active: 1.5,
          starts_at: "2027-03-28T02:30[Europe/Berlin]",
          gate: { health_url: "ftp://a/" },
        },
        schedule: { opens_at: "2027-03-01T09:00", ends_at: 5, time_zone: "Europe/Berln" },
        when_idle: "show",
        max_waiting: -1,
        admission: { duration: "soon", max_duration: "31d", logins_per_admission: "2" },
        colour: "red",
        title: 5,
      }),
    );
    for (const part of [
      "inlet.type: unknown inlet; allowed: manual, periodic, max_active, adaptive",
      "inlet.outflow_per_minute: expected a whole number from 1 to 1000000",
      "inlet.max_active: expected a whole number from 1 to 10000000",
      "inlet.starts_at: does not exist in Europe/Berlin",
      "inlet.gate.health_url: expected an absolute URL",
      "schedule.ends_at: expected a time such as",
      "schedule.time_zone: unknown time zone, did you mean Europe/Berlin?",
      "when_idle: unknown behaviour",
      "max_waiting: expected a whole number from 0 to 1000000000",
      "admission.duration: expected a duration from 1s to 7d",
      "admission.max_duration: expected a duration from 1s to 30d",
      "admission.logins_per_admission: expected a whole number from 1 to 1000",
      "colour: unknown key",
      "title: expected text",
    ]) {
      expect(message).toContain(part);
    }
    // The zone has its own fault; that of the time it is for would be the same one.
    expect(message).not.toContain("schedule.opens_at");
  });

  test.each([
    ["inlet.shared_outflow", { inlet: { shared_outflow: "shop" } }],
    ["inlet.shared_outflow", { inlet: { shared_outflow: null } }],
    ["language", { language: "de" }],
    ["targets", { targets: [] }],
    ["admission_token", { admission_token: {} }],
    ["verify", { verify: {} }],
    ["theme", { theme: null }],
    ["id", { id: "other" }],
  ])("%s is the file's only", (path, body) => {
    expect(refusal(() => read(body))).toBe(`${path}: only the configuration file can set this`);
  });

  test("a room stays in its store", () => {
    expect(refusal(() => read({ store: "b" }))).toMatch(/^store: a room stays in the store that it began in/);
  });

  test.each([
    [{ joins_per_address: "none" }, "joins_per_address: expected off, or a mapping such as { per_minute: 600"],
    [{ joins_per_address: { per_minute: 0 } }, "joins_per_address.per_minute: expected a whole number from 1"],
    [{ waiting_status: 404 }, "waiting_status: expected one of 200, 202, 429"],
    [{ admission_log: { max_entries: -1 } }, "admission_log.max_entries: expected a whole number from 0"],
    [{ inlet: { gate: "on" } }, "inlet.gate: expected off, or a mapping such as { health_url: "],
    [{ inlet: { gate: { interval: "5s" } } }, "inlet.gate.health_url: required"],
    [{ inlet: { weight: 0 } }, "inlet.weight: expected a whole number from 1 to 1000"],
  ])("%j is refused", (body, message) => {
    expect(refusal(() => read(body))).toContain(message);
  });

  test.each([
    [incrementBody, {}, "increment_by: required: a whole number from -1000000000 to 1000000000"],
    [incrementBody, { increment_by: 0 }, "increment_by: expected another number than 0"],
    [incrementBody, { increment_by: 1e300 }, "increment_by: expected a whole number"],
    [incrementBody, { increment_by: 1, incremnt: 2 }, "incremnt: unknown key; allowed: increment_by"],
    [incrementBody, [1], "body: expected an object"],
    [emptyBody, null, "body: expected an object"],
    [emptyBody, { now: true }, "now: unknown key: this request takes no body"],
    [alarmBody, {}, "set: required: true or false"],
    [alarmBody, { set: "true" }, "set: expected true or false"],
    [admissionBody, { status: "live" }, "status: unknown status; allowed: completed, abandoned, revoked"],
    [reportBody, {}, "body: expected at least one of exited, completed, abandoned, revoked"],
    [reportBody, { exited: 0 }, "exited: expected a whole number from 1 to 1000000"],
    [reportBody, { exited: 1_000_001 }, "exited: expected a whole number"],
    [reportBody, { completed: "a" }, "completed: expected a list of at most 1000 items, in brackets: [ … ]"],
    [reportBody, { completed: Array(1_001).fill("a") }, "completed: expected a list of at most 1000 items"],
    [reportBody, { completed: ["a", 5] }, "completed[1]: expected text"],
    [reportBody, { abandoned: [""] }, "abandoned[0]: expected the sub of a visitor, at most 64 characters"],
    [reportBody, { completed: ["a", "b"], revoked: ["c", "b"] }, "revoked[1]: the same visitor as in completed"],
  ])("of another request is refused by what is wrong with it (%#)", (schema, body, message) => {
    expect(refusal(() => validate(schema, body))).toContain(message);
  });

  test("is never refused in the words of a library, whatever it is", () => {
    const names = fc.constantFrom(
      "title",
      "inlet",
      "schedule",
      "admission",
      "type",
      "opens_at",
      "completed",
      "set",
      "__proto__",
    );
    const { tree } = fc.letrec<{ tree: unknown }>((tie) => ({
      tree: fc.oneof(
        { maxDepth: 3 },
        fc.constantFrom(null, true, -1, 0.5, 1e300, "", "x", "2027-03-01T09:00"),
        fc.array(tie("tree"), { maxLength: 3 }),
        fc.dictionary(names, tie("tree"), { maxKeys: 4 }),
      ),
    }));
    const readers: ((body: unknown) => unknown)[] = [
      read,
      ...[incrementBody, alarmBody, admissionBody, reportBody, emptyBody].map(
        (schema) => (body: unknown) => validate<unknown>(schema, body),
      ),
    ];
    fc.assert(
      fc.property(tree, fc.constantFrom(...readers), (generated, reader) => {
        const body: unknown = JSON.parse(JSON.stringify(generated));
        try {
          reader(body);
        } catch (error) {
          expect(error).toMatchObject({ code: "bad_request" });
          for (const part of String((error as Error).message)
            .split("; ")
            .slice(0, 1)) {
            expect(part).toMatch(/^[\w.[\]"]+: (expected|required|unknown|only|a local|a unit|the same|there is no)/);
          }
          expect((error as Error).message).not.toMatch(/Invalid|Unrecognized|Too (big|small)/);
        }
      }),
      { numRuns: 150 },
    );
  });

  test("a report may name a visitor twice in one list", () => {
    const body = { exited: 3, completed: ["a", "a"], abandoned: [] };
    expect(validate(reportBody, body)).toEqual(body);
  });
});

describe("settings are shown in the words of the configuration file", () => {
  test("with nothing set but what has a default", () => {
    expect(writeRoomSettings(file)).toEqual({
      title: "Tickets",
      message: null,
      inlet: {
        type: "manual",
        outflow_per_minute: null,
        shared_outflow: null,
        starts_at: null,
        ends_at: null,
        max_active: null,
        gate: null,
      },
      schedule: { prequeue_at: null, opens_at: null, ends_at: null },
      when_idle: "page",
      when_ended: "page",
      max_waiting: null,
      draw: { order: "arrival", beacon: "none" },
      admission: { duration: "20m", max_duration: null, claim_within: "15m", logins_per_admission: 20 },
      admission_log: { max_entries: 100_000 },
      joins_per_address: "off",
      waiting_status: 200,
    });
  });

  test("with everything set", () => {
    expect(writeRoomSettings(full)).toEqual({
      title: "Tickets",
      message: "Doors at ten",
      inlet: {
        type: "periodic",
        outflow_per_minute: 600,
        shared_outflow: "shop",
        weight: 2,
        starts_at: "2027-03-01T09:00:00.000Z",
        ends_at: "2027-03-01T10:00:00.000Z",
        max_active: null,
        gate: { health_url: "http://a/", interval: "5s", timeout: "2s", unhealthy_after: 3, healthy_after: 2 },
      },
      schedule: {
        prequeue_at: "2027-03-01T08:00:00.000Z",
        opens_at: "2027-03-01T09:00:00.000Z",
        ends_at: "2027-03-01T10:00:00.000Z",
      },
      when_idle: "pass_through",
      when_ended: "page",
      max_waiting: 50_000,
      draw: { order: "arrival", beacon: "none" },
      admission: { duration: "20m", max_duration: "2h", claim_within: "15m", logins_per_admission: 20 },
      admission_log: { max_entries: 100_000 },
      joins_per_address: "off",
      waiting_status: 200,
    });
  });

  test("of live changes only those that there are, and they can be sent back as they are shown", () => {
    expect(writeRoomSettings({})).toStrictEqual({});
    expect(writeRoomSettings({ inlet: { maxActive: 5 }, schedule: { endsAtMs: morning } })).toStrictEqual({
      inlet: { max_active: 5 },
      schedule: { ends_at: "2027-03-01T09:00:00.000Z" },
    });
    const { inlet, ...others } = full;
    const { sharedOutflow, gate, maxActive, ...ownInlet } = inlet;
    const message = {
      severity: "warning",
      texts: [
        { language: "en", text: "Soon" },
        { language: "de", text: "Bald" },
      ],
    } as const;
    const adaptive = {
      floorPerMinute: 60,
      startPerMinute: 120,
      stepPerMinute: 20,
      latencyMs: 800,
      timesBaseline: 2.5,
      errorRate: 0.01,
      decideEveryMs: 30_000,
    };
    const live = { ...others, message, maxWaiting: 5, inlet: { ...ownInlet, ...adaptive } };
    expect(patchLive({}, read(JSON.parse(JSON.stringify(writeRoomSettings(live)))))).toEqual(live);
  });
});
