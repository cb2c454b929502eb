import type { Context } from "koa";
import { describe, expect, test } from "vitest";
import { createLogger } from "../../../../src/lib/logger.ts";
import { createTrustedProxies } from "../../../../src/web/middleware/incoming.ts";
import { createJoinAddress } from "../../../../src/web/visitor/joining.ts";

function start(trustedProxies: readonly string[] = []) {
  const lines: string[] = [];
  const logger = createLogger("info", { write: (line: string) => void lines.push(line) });
  const proxies = createTrustedProxies(trustedProxies);
  const addressOf = createJoinAddress({ proxies, logger });
  return {
    addressOf(peer: string, forwardedFor?: string) {
      const req = { socket: { remoteAddress: peer } };
      const state = { forwardedFor, clientAddress: () => proxies.clientOf(req as never, forwardedFor) };
      return addressOf({ req, state } as unknown as Context);
    },
    told: () =>
      lines
        .map((line) => JSON.parse(line))
        .map(({ event, proxy, unreadable }) =>
          unreadable === undefined ? [event, proxy] : [event, proxy, unreadable],
        ),
  };
}

describe("behind a trusted proxy", () => {
  test("joins are counted by the address that it names, whatever else the visitor claims", () => {
    const { addressOf } = start(["10.0.0.0/8"]);
    expect(addressOf("10.0.0.7", "203.0.113.9")).toBe("203.0.113.9");
    expect(addressOf("::ffff:10.0.0.7", "2001:db8:1:2::3")).toBe("2001:db8:1:2::/64");
    expect(addressOf("10.0.0.7", "198.51.100.1, 203.0.113.9, 10.0.0.8")).toBe("203.0.113.9");
    expect(addressOf("10.0.0.7", "192.168.0.4, 203.0.113.9")).toBe("203.0.113.9");
  });

  test("joins are counted by the address alone, whatever the proxy writes around it", () => {
    const { addressOf, told } = start(["10.0.0.0/8", "2001:db8::7"]);
    for (const header of [
      "203.0.113.9:50001",
      "203.0.113.9:50001, 10.0.0.8:443",
      '"203.0.113.9:4711"',
      " 203.0.113.9 ",
    ]) {
      expect(addressOf("10.0.0.7", header)).toBe("203.0.113.9");
    }
    for (const header of ["[2001:db8:1:2::3]:443", "[2001:db8:1:2::3]", '"[2001:db8:1:2::3]:443", [2001:db8::7]:1']) {
      expect(addressOf("10.0.0.7", header)).toBe("2001:db8:1:2::/64");
    }
    expect(told()).toEqual([]);
  });

  test("joins of nobody in particular are not counted, which is told once for each proxy", () => {
    const { addressOf, told } = start(["10.0.0.0/8"]);
    for (const header of ["203.0.113.9, _hidden\u001b[31m", "unknown"])
      expect(addressOf("10.0.0.7", header)).toBeNull();
    expect(addressOf("10.0.0.8")).toBeNull();
    expect(told()).toEqual([
      ["joins.visitor_unnamed", "10.0.0.7", "_hidden\ufffd[31m"],
      ["joins.visitor_unnamed", "10.0.0.8"],
    ]);
  });

  test("a visitor within the trusted range is not counted either, and that is nothing to tell", () => {
    const { addressOf, told } = start(["10.0.0.0/8"]);
    expect(addressOf("10.0.0.7", "10.9.9.9")).toBeNull();
    expect(told()).toEqual([]);
  });
});

describe("behind a proxy that is not trusted", () => {
  test.each(["10.0.0.7", "172.18.0.1", "192.168.1.1", "100.64.0.3", "fd00::1", "127.0.0.1", "::ffff:10.0.0.7"])(
    "in a network of one's own (%s) nobody is counted, and that is told once, with its address",
    (proxy) => {
      const { addressOf, told } = start();
      expect([addressOf(proxy, "203.0.113.9"), addressOf(proxy, "203.0.113.10")]).toEqual([null, null]);
      expect(told()).toEqual([["joins.proxy_unknown", proxy]]);
    },
  );

  test("on the internet all are counted as one, whatever they claim, and that is told once, without an address", () => {
    const { addressOf, told } = start();
    for (const claim of ["198.51.100.1", "198.51.100.2", "127.0.0.1"]) {
      expect(addressOf("203.0.113.9", claim)).toBe("203.0.113.9");
    }
    expect(told()).toEqual([["joins.proxy_unknown", undefined]]);
  });

  test("that stands before a trusted one, the same", () => {
    const { addressOf, told } = start(["10.0.0.7"]);
    expect(addressOf("10.0.0.7", "203.0.113.9, 10.0.0.99")).toBeNull();
    expect(told()).toEqual([["joins.proxy_unknown", "10.0.0.99"]]);
  });
});

test("without a proxy joins are counted by where they come from; this machine's own are not", () => {
  const { addressOf, told } = start();
  expect(addressOf("203.0.113.9")).toBe("203.0.113.9");
  expect(addressOf("192.168.1.20")).toBe("192.168.1.20");
  for (const own of ["127.0.0.1", "::1", "::ffff:127.0.0.1", ""]) expect(addressOf(own)).toBeNull();
  expect(told()).toEqual([]);
});
