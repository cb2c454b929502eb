import { describe, expect, test } from "vitest";
import { addressBlock, limitedBlocks } from "../../../src/lib/address-block.ts";

test.each([
  ["203.0.113.9", "203.0.113.9"],
  ["::ffff:203.0.113.9", "203.0.113.9"],
  ["::ffff:cb00:7109", "203.0.113.9"],
  // Translated on its way, by a network that has IPv6 alone.
  ["64:ff9b::203.0.113.9", "203.0.113.9"],
  ["::ffff:0:203.0.113.9", "203.0.113.9"],
  ["2001:db8:1:2:3:4:5:6", "2001:db8:1:2::/64"],
  ["2001:db8:1:2::1", "2001:db8:1:2::/64"],
  ["2001:DB8:0001:0002:ffff::", "2001:db8:1:2::/64"],
  ["2001:db8:1:3::1", "2001:db8:1:3::/64"],
  ["fe80::1%eth0", "fe80:0:0:0::/64"],
])("%s is counted as %s", (address, block) => {
  expect(addressBlock(address)).toBe(block);
});

test.each(["127.0.0.1", "127.8.9.10", "::1", "::ffff:127.0.0.1", "", "unknown", "_hidden"])(
  "%j is not counted",
  (address) => {
    expect(addressBlock(address)).toBeNull();
  },
);

describe("the blocks whose limits count", () => {
  const around = (address: string) =>
    limitedBlocks(addressBlock(address) ?? "").map(({ block, times }) => [block, times]);

  test.each(["203.0.113.9", "::ffff:203.0.113.9", "::ffff:cb00:7109", "64:ff9b::203.0.113.9"])(
    "of %s are the IPv4 address alone",
    (address) => {
      expect(around(address)).toEqual([["203.0.113.9", 1]]);
    },
  );

  test.each([
    ["2001:db8:1:2ff::1", "2001:db8:1::/48", "2001:db8:1:200::/56", "2001:db8:1:2ff::/64"],
    ["2001:db8:1:fe01:5::1", "2001:db8:1::/48", "2001:db8:1:fe00::/56", "2001:db8:1:fe01::/64"],
    ["2001:db8::1", "2001:db8:0::/48", "2001:db8:0:0::/56", "2001:db8:0:0::/64"],
  ])("of %s are its /48, /56 and /64", (address, site, home, network) => {
    expect(around(address)).toEqual([
      [site, 8],
      [home, 4],
      [network, 1],
    ]);
  });
});
