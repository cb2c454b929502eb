import { describe, expect, test } from "vitest";
import { addressBlock } from "../../../../src/lib/address-block.ts";
import { createJoinLimits } from "../../../../src/room/visitor/join-limits.ts";
import { createMovedClock } from "../../../support/moved-clock.ts";

function start() {
  const clock = createMovedClock();
  const limits = createJoinLimits(clock);
  const room = limits.of("tickets", { perMinute: 60, burst: 5 }, null);
  const take = (address: string) => room.take(addressBlock(address) ?? "")?.retryMs ?? 0;
  /** How many of the addresses get a place. */
  const given = (addresses: readonly string[]) => addresses.filter((address) => take(address) === 0).length;
  return { clock, limits, room, take, given };
}

const times = <T>(count: number, make: (index: number) => T): T[] => Array.from({ length: count }, (_, at) => make(at));
const hex = (number: number) => number.toString(16);
/** Each in a /64 of its own, in one /56. */
const ofHome = (home: string, count: number) => times(count, (at) => `${home}${hex(at).padStart(2, "0")}::1`);
/** Each in a /56 of its own, in one /48. */
const ofSite = (site: string, count: number) => times(count, (at) => `${site}:${hex(at)}00::1`);

describe("wider blocks", () => {
  test("a /64 has the limit of an address, a /56 four times as much, a /48 eight times", () => {
    const { given } = start();
    expect(given(times(50, (at) => `2001:db8:1:2::${hex(at)}`))).toBe(5);
    expect(given(ofHome("2001:db8:2:1", 200))).toBe(20);
    expect(given(ofSite("2001:db8:3", 200))).toBe(40);
  });

  test("are filled as many times as fast, and tell when there is a place", () => {
    const { clock, take, given } = start();
    given(ofSite("2001:db8:3", 200));
    expect(take("2001:db8:3:ff00::1")).toBe(125);
    clock.advance(1_000);
    expect(given(ofSite("2001:db8:3", 200))).toBe(8);
  });

  test("lose nothing to a narrower one that is refused, and get back what was not needed", () => {
    const { room, given } = start();
    given(times(1_000, () => "2001:db8:3:1::1"));
    // 5 of 40 are taken.
    expect(given(ofSite("2001:db8:3", 200))).toBe(35);
    room.refund("2001:db8:3:100::/64");
    expect(given(ofSite("2001:db8:3", 200))).toBe(1);
  });

  test("are nothing to IPv4 addresses, however these are written", () => {
    const { given } = start();
    expect(given(times(200, (at) => `203.0.113.${at}`))).toBe(200);
    expect(given(times(200, (at) => `::ffff:198.51.100.${at}`))).toBe(200);
    expect(given(times(20, (at) => ["203.0.114.1", "::ffff:203.0.114.1"][at % 2] ?? ""))).toBe(5);
  });
});

describe("memory", () => {
  test("stores no address of a block that is used up", () => {
    const { limits, given } = start();
    given(times(10_000, (at) => `2001:db8:4:${hex(at)}::1`));
    // 40 places: at most as many /64 and /56, and the /48.
    expect(limits.size).toBeLessThanOrEqual(81);
  });

  test("is bounded however many blocks come, and a crowded block stays limited", () => {
    const { limits, given } = start();
    given(times(5, () => "203.0.113.9"));
    given(ofSite("2001:db8:3", 40));
    let largest = 0;
    for (let site = 0; site < 25_000; site++) {
      for (let home = 0; home < 2; home++) given([`2a00:${hex(site >> 12)}:${hex(site & 0xfff)}:${home}00::1`]);
      largest = Math.max(largest, limits.size);
    }
    expect(largest).toBeLessThanOrEqual(100_001);
    expect([given(["203.0.113.9"]), given(ofSite("2001:db8:3", 40))]).toEqual([0, 0]);
  });
});
