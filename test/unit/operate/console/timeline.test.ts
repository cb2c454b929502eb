/** The timeline: audit and events as one list, what comes since, what is older, and who is looked for. */
import { describe, expect, it } from "vitest";
import { speechFor } from "../../../../src/operate/console/frame/speech.ts";
import {
  entriesOf,
  type RoomEvent,
  type Row,
  type Sources,
  shorterOf,
  withLatest,
  withOlder,
} from "../../../../src/operate/console/room/timeline/entries.ts";
import { everything, passes, peopleOf } from "../../../../src/operate/console/room/timeline/filter.ts";
import { marksOf } from "../../../../src/operate/console/room/timeline/marks.ts";
import { entryInWords } from "../../../../src/operate/console/room/timeline/words.ts";

const at = (sec: number) => new Date(1_800_000_000_000 + sec * 1_000).toISOString();

function row(seq: number, sec: number, own: Partial<Row> = {}): Row {
  return {
    kind: "request",
    seq,
    at: at(sec),
    hash: "",
    address: "",
    method: "POST",
    route: "/rooms/:room/pause",
    room: "shop",
    subject: {},
    changes: [],
    inverse: null,
    undoes: null,
    request_id: "",
    status: 200,
    error: null,
    unlogged: 0,
    principal: { kind: "person", id: "person:1", name: "Ada", role: "operator" },
    ...own,
  };
}

function event(type: string, sec: number, data: Record<string, unknown> = {}): RoomEvent {
  const common = {
    specversion: "1.0",
    datacontenttype: "application/json",
    source: "x",
    subject: "rooms/shop",
  } as const;
  return { ...common, id: `${type} ${sec}`, type: `usher.room.${type}`, time: at(sec), data };
}

const sources = (
  acts: readonly Row[],
  events: readonly RoomEvent[],
  cursors: { acts?: string; events?: string } = {},
): Sources => ({
  acts: { items: acts, cursor: cursors.acts ?? null },
  events: { items: events, cursor: cursors.events ?? null },
});
const keysOf = (of: Sources) => entriesOf(of).map(({ key }) => key);

describe("one list", () => {
  it("has what was done and what happened, the latest first", () => {
    const both = sources([row(2, 30), row(1, 10)], [event("full", 20), event("sold_out", 5)]);
    expect(keysOf(both)).toEqual(["act 2", "event full 20", "act 1", "event sold_out 5"]);
  });

  it("ends where one of the two is not read further, and says which is to be read", () => {
    const both = sources([row(2, 30), row(1, 10)], [event("full", 20), event("full", 15)], { acts: "1", events: "9" });
    expect(keysOf(both)).toEqual(["act 2", "event full 20", "event full 15"]);
    expect(shorterOf(both)).toBe("events");
    const more = { ...both, events: withOlder(both.events, { items: [event("full", 2)], cursor: null }) };
    expect(keysOf(more)).toEqual(["act 2", "event full 20", "event full 15", "act 1"]);
    expect(shorterOf(more)).toBe("acts");
    expect(shorterOf(sources([], []))).toBeNull();
  });

  it("says one thing once", () => {
    const changed = row(1, 11, { changes: [{ member: "/message", from: null, to: "x" }] });
    const events = [
      event("settings_changed", 40),
      event("settings_changed", 10),
      event("phase_changed", 9),
      event("hold_began", 9),
      event("hold_began", 5),
    ];
    expect(keysOf(sources([changed], events))).toEqual([
      "event settings_changed 40",
      "act 1",
      "event phase_changed 9",
      "event hold_began 5",
    ]);
  });
});

describe("what came since", () => {
  const seq = ({ seq }: Row) => seq;
  const items = (of: { items: readonly Row[] }) => of.items.map(seq);

  it("is put before what is known, each once", () => {
    const known = { items: [row(3, 3), row(2, 2)], cursor: "2" };
    const joined = withLatest(known, { items: [row(4, 4), row(3, 3)], cursor: "3" }, seq);
    expect([items(joined), joined.cursor]).toEqual([[4, 3, 2], "2"]);
  });

  it("begins anew where there was more than one answer holds", () => {
    const known = { items: [row(2, 2)], cursor: "2" };
    const joined = withLatest(known, { items: [row(9, 9), row(8, 8)], cursor: "8" }, seq);
    expect([items(joined), joined.cursor]).toEqual([[9, 8], "8"]);
    expect(items(withLatest({ items: [], cursor: null }, { items: [row(9, 9)], cursor: "9" }, seq))).toEqual([9]);
  });
});

describe("the filter", () => {
  it("finds by kind, person and words", () => {
    const speech = speechFor(["en"]);
    const refused = row(3, 50, { error: "forbidden", status: 403, principal: null });
    const byKey = row(2, 40, { principal: { kind: "key", id: "desk", role: "operator" }, route: "/rooms/:room/end" });
    const all = entriesOf(sources([refused, byKey, row(1, 30)], [event("full", 20)]));
    const found = (own: Partial<typeof everything>) =>
      all.filter((entry) => passes(entry, { ...everything, ...own }, speech)).map(({ key }) => key);
    expect(found({}).length).toBe(4);
    expect(found({ kind: "people" })).toEqual(["act 3", "act 2", "act 1"]);
    expect(found({ kind: "events" })).toEqual(["event full 20"]);
    expect(found({ kind: "refused" })).toEqual(["act 3"]);
    expect(found({ principal: "desk" })).toEqual(["act 2"]);
    expect(found({ text: " LINE IS FULL " })).toEqual(["event full 20"]);
    expect(found({ text: "ada" })).toEqual(["act 1"]);
    expect(peopleOf(all)).toEqual([
      { id: "person:1", name: "Ada" },
      { id: "desk", name: "desk" },
    ]);
  });
});

describe("events in words", () => {
  it.each([
    ["phase_changed", { phase: "paused", reason: "alarm" }, "Paused, by an alarm", "Angehalten, durch einen Alarm"],
    ["phase_changed", { phase: "open", reason: null }, "Open", "Offen"],
    [
      "hold_began",
      { hold: "signal" },
      "The line is held: the site said stop",
      "Die Schlange wird angehalten: die Website bat darum",
    ],
    ["draw_changed", { stage: "drawn" }, "The places are drawn", "Die Plätze sind verlost"],
    ["of_a_later_build", {}, "usher.room.of_a_later_build", "usher.room.of_a_later_build"],
  ])("%s %j", (type, data, english, german) => {
    const [entry] = entriesOf(sources([], [event(type, 1, data)]));
    if (entry === undefined) throw new Error("nothing is told");
    expect(entryInWords(entry, speechFor(["en"]))).toMatchObject({ who: "Usher", what: english });
    expect(entryInWords(entry, speechFor(["de"]))).toMatchObject({ who: "Usher", what: german });
  });

  it("tell settings with what they were", () => {
    const changes = { "inlet.outflow_per_minute": { before: 600, after: 660 } };
    const [entry] = entriesOf(sources([], [event("settings_changed", 1, { changes })]));
    if (entry === undefined) throw new Error("nothing is told");
    expect(entryInWords(entry, speechFor(["en"])).detail).toBe("Admissions a minute 600 → 660");
  });
});

describe("marks on the curves", () => {
  const speech = speechFor(["en"]);
  const changed = (member: string, from: unknown, to: unknown) => ({ changes: [{ member, from, to }] });
  const marks = (of: Sources) => marksOf(entriesOf(of), speech).map(({ sec, text }) => [sec - 1_800_000_000, text]);

  it("say what changed the room: steps by their names, settings by what became of them", () => {
    const rows = [
      row(3, 30, { ...changed("/stock", 5, 4), method: "PUT", route: "/rooms/:room/stock" }),
      row(2, 20, {
        ...changed("/inlet/outflow_per_minute", 500, 600),
        method: "PATCH",
        route: "/rooms/:room",
      }),
      row(1, 10, changed("/paused", false, true)),
    ];
    expect(marks(sources(rows, []))).toEqual([
      [30, "Left to sell"],
      [20, "Admissions a minute 500 → 600"],
      [10, "Pause the line"],
    ]);
  });

  it("leave out what was refused, what changed nothing, and a phase that a step brought; and shorten what is long", () => {
    const rows = [
      row(4, 40, { ...changed("/phase", "open", "ended"), error: "confirmation_required" }),
      row(3, 30, { route: "/rooms/:room/bypass" }),
      row(2, 20, { ...changed("/message", null, "x".repeat(50)), method: "PATCH", route: "/rooms/:room" }),
      row(1, 10, changed("/paused", false, true)),
    ];
    const events = [
      event("phase_changed", 11, { phase: "paused", reason: "operator" }),
      event("phase_changed", 5, { phase: "open", reason: null }),
      event("full", 4),
    ];
    const [long, ...others] = marks(sources(rows, events));
    expect(long?.[1]).toHaveLength(30);
    expect(others).toEqual([
      [10, "Pause the line"],
      [5, "Open"],
    ]);
  });
});
