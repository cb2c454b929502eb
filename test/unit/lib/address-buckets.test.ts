import { describe, expect, test } from "vitest";
import { AddressBuckets, FailedAttempts, maxAddresses } from "../../../src/lib/address-buckets.ts";
import { createMovedClock } from "../../support/moved-clock.ts";

const rate = { perMinute: 60, burst: 5 };

function start(max?: number) {
  const clock = createMovedClock();
  const buckets = new AddressBuckets(clock, max);
  return { clock, buckets, room: buckets.of("tickets", rate) };
}

/** How many get a token at this moment. */
function takeAll(room: { take(block: string): number }, block = "a", tries = 20): number {
  return Array.from({ length: tries }, () => room.take(block)).filter((waitMs) => waitMs === 0).length;
}

describe("a bucket", () => {
  test("is full at first, and then filled by the minute", () => {
    const { clock, room } = start();
    expect(takeAll(room)).toBe(5);
    clock.advance(3_000);
    expect(takeAll(room)).toBe(3);
    clock.advance(3_600_000);
    expect(takeAll(room)).toBe(5);
  });

  test("tells when there is a token again, to the millisecond, and refusals make it no later", () => {
    const { clock, room } = start();
    takeAll(room);
    expect(room.take("a")).toBe(1_000);
    clock.advance(400);
    expect(room.take("a")).toBe(600);
    clock.advance(599);
    expect(room.take("a")).toBe(1);
    clock.advance(1);
    expect(room.take("a")).toBe(0);
  });

  test("gets back what was not needed, and never holds more than it does", () => {
    const { clock, room } = start();
    takeAll(room);
    room.refund("a");
    expect(takeAll(room)).toBe(1);
    clock.advance(60_000);
    for (let times = 0; times < 5; times++) room.refund("a");
    room.refund("unheard-of");
    expect(takeAll(room)).toBe(5);
    expect(takeAll(room, "unheard-of")).toBe(5);
  });

  test("is its address's and its room's own, at a rate of that room", () => {
    const { clock, buckets, room } = start();
    const other = buckets.of("checkout", { perMinute: 120, burst: 2 });
    expect([takeAll(room, "a"), takeAll(room, "b"), takeAll(other, "a")]).toEqual([5, 5, 2]);
    clock.advance(1_000);
    expect([takeAll(room, "a"), takeAll(room, "b"), takeAll(other, "a")]).toEqual([1, 1, 2]);
  });

  test("with a rate that no millisecond divides loses no token in a quarter of a million, and wins none", () => {
    const clock = createMovedClock();
    const room = new AddressBuckets(clock).of("tickets", { perMinute: 700_007, burst: 20 });
    let taken = 0;
    for (let ms = 0; ms < 20_500; ms++) {
      taken += takeAll(room, "a", 30);
      clock.advance(1);
    }
    expect(taken).toBeGreaterThanOrEqual(Math.floor((20_499 * 700_007) / 60_000));
    expect(taken).toBeLessThanOrEqual(20 + (20_499 * 700_007) / 60_000);
  });
});

describe("a clock that is set", () => {
  test("back leaves nobody waiting for it to catch up", () => {
    const { clock, room } = start();
    takeAll(room);
    clock.advance(-86_400_000);
    expect(room.take("a")).toBe(1_000);
    clock.advance(1_000);
    expect(room.take("a")).toBe(0);
  });

  test("forward fills each bucket once", () => {
    const { clock, room } = start();
    takeAll(room);
    clock.advance(86_400_000);
    expect(takeAll(room)).toBe(5);
    clock.advance(-86_400_000);
    expect(takeAll(room)).toBe(0);
  });

  test("to and fro wins nothing but what each step forward is long", () => {
    const { clock, room } = start();
    takeAll(room);
    for (let times = 0; times < 100; times++) {
      clock.advance(10);
      room.take("b");
      clock.advance(-10);
      room.take("b");
    }
    // A hundred steps forward of 10 ms are a second.
    expect(takeAll(room)).toBe(1);
  });
});

describe("memory", () => {
  test("holds no more than it may however many addresses come, and a crowd that keeps coming stays limited", () => {
    const { clock, buckets, room } = start();
    expect(takeAll(room, "office")).toBe(5);
    let largest = 0;
    let taken = 0;
    for (let address = 0; address < 1.5 * maxAddresses; address++) {
      if (room.take(`address-${address}`) !== 0) throw new Error("a newcomer was refused for the sake of memory");
      largest = Math.max(largest, buckets.size);
      if (address % 10_000 === 0 && room.take("office") === 0) taken++;
    }
    expect(largest).toBe(maxAddresses);
    expect(taken).toBe(0);
    clock.advance(5_000);
    expect(takeAll(room, "office")).toBe(5);
  });

  test("forgets first who took least: a flood fills no empty bucket before it has emptied as many others", () => {
    const { room } = start(100);
    takeAll(room, "early");
    room.take("little");
    for (let address = 0; address < 1_000; address++) room.take(`address-${address}`);
    expect([takeAll(room, "early"), takeAll(room, "little")]).toEqual([0, 5]);
    // A quarter of the memory is for the emptiest: 25 of 100.
    for (let address = 0; address < 20; address++) takeAll(room, `address-${address}`);
    for (let address = 1_000; address < 2_000; address++) room.take(`address-${address}`);
    expect(takeAll(room, "early")).toBe(0);
    for (let address = 0; address < 200; address++) takeAll(room, `other-${address}`);
    expect(takeAll(room, "early")).toBe(5);
  });

  test("forgets an address once its bucket has been full for a while, as soon as anybody joins", () => {
    const { clock, buckets, room } = start();
    for (let address = 0; address < 1_000; address++) room.take(`address-${address}`);
    clock.advance(5_000);
    room.take("a");
    expect(buckets.size).toBe(1_001);
    clock.advance(5_000);
    room.take("b");
    expect(buckets.size).toBe(2);
  });

  test("never forgets a bucket that is not full for the sake of time", () => {
    const { clock, buckets } = start();
    const quick = buckets.of("quick", { perMinute: 6_000, burst: 1 });
    const slow = buckets.of("slow", { perMinute: 1, burst: 3 });
    expect(takeAll(slow)).toBe(3);
    for (let seconds = 0; seconds < 59; seconds++) {
      clock.advance(1_000);
      expect(quick.take("b")).toBe(0);
    }
    expect(slow.take("a")).toBe(1_000);
  });
});

test("failed attempts are counted by what was tried and from where; time makes up for failures", () => {
  let nowMs = 0;
  const failures = new FailedAttempts({ now: () => nowMs });
  const fail = (what: string, address: string) => failures.count(what, address);
  for (let turn = 0; turn < 20; turn++) expect(fail("admin", "192.0.2.1")).toBe(0);
  expect([fail("admin", "192.0.2.1"), fail("admin", "::ffff:192.0.2.1")]).toEqual([5, 5]);
  expect([fail("client shop", "192.0.2.1"), fail("admin", "192.0.2.2"), fail("admin", "127.0.0.1")]).toEqual([0, 0, 0]);
  nowMs += 5_000;
  expect([fail("admin", "192.0.2.1"), fail("admin", "192.0.2.1")]).toEqual([0, 5]);
});
