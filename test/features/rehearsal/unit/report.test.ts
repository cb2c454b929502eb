/** What a report says of what visitors met, and which way out it names for what is to be mended. */
import { describe, expect, test } from "vitest";
import type { Sample } from "../../../../src/features/rehearsal/observer.ts";
import { describeReport } from "../../../../src/features/rehearsal/report/describe.ts";
import { findingsOf } from "../../../../src/features/rehearsal/report/mend.ts";
import { mostWithin, type Played, reportOf } from "../../../../src/features/rehearsal/report/report.ts";
import { Tally } from "../../../../src/features/rehearsal/report/tally.ts";
import type { Room } from "../../../../src/operate/commands/rooms/room.ts";

const roomWith = (counts: Record<string, number>) => ({ counts }) as unknown as Room;
const sample = (atSec: number, changes: Partial<Sample> = {}): Sample => ({
  atMs: atSec * 1_000,
  phase: "open",
  availability: "ready",
  waiting: 0,
  entered: 0,
  limit: 60,
  ...changes,
});

/** Sixty visitors who join within six seconds, and are let in one a second. */
function played(changes: Partial<Played> = {}, spoil: (tally: Tally) => void = () => {}): Played {
  const tally = new Tally();
  for (let index = 0; index < 60; index++) {
    tally.arrived++;
    tally.joinedMs.push(index * 100);
    tally.admittedMs.push(1_000 + index * 1_000);
    tally.logins++;
    tally.took("join", 10 + index);
    tally.took("enter", 20);
  }
  spoil(tally);
  return {
    room: "practice",
    issuer: "https://queue.example",
    way: { kind: "login", name: "logins of shop" },
    crowd: { visitors: 60, minutes: 1, reloads: 0, tabs: 0, noShows: 0, seed: 7, connections: 256 },
    beganAt: "2030-01-01T00:00:00.000Z",
    tookMs: 61_000,
    isStopped: false,
    tally,
    waiting: 0,
    ghosts: 0,
    samples: [
      sample(0),
      sample(10, { waiting: 50, entered: 10 }),
      sample(40, { waiting: 20, entered: 40 }),
      sample(61, { entered: 60 }),
    ],
    unansweredLooks: 0,
    before: roomWith({ joined: 100, entered: 50 }),
    after: roomWith({ joined: 160, entered: 110 }),
    refusals: {},
    commandDelays: { queuedMs: 1, loopMs: 2 },
    ...changes,
  };
}

const found = (changes: Partial<Played> = {}, spoil?: (tally: Tally) => void) =>
  findingsOf(reportOf(played(changes, spoil))).map(({ about, status, text }) => `${status} ${about}: ${text}`);

test("figures: joins a second, requests, outflow against the limit, and what the gateways counted since the beginning", () => {
  const report = reportOf(played());
  expect(report.joins_per_second).toEqual({ mean: 10.2, peak: 10 });
  expect(report.requests.join).toMatchObject({ count: 60, max_ms: 69 });
  expect(report.requests.join?.p50_ms).toBeGreaterThan(38);
  expect(report.outflow).toMatchObject({
    limit_per_minute: { least: 60, most: 60 },
    most_in_a_minute: 60,
    busy: { seconds: 30, admitted_per_minute: 60, limit_per_minute: 60 },
  });
  expect(report.outflow.minutes.map(({ joined, admitted }) => [joined, admitted])).toEqual([
    [60, 59],
    [0, 1],
  ]);
  expect(report.gateways).toMatchObject({ joined: 60, admitted: 60, differences: { joined: 0, admitted: 0 } });
  expect(report.room_was).toEqual({ open: 61 });
  expect(findingsOf(report)).toEqual([]);
});

test("the most within a span counts any span, not only whole ones", () => {
  expect(mostWithin([], 1_000)).toBe(0);
  expect(mostWithin([0, 900, 1_000, 1_800, 1_899], 1_000)).toBe(4);
  expect(mostWithin([0, 1_000, 2_000], 1_000)).toBe(1);
});

test("for people it is words and tables, in which nothing from outside steers the terminal", () => {
  const report = reportOf(played({}, (tally) => tally.fail("site", "500 \u001b[2J")));
  const text = describeReport(report, findingsOf(report));
  expect(text).toMatch(/^Rehearsal of practice by logins of shop, over after 61 s \(seed 7\)\.$/m);
  expect(text).toMatch(/^join +60 +\d/m);
  expect(text).toMatch(/^let in +60 +60$/m);
  expect(text).toMatch(/^FAULT +errors +1 time: site 500/m);
  expect(text).not.toContain("\u001b");
  const good = reportOf(played());
  // Waiting of half a minute is not held against a limit of whole minutes.
  expect(describeReport(good, [])).not.toContain("While people waited");
  const long = {
    ...good,
    outflow: { ...good.outflow, busy: { seconds: 60, admitted_per_minute: 59, limit_per_minute: 60 } },
  };
  expect(describeReport(long, [])).toContain("While people waited (60 s): 59 a minute of 60.");
  expect(describeReport(good, findingsOf(good))).toMatch(/Nothing to mend was seen\.$/);
});

describe("to mend", () => {
  test.each<[string, RegExp, Partial<Played>, ((tally: Tally) => void)?]>([
    [
      "a full line",
      /warning refused: The page room_full was shown 1 time: raise max_waiting/,
      {},
      (tally) => tally.refuse("room_full"),
    ],
    ["a lost pass", /header Usher-Rehearsal on/, {}, (tally) => tally.refuse("too_many_from_address")],
    ["a page that nobody thought of", /docs\/pages\.md/, {}, (tally) => tally.refuse("constructor")],
    [
      "an error of the site",
      /fault errors: 1 time: site 503: look into the log of the site/,
      {},
      (tally) => tally.fail("site", "503"),
    ],
    ["an error of Usher", /log of Usher/, {}, (tally) => tally.fail("page", "502")],
    ["a firewall", /exempt this machine/, {}, (tally) => tally.fail("status", "429")],
    ["no connection", /limits on connections of Usher/, {}, (tally) => tally.fail("join", "ECONNREFUSED")],
    ["no answer", /too slow: more processes/, {}, (tally) => tally.fail("claim", "no answer in time")],
    ["a wrong client", /compare the client/, {}, (tally) => tally.fail("page", "login refused: invalid_scope")],
    ["a changed place", /fault places: 1 visitor stood at another place/, {}, (tally) => tally.lostPlaces++],
    ["slow pages", /warning latency: One page in a hundred took 5,000 ms/, {}, (tally) => tally.took("page", 5_000)],
    ["a slow site", /One site .*lower the outflow/, {}, (tally) => tally.took("site", 5_000)],
    [
      "joins that the gateways do not know",
      /fault counts: 10 more visitors saw/,
      { after: roomWith({ joined: 150, entered: 110 }) },
    ],
    [
      "others in the room",
      /warning counts: The gateways counted 5 more who joined: somebody else/,
      { after: roomWith({ joined: 165, entered: 110 }) },
    ],
    [
      "lost answers",
      /counted 2 more who joined: their answers were lost/,
      { after: roomWith({ joined: 162, entered: 110 }) },
      (tally) => {
        tally.unansweredJoins = 2;
      },
    ],
    ["no figures", /warning counts: No gateway said/, { after: null }],
    [
      "a pause",
      /For 10 seconds the room was paused/,
      { samples: [sample(0), sample(10, { phase: "paused" }), sample(20), sample(61)] },
    ],
    ["a hold after a recovery", /the room was held/, { samples: [sample(0, { phase: "held" }), sample(61)] }],
    ["a store that was away", /the room was away/, { samples: [sample(0, { availability: "away" }), sample(61)] }],
    ["an admin API that was silent", /3 times the admin API did not answer/, { unansweredLooks: 3 }],
    ["ghosts", /4 places could not be given up: usher reset/, { ghosts: 4 }],
    ["too few connections", /give it more with --connections/, { commandDelays: { queuedMs: 500, loopMs: 1 } }],
    ["a slow machine", /This machine was 500 ms late/, { commandDelays: { queuedMs: 1, loopMs: 500 } }],
    [
      "too much outflow",
      /fault outflow: 80 were let in within a minute, and the limit was 60/,
      { after: roomWith({ joined: 160, entered: 130 }) },
      (tally) => {
        for (let index = 0; index < 20; index++) tally.admittedMs.push(60_001 + index * 10);
      },
    ],
    [
      "too little outflow",
      /warning outflow: 20 a minute were let in while people waited, and the limit was 60: the inlet's own rate/,
      { samples: [sample(0, { waiting: 50 }), sample(60, { waiting: 30, entered: 20 })] },
    ],
    [
      "no-shows",
      /20 of 60 did not come when they were called/,
      { samples: [sample(0, { waiting: 50 }), sample(60, { waiting: 30, entered: 20 })] },
      (tally) => {
        tally.noShows = 20;
      },
    ],
  ])("%s", (_, words, changes, spoil) => {
    expect(found(changes, spoil)).toEqual([expect.stringMatching(words)]);
  });

  test("errors are counted under few names, however many words a site has", () => {
    const tally = new Tally();
    for (let index = 0; index < 5_000; index++) tally.fail("site", `word ${index} ${"x".repeat(500)}`);
    expect(tally.errors.size).toBeLessThanOrEqual(101);
    expect(Math.max(...[...tally.errors.keys()].map(({ length }) => length))).toBeLessThanOrEqual(80);
    expect([...tally.errors.values()].reduce((all, count) => all + count, 0)).toBe(5_000);
  });
});
