/** Rates as they are written, addresses of screens, and changes in words. */
import { describe, expect, it } from "vitest";
import { pathOf, routeOf } from "../../../../src/operate/console/frame/console.ts";
import { speechFor } from "../../../../src/operate/console/frame/speech.ts";
import { changesInWords } from "../../../../src/operate/console/room/timeline/changes.ts";
import { readCount, stepped } from "../../../../src/operate/console/room/tools/pace.tsx";
import { pauseStep } from "../../../../src/operate/console/room/tools/pause.tsx";
import { phaseSteps, questionOf } from "../../../../src/operate/console/room/tools/questions.ts";
import type { Settings } from "../../../../src/operate/console/room/use-details.ts";

describe("a rate", () => {
  it.each([
    ["600", 600],
    [" 1 ", 1],
    ["1000000", 1_000_000],
    ...["", "0", "1000001", "12345678", "-5", "1.5", "1e3", "0x10", "٣"].map((text) => [text, null] as const),
  ] as const)("%j is read as %j", (text, rate) => {
    expect(readCount(text)).toBe(rate);
  });

  it("steps by ten percent, always to another number, within what may be", () => {
    expect([stepped(600, 10), stepped(600, -10), stepped(1, 10), stepped(2, -10)]).toEqual([660, 540, 2, 1]);
    expect([stepped(1, -10), stepped(0, 10), stepped(1_000_000, 10), stepped(0.4, -10)]).toEqual([1, 1, 1_000_000, 1]);
  });
});

describe("addresses", () => {
  it("name a screen, and the room that it is of", () => {
    expect(routeOf("/console")).toEqual({ room: null, name: "" });
    expect(routeOf("/console/health")).toEqual({ room: null, name: "health" });
    expect(routeOf("/console/rooms/autumn-tour")).toEqual({ room: "autumn-tour", name: "" });
    expect(routeOf("/console/rooms/autumn-tour/settings/")).toEqual({ room: "autumn-tour", name: "settings" });
    for (const route of [
      { room: null, name: "" },
      { room: null, name: "health" },
      { room: "a", name: "" },
      { room: "a", name: "before" },
    ]) {
      expect(routeOf(pathOf(route))).toEqual(route);
    }
  });

  it("of another shape name nothing", () => {
    for (const path of ["/x", "/console/rooms/A", "/console/rooms/a/b/c", "/console/rooms/a/B", "/consoles"]) {
      expect(routeOf(path), path).toBeNull();
    }
  });
});

describe("changes", () => {
  it("are told by the names of settings, else by their paths, with long values in part", () => {
    const speech = speechFor(["en"]);
    const changes = [
      { member: "/inlet/outflow_per_minute", from: 600, to: 660 },
      { member: "/message", from: null, to: "x".repeat(100) },
      { member: "/a~1b~0c", to: [1] },
    ];
    expect(changesInWords(changes, speech)).toBe(
      `Admissions a minute 600 → 660; Message on the pages of the room – → ${"x".repeat(79)}…; a/b~c – → [1]`,
    );
  });

  it("leave out a member that is not there before or after, and tell times by the clock of the reader", () => {
    const speech = speechFor(["en"]);
    const opensAt = "2027-03-01T08:00:00Z";
    const changes = [
      { member: "/message", from: null, to: null },
      { member: "/message/text/de", from: null, to: "Hallo" },
      { member: "/schedule/opens_at", to: opensAt },
    ];
    const time = speech.time(Date.parse(opensAt), 0);
    expect(time).toContain("2027");
    expect(changesInWords(changes, speech)).toBe(
      `message.text.de – → Hallo; The room opens, visitors enter – → ${time}`,
    );
  });
});

describe("what is asked before a line is stopped or opened", () => {
  const speech = speechFor(["en"]);
  const settings = (members: object) => members as Settings;
  const draw = (stage: "committed" | "drawn") => ({ stage, commitment: "" });

  it.each([...phaseSteps, "soldOut"] as const)(
    "%s: what would happen, and to how many people, in each language",
    (asked) => {
      for (const language of ["en", "de"]) {
        const of = (waiting: number) => questionOf(asked, { waiting, draw: null }, null, speechFor([language]));
        expect(of(1_204)).toMatch(/1[.,]204 (people|Personen)/);
        expect(of(1)).toMatch(/1 (person|Person)\b/);
      }
    },
  );

  it.each([
    ["open", draw("committed"), {}, "The draw would be held now, once and for all, among 7 people."],
    ["open", draw("drawn"), {}, "The line would move: 7 people would enter"],
    ["idle", null, { when_idle: "page" }, "7 people would keep their places"],
    ["idle", null, { when_idle: "pass_through" }, "7 people would be let in at once"],
    ["soldOut", null, { stock: { returns: false } }, "7 people would be turned away"],
    ["soldOut", null, { stock: {} }, "7 people, who can wait for returns"],
  ] as const)("%s in such a room: %j %j", (asked, ofDraw, ofRoom, words) => {
    expect(questionOf(asked, { waiting: 7, draw: ofDraw }, settings(ofRoom), speech)).toContain(words);
  });
});

describe("the large button", () => {
  it.each([
    ["open", [], "pause"],
    ["prequeue", [], "pause"],
    ["paused", ["operator"], "resume"],
    ["paused", ["recovered"], "resume"],
    ["paused", ["alarm"], "pause"],
    ["paused", ["operator", "alarm"], "resume"],
    ["ended", [], null],
    ["ended", ["operator"], null],
  ] as const)("of a room that is %s, with the holds %j: %s", (phase, holds, does) => {
    expect(pauseStep({ phase, holds: [...holds] })).toBe(does);
  });
});
