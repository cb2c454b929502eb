import type { IncomingMessage, ServerResponse } from "node:http";
import { expect, test } from "vitest";
import { answerByHost } from "../../../src/web/hosts.ts";
import { createTrustedProxies } from "../../../src/web/middleware/incoming.ts";

const response = {} as ServerResponse;

/** Whom requests are given to. */
function chooser(issuers: readonly string[], trustedProxies: readonly string[] = []) {
  let chosen = "";
  const apps = issuers.map((issuer, index) => ({
    issuer,
    rooms: { get: (id: string) => (id === `room-${index}` ? ({ id } as never) : undefined) },
    listener: () => {
      chosen = issuer;
    },
  }));
  const unknownHost = () => {
    chosen = "nobody";
  };
  const listener = answerByHost(apps, unknownHost, createTrustedProxies(trustedProxies));
  return (headers: IncomingMessage["headers"], { url = "/", peer = "203.0.113.9" } = {}) => {
    listener({ headers, url, socket: { remoteAddress: peer } } as unknown as IncomingMessage, response);
    return chosen;
  };
}

const one = "https://one.example";
const two = "http://localhost:3000";
const three = "http://[::1]:3000";

test("a request goes to the issuer whose host it names, in any spelling of it", () => {
  const choose = chooser([one, two, three]);
  expect(choose({ host: "one.example" })).toBe(one);
  expect(choose({ host: "ONE.example:443" })).toBe(one);
  expect(choose({ host: "localhost:3000" })).toBe(two);
  expect(choose({ host: "[::1]:3000" })).toBe(three);
});

test.each([
  "one.example:80",
  "one.example.",
  "www.one.example",
  "one.example, localhost:3000",
  "localhost",
  "localhost:3001",
  "127.0.0.1:3000",
  "__proto__",
  "",
  undefined,
])("a host that is not configured is nobody's: %s", (host) => {
  expect(chooser([one, two, three])({ host })).toBe("nobody");
});

test("a single issuer answers for every host", () => {
  const choose = chooser([one]);
  for (const host of ["one.example", "evil.example", undefined]) expect(choose({ host })).toBe(one);
});

test("another host is believed of configured proxies alone, and never against Host", () => {
  const choose = chooser([one, two], ["10.0.0.0/8"]);
  const forwarded = { host: "usher.internal", "x-forwarded-host": "one.example" };
  expect(choose(forwarded, { peer: "10.1.2.3" })).toBe(one);
  expect(choose(forwarded)).toBe("nobody");
  expect(choose({ ...forwarded, host: "localhost:3000" }, { peer: "10.1.2.3" })).toBe(two);
  expect(choose({ ...forwarded, "x-forwarded-host": "one.example, two" }, { peer: "10.1.2.3" })).toBe("nobody");
  expect(chooser([one, two])(forwarded, { peer: "127.0.0.1" })).toBe("nobody");
});

test("a proxy that asks about a site's request is known by the room, and anybody else by the host alone", () => {
  const choose = chooser([one, two], ["10.0.0.0/8"]);
  const asks = { peer: "10.1.2.3", url: "/rooms/room-1/verify/path?q" };
  expect(choose({ host: "shop.example" }, asks)).toBe(two);
  expect(choose({ host: "shop.example" }, { ...asks, url: "/rooms/room-0/verify" })).toBe(one);
  expect(choose({ host: "one.example" }, asks)).toBe(one);
  expect(choose({ host: "shop.example" }, { ...asks, peer: "203.0.113.9" })).toBe("nobody");
  for (const url of ["/rooms/room-2/verify", "/rooms/room-1/verifying", "/rooms/room-1/status", "/rooms/room-1"]) {
    expect(choose({ host: "shop.example" }, { ...asks, url })).toBe("nobody");
  }
});
