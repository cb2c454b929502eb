import { describe, expect, it } from "vitest";
import { addressBlock } from "../../../src/lib/address-block.ts";
import { createRangeFinder, isPrivateAddress } from "../../../src/lib/address-ranges.ts";
import { nodeAddress } from "../../../src/lib/node-address.ts";

describe("an address as proxies write it (RFC 7239, section 6)", () => {
  it.each([
    ["203.0.113.7", "203.0.113.7"],
    ["203.0.113.7:50001", "203.0.113.7"],
    ["203.0.113.7:_port", "203.0.113.7"],
    [' "203.0.113.7:50001" ', "203.0.113.7"],
    ["2001:db8::1", "2001:db8::1"],
    ["[2001:db8::1]", "2001:db8::1"],
    ["[2001:db8::1]:443", "2001:db8::1"],
    ['"[2001:db8:cafe::17]:4711"', "2001:db8:cafe::17"],
    ["[::ffff:203.0.113.7]:443", "::ffff:203.0.113.7"],
    ["fe80::1%eth0", "fe80::1"],
    ["[fe80::1%25]:80", "fe80::1"],
    ["unknown", null],
    ["_hidden", null],
    ["_hidden:4711", null],
    ["", null],
    ["[203.0.113.7]:80", null],
    ["203.0.113.7:", null],
    ["203.0.113.7:123456", null],
    ["203.0.113.7:80:80", null],
    ["203.0.113", null],
    ["2130706433", null],
    ["0x7f.1", null],
    ["[2001:db8::1", null],
    ["host.example:443", null],
    ["203.0.113.7/24", null],
  ])("%j is %s", (text, address) => {
    expect(nodeAddress(text)).toBe(address);
  });

  it("is read so wherever an address is", () => {
    expect(addressBlock("203.0.113.7:50001")).toBe("203.0.113.7");
    expect(addressBlock("[2001:db8::1]:443")).toBe("2001:db8:0:0::/64");
    expect(addressBlock("127.0.0.1:80")).toBeNull();
    expect(createRangeFinder([["203.0.113.0/24", 1]])("203.0.113.7:50001")).toBe(1);
    expect(isPrivateAddress("[fd00::1]:443")).toBe(true);
  });
});
