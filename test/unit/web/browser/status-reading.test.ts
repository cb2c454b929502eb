/** What answers in the place of Usher: portals, proxies, caches. */
import { expect, test } from "vitest";
import { z } from "zod";
import { retryAfterMs } from "../../../../src/room/public-status/pacing.ts";
import { readStatus } from "../../../../src/room/public-status/status.ts";
import { statusAnswer } from "../../../../src/web/visitor/answers.ts";
import { goodStatus } from "../../../support/good-status.ts";

test("a status is read, with and without what may be missing", () => {
  expect(readStatus(goodStatus)).toBe(goodStatus);
  const { near_ceiling_ms: _, ...poll } = goodStatus.poll;
  const without = { ...goodStatus, poll, pace: { ...goodStatus.pace, places_per_minute: 60, note: "slow" } };
  expect(readStatus(without)).toBe(without);
});

test.each([{}, null, [], 7, "open", true, { error: "x" }, [goodStatus]])("%j is no status", (answer) => {
  expect(() => readStatus(answer)).toThrow();
});

const { pace, poll } = goodStatus;

test("what a gateway of the last releases leaves out may be missing, and nothing that pages reckon by", () => {
  const without = (part: object, name: string) =>
    Object.fromEntries(Object.entries(part).filter(([key]) => key !== name));
  for (const name of Object.keys(pace)) {
    const read = () => readStatus({ ...goodStatus, pace: without(pace, name) });
    if (["show_rate", "spread_up", "called", "note", "places_per_minute"].includes(name))
      expect(read, name).not.toThrow();
    else expect(read, name).toThrow();
  }
  for (const name of Object.keys(poll)) {
    const read = () => readStatus({ ...goodStatus, poll: without(poll, name) });
    if (name === "near_ceiling_ms") expect(read, name).not.toThrow();
    else expect(read, name).toThrow();
  }
});

const reckonedBy = ["title", "phase", "serving", "waiting", "edition", "gaps", "pace", "poll", "updated_at"];
test.each(reckonedBy)("a status with nonsense for %s is none", (name) => {
  for (const nonsense of [
    undefined,
    {},
    null,
    Number.NaN,
    ["x"],
    [["a", "b"]],
    false,
    name === "serving" ? "10" : [{}],
  ]) {
    expect(() => readStatus({ ...goodStatus, [name]: nonsense }), JSON.stringify(nonsense)).toThrow();
  }
});
test.each(["steps", "places_per_minute", "show_rate", "spread", "spread_up", "extra_seconds", "called"])(
  "nor is one with nonsense for the %s of its pace",
  (name) => {
    for (const nonsense of [{}, "10", ["x"], false]) {
      expect(() => readStatus({ ...goodStatus, pace: { ...pace, [name]: nonsense } })).toThrow();
    }
  },
);
test.each(["floor_ms", "near_ceiling_ms", "ceiling_ms", "divisor", "spread_ms"])(
  "nor is one with nonsense for the %s of its guidance",
  (name) => {
    for (const nonsense of [{}, "10", ["x"], null, false]) {
      expect(() => readStatus({ ...goodStatus, poll: { ...poll, [name]: nonsense } })).toThrow();
    }
  },
);

test("pace and guidance hold numbers, alone or in pairs, but for the note: a text would be no status to scripts that are out there", () => {
  const { pace: ofPace, poll: ofPoll } = statusAnswer.shape;
  const members = { ...z.toJSONSchema(ofPace).properties, ...z.toJSONSchema(ofPoll).properties };
  expect(Object.keys(members).length).toBeGreaterThan(10);
  for (const [name, shape] of Object.entries(members)) {
    if (name !== "note") expect(`${name} ${JSON.stringify(shape)}`).not.toMatch(/"(?:string|boolean|object)"/);
  }
});

const nowText = "Tue, 01 Jan 2030 00:00:00 GMT";
test.each([
  [null, 0],
  ["", 0],
  ["0", 0],
  ["-5", 0],
  ["soon", 0],
  ["20", 20_000],
  ["3600", 120_000],
  ["Infinity", 120_000],
  ["Tue, 01 Jan 2030 00:00:30 GMT", 30_000],
  ["Tue, 01 Jan 2030 05:00:00 GMT", 120_000],
  ["Mon, 31 Dec 2029 23:59:00 GMT", 0],
])("Retry-After: %s asks for %i ms", (header, ms) => {
  expect(retryAfterMs(header, Date.parse(nowText))).toBe(ms);
});

test("a moment says nothing where the server does not say what time it is", () => {
  expect(retryAfterMs("Tue, 01 Jan 2030 00:00:30 GMT", Number.NaN)).toBe(0);
});
