import ipaddr from "ipaddr.js";
import { describe, expect, test } from "vitest";
import { createRangeFinder, createRangeFinders } from "../../../src/lib/address-ranges.ts";
import { createSeededRandom } from "../../support/seeded-random.ts";

describe("what an address belongs to", () => {
  const find = createRangeFinder([
    ["198.51.100.7", "one"],
    ["198.51.100.0/24", "school"],
    ["198.51.0.0/16", "city"],
    ["2001:db8:1::/47", "carrier"],
    ["2001:db8:1:2::9", "phone"],
    ["::ffff:192.0.2.0/120", "mapped"],
    ["203.0.113.0/28", "a"],
    ["203.0.113.0/28", "b"],
  ]);

  test.each([
    ["198.51.100.7", "one"],
    ["198.51.100.8", "school"],
    ["198.51.101.8", "city"],
    ["198.52.0.1", undefined],
    ["::ffff:198.51.100.8", "school"],
    ["2001:db8:0:ffff::1", "carrier"],
    ["2001:db8:1:2::9", "carrier"],
    ["2001:db8:2::1", undefined],
    ["192.0.2.200", "mapped"],
    ["203.0.113.15", "a"],
    ["203.0.113.16", undefined],
    ["", undefined],
    ["no address", undefined],
    ["::1", undefined],
  ])("%s: the first that has it, %s", (address, of) => expect(find(address)).toBe(of));

  test("everything, or nothing", () => {
    const all = createRangeFinder([
      ["0.0.0.0/0", 4],
      ["::/0", 6],
    ]);
    expect([all("192.0.2.1"), all("2001:db8::1"), createRangeFinder([])("192.0.2.1")]).toEqual([4, 6, undefined]);
  });

  test("is that which a comparison with each range finds", () => {
    const random = createSeededRandom("ranges");
    const number = (below: number) => Math.floor(random.fraction() * below);
    const four = () => [10, number(3), number(4), number(256)].join(".");
    const six = () => `2001:db8:${number(3)}:${number(3)}00::${number(5)}`;
    const entries = Array.from({ length: 300 }, (_, at): [string, number] => [
      at % 2 ? `${four()}/${8 + number(25)}` : `${six()}/${30 + number(99)}`,
      at,
    ]);
    const found = createRangeFinder(entries);
    for (let tried = 0; tried < 2_000; tried++) {
      const text = tried % 2 ? four() : six();
      const address = ipaddr.parse(text);
      const expected = entries.find(([range]) => {
        const [network, bits] = ipaddr.parseCIDR(range);
        return network.kind() === address.kind() && address.match(network, bits);
      });
      expect([text, found(text)]).toEqual([text, expected?.[1]]);
    }
  });
});

test("a list of settings is read once, also when a sync reads it anew; others go when there are too many", () => {
  let read = 0;
  const finders = createRangeFinders<{ range: string }, string>((items) => {
    read++;
    return items.map(({ range }) => [range, range]);
  }, 2);
  const list = () => [{ range: "192.0.2.0/24" }];
  const one = list();
  expect([finders(one)("192.0.2.1"), finders(one)("192.0.3.1"), finders(list())("192.0.2.9")]).toEqual([
    "192.0.2.0/24",
    undefined,
    "192.0.2.0/24",
  ]);
  expect(read).toBe(1);
  finders([{ range: "10.0.0.0/8" }]);
  finders(list());
  finders([{ range: "10.0.0.0/9" }]);
  finders(list());
  expect(read).toBe(3);
  finders([{ range: "10.0.0.0/8" }]);
  expect(read).toBe(4);
});
