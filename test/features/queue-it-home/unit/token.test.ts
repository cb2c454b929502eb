import { describe, expect, it, test } from "vitest";
import { encodeToken, type QueueItToken, queueIdOf, tokenOf } from "../../../../src/features/queue-it-home/token.ts";

const secretKey = "528f01d4-30f9-4753-95b3-2c8c33966abc";
const token: QueueItToken = {
  eventId: "event1",
  queueId: "9925866f-fa25-4f19-a4c6-22242b47cf5b",
  untilSec: 4_102_444_800,
  isExtendable: true,
  validityMin: null,
  redirectType: "queue",
};

it("is what nine connectors have accepted", () => {
  expect(encodeToken(token, secretKey)).toBe(
    "e_event1~q_9925866f-fa25-4f19-a4c6-22242b47cf5b~ts_4102444800~ce_true~rt_queue~h_3a9545394aa6d88a846b3d9fba4bdbf4da8eb40327f16456a4ff826f26f219f0",
  );
});

describe("what some connectors trip over is in no token", () => {
  const nowMs = 1_700_000_000_400;
  const admission = { sub: "tickets.mSWGb_olTxmkxiIkK0fPWw", via: "queue", expiresMs: nowMs + 3_600_000 } as const;
  const at = { eventId: "event1", nowMs, isSliding: false, isAgain: false };
  const cases = [
    ["usual", admission, at],
    ["a sub with underscores alone", { ...admission, sub: `tickets.${"_".repeat(22)}` }, at],
    ["a sub of another form", { ...admission, sub: "tickets.a_b~c_Élise" }, at],
    ["sliding", admission, { ...at, isSliding: true }],
    ["again", admission, { ...at, isAgain: true }],
    ["nearly over", { ...admission, expiresMs: nowMs + 10 }, at],
    ["over", { ...admission, expiresMs: nowMs - 10_000 }, at],
    ["away", { ...admission, via: "away" }, at],
  ] as const;

  test.each(cases)("%s", (_, of, how) => {
    const text = encodeToken(tokenOf(of, how), secretKey);
    const pairs = text.split("~").map((pair) => pair.split("_"));
    expect(pairs.every((pair) => pair.length === 2)).toBe(true);
    const said = Object.fromEntries(pairs);
    expect(pairs.map(([name]) => name)).toEqual(
      how.isSliding ? ["e", "q", "ts", "ce", "rt", "h"] : ["e", "q", "ts", "ce", "cv", "rt", "h"],
    );
    expect(text).toBe(text.toLowerCase());
    expect(said.q).toMatch(/^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/);
    expect(said.h).toMatch(/^[0-9a-f]{64}$/);
    expect(Number(said.ts)).toBeLessThanOrEqual(Math.floor(nowMs / 1_000) + 180);
    if (!how.isSliding) expect(Number(said.cv)).toBeGreaterThanOrEqual(1);
  });
});

it("counts for two minutes, for three where the site has just refused one, and never longer than the admission", () => {
  const nowMs = 1_700_000_000_000;
  const until = (leftMs: number, isAgain: boolean) => {
    const admission = { sub: "tickets.x", via: "queue", expiresMs: nowMs + leftMs } as const;
    return tokenOf(admission, { eventId: "e", nowMs, isSliding: false, isAgain }).untilSec - nowMs / 1_000;
  };
  expect([until(3_600_000, false), until(3_600_000, true), until(30_000, true)]).toEqual([120, 180, 30]);
});

it.each([
  ["queue", "queue"],
  ["idle", "idle"],
  ["passthrough", "disabled"],
  ["ended", "afterevent"],
  ["bypass", "bypass"],
  ["away", "safetynet"],
] as const)("a visitor let in by %s is told as %s", (via, redirectType) => {
  const admission = { sub: "tickets.x", via, expiresMs: 60_000 };
  expect(tokenOf(admission, { eventId: "e", nowMs: 0, isSliding: false, isAgain: false }).redirectType).toBe(
    redirectType,
  );
});

it("names a visitor by the bits of the sub, one by one, or by a hash where it has others", () => {
  expect(queueIdOf("tickets.mSWGb_olTxmkxiIkK0fPWw")).toBe("9925866f-fa25-4f19-a4c6-22242b47cf5b");
  // The last character has two bits to spare: these two are not the same sub.
  expect(queueIdOf("tickets.mSWGb_olTxmkxiIkK0fPWx")).not.toBe(queueIdOf("tickets.mSWGb_olTxmkxiIkK0fPWw"));
  expect(queueIdOf("tickets.a")).not.toBe(queueIdOf("tickets.b"));
});
