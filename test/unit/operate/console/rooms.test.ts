/** What the console makes of the figures it hears. */
import { describe, expect, it } from "vitest";
import type { Figures, LiveRoom } from "../../../../src/operate/console/frame/live.ts";
import { createHistory, freshnessOfAll, freshnessOfRoom } from "../../../../src/operate/console/frame/live.ts";
import { speechFor } from "../../../../src/operate/console/frame/speech.ts";
import { attentionOf, inOrder } from "../../../../src/operate/console/rooms/attention.ts";
import { endInWords, nextInWords } from "../../../../src/operate/console/rooms/outlook.ts";

const nowMs = Date.parse("2027-03-01T10:00:00Z");
const at = (sec: number) => new Date(nowMs + sec * 1_000).toISOString();
const figures: Figures = {
  rehearsal: false,
  stock: null,
  phase: "open",
  phase_reason: null,
  base_phase: "open",
  holds: [],
  inlet: "periodic",
  prequeue_at: null,
  opens_at: null,
  ends_at: null,
  edition: 1,
  version: 1,
  serving: 10,
  queued: 20,
  waiting: 10,
  live_admissions: 5,
  absent: 0,
  max_active: null,
  outflow_per_minute: 60,
  limit_per_minute: 60,
  held_until: null,
  line_ends_at: null,
  draw: null,
  warnings: [],
};
const room = (changes: Partial<Figures> = {}, others: Partial<LiveRoom> = {}): LiveRoom => ({
  room: "a",
  title: "A",
  availability: "ready",
  age_ms: 400,
  approvals: [],
  ...others,
  figures: { ...figures, ...changes },
});
const heard = (rooms: LiveRoom[], agoMs = 0) => ({ figures: { at: at(0), rooms }, receivedMs: nowMs - agoMs });

describe("how far figures are believed", () => {
  it.each([
    ["just heard", 0, 400, { kind: "live", ageMs: 400 }],
    ["one second missed", 2_500, 400, { kind: "live", ageMs: 2_900 }],
    ["the way to the gateway cut", 4_000, 400, { kind: "cut", ageMs: 4_400 }],
    ["the store silent", 500, 8_000, { kind: "store", ageMs: 8_500 }],
    ["both", 60_000, 8_000, { kind: "cut", ageMs: 68_000 }],
    ["a clock that went back", -5_000, 400, { kind: "live", ageMs: 400 }],
  ] as const)("%s", (_, agoMs, age_ms, expected) => {
    const told = room({}, { age_ms });
    expect(freshnessOfRoom(told, heard([told], agoMs), nowMs)).toEqual(expected);
  });

  it("goes by the oldest room, and waits before the first news", () => {
    expect(freshnessOfAll(null, nowMs).kind).toBe("waiting");
    expect(freshnessOfAll(heard([room(), room({}, { age_ms: 9_000 })]), nowMs)).toEqual({
      kind: "store",
      ageMs: 9_000,
    });
    expect(freshnessOfAll(heard([]), nowMs).kind).toBe("live");
  });

  it("is live for none where one was never learned, and as old as the oldest where the way is cut", () => {
    const unlearned = { ...room({}, { age_ms: null }), figures: null };
    expect(freshnessOfAll(heard([room(), unlearned]), nowMs).kind).toBe("waiting");
    expect(freshnessOfAll(heard([unlearned, room({}, { age_ms: 9_000 })]), nowMs).kind).toBe("store");
    const cut = heard([room(), room({}, { age_ms: 60_000 })], 5_000);
    expect(freshnessOfAll(cut, nowMs)).toEqual({ kind: "cut", ageMs: 65_000 });
  });
});

describe("what needs a person", () => {
  it.each([
    ["nothing", room(), []],
    [
      "a store that is away",
      room({}, { availability: "away" }),
      ["act: The store is away: nobody can enter, and these figures are the last known."],
    ],
    [
      "a pause by an operator",
      room({ phase: "paused", phase_reason: "operator" }),
      ["look: An operator has paused the line."],
    ],
    ["an alarm", room({ phase: "paused", phase_reason: "alarm" }), ["act: An alarm holds the line."]],
    [
      "a step that waits for a second person",
      room({}, { approvals: ["reset"] }),
      ["act: Somebody asks to void all places: it waits for a second person."],
    ],
    [
      "a line without an end",
      room({ line_ends_at: { low: null, high: null } }),
      ["look: By the last three minutes, the line grows faster than it moves."],
    ],
    ["the same where nobody waits", room({ waiting: 0, line_ends_at: { low: null, high: null } }), []],
    ["a warning", room({ warnings: ["schedule: past"] }), ["look: {text}"]],
    [
      "a room that is not known",
      { ...room(), figures: null, age_ms: null },
      ["look: This process does not know the room yet."],
    ],
  ])("%s", (_, told, expected) => {
    expect(attentionOf(told).map(({ level, text }) => `${level}: ${text.en}`)).toEqual(expected);
  });

  it("is no line without an end while fewer wait than a minute ago", () => {
    const told = room({ waiting: 10, line_ends_at: { low: null, high: null } });
    const past = (...waiting: number[]) => waiting.map((count, n) => ({ atMs: nowMs + n * 30_000, waiting: count }));
    expect(attentionOf(told, past(30, 20, 12))).toEqual([]);
    expect(attentionOf(told, past(5, 8, 9))).toHaveLength(1);
    // Less than a minute says nothing.
    expect(attentionOf(told, past(30, 12))).toHaveLength(1);
  });

  it("comes first, and then what goes on now", () => {
    const named = (title: string, changes: Partial<Figures>, others: Partial<LiveRoom> = {}) =>
      room(changes, { title, ...others });
    const rooms = [
      named("idle", { phase: "idle" }),
      named("open B", {}),
      named("open A", {}),
      named("warned", { phase: "ended", warnings: ["x"] }),
      named("away", { phase: "idle" }, { availability: "away" }),
    ];
    expect(inOrder(rooms, createHistory()).map(({ title }) => title)).toEqual([
      "away",
      "warned",
      "open A",
      "open B",
      "idle",
    ]);
  });
});

describe("what is said of a line", () => {
  const speech = speechFor(["en-GB"]);
  const end = (low: number | null, high: number | null) =>
    endInWords({ waiting: 5, line_ends_at: { low: low && at(low), high: high && at(high) } } as Figures, speech, nowMs);

  it("is when it ends, as a range", () => {
    expect(end(600, 1_290)).toMatch(/^\d\d:10–\d\d:22$/);
    expect(end(60, 60)).toMatch(/^\d\d:01$/);
    expect(end(600, null)).toMatch(/^after \d\d:10$/);
    expect(end(null, null)).toBe("not within a week at this pace");
    expect(endInWords({ waiting: 5, line_ends_at: null }, speech, nowMs)).toBe("not known yet");
    expect(endInWords({ waiting: 0, line_ends_at: null }, speech, nowMs)).toBe("nobody waits");
  });

  it("is of each step another time, of another day too", () => {
    const times = [0, 10, 20].map((sec) => speech.clock(nowMs - 40 * 86_400_000 + sec * 1_000, nowMs));
    expect(new Set(times).size).toBe(3);
    expect(times[1]).toMatch(/2027.*:10$/);
  });

  it("is the next of its times that is to come", () => {
    const times = { prequeue_at: at(-60), opens_at: at(90), ends_at: at(7_200) };
    expect(nextInWords(times, speech, nowMs)).toMatch(/^opens \d\d:01, in 90 s$/);
    expect(nextInWords({ ...times, opens_at: null, ends_at: null }, speech, nowMs)).toBe("nothing scheduled");
  });
});

describe("the last fifteen minutes", () => {
  it("are what was recorded, and what was heard since, every ten seconds", () => {
    const history = createHistory();
    expect([history.claim("a"), history.claim("a"), history.claim("b")]).toEqual([true, false, true]);
    for (let sec = 0; sec < 25; sec++) history.add({ at: at(sec), rooms: [room({ waiting: sec })] });
    const step = (sec: number, waiting: number | null) => ({ at: at(sec), waiting }) as never;
    history.addRecorded("a", [step(-1_000, 1), step(-20, 7), step(-10, null), step(10, 99)]);
    expect(history.of("a").map(({ atMs, waiting }) => [(atMs - nowMs) / 1_000, waiting])).toEqual([
      ...[
        [-20, 7],
        [0, 0],
        [10, 10],
        [20, 20],
      ],
    ]);
  });

  it("have no figures that are old", () => {
    const history = createHistory();
    history.add({ at: at(0), rooms: [room({}, { age_ms: 11_000 }), { ...room(), figures: null }] });
    expect(history.of("a")).toEqual([]);
  });
});
