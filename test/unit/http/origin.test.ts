import type { IncomingMessage } from "node:http";
import { expect, test } from "vitest";
import { createClientAddress } from "../../../src/http/origin.ts";

function request(peer: string, forwardedFor?: string): [IncomingMessage, string | undefined] {
  return [{ socket: { remoteAddress: peer } } as unknown as IncomingMessage, forwardedFor];
}

test("without trusted proxies the peer is the client, whatever it says", () => {
  const addressOf = createClientAddress([]);
  expect(addressOf(...request("203.0.113.9", "198.51.100.1"))).toBe("203.0.113.9");
});

test("behind trusted proxies the nearest address that is none of them is the client", () => {
  const addressOf = createClientAddress(["10.0.0.0/8", "2001:db8::1"]);
  expect(addressOf(...request("10.1.2.3", "198.51.100.1"))).toBe("198.51.100.1");
  expect(addressOf(...request("10.1.2.3", "6.6.6.6, 198.51.100.1, 10.9.9.9"))).toBe("198.51.100.1");
  expect(addressOf(...request("::ffff:10.1.2.3", "198.51.100.1"))).toBe("198.51.100.1");
  expect(addressOf(...request("2001:db8::1", "2001:db8::77"))).toBe("2001:db8::77");
  expect(addressOf(...request("203.0.113.9", "198.51.100.1"))).toBe("203.0.113.9");
});

test("an address that is none is not believed", () => {
  const addressOf = createClientAddress(["10.0.0.0/8"]);
  expect(addressOf(...request("10.1.2.3", "<script>"))).toBe("10.1.2.3");
});
