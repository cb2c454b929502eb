import type { IncomingMessage } from "node:http";
import type { Context } from "koa";
import { expect, test } from "vitest";
import { createOriginPin, createTrustedProxies } from "../../../../src/web/middleware/incoming.ts";

function request(peer: string, forwardedFor?: string): [IncomingMessage, string | undefined] {
  return [{ socket: { remoteAddress: peer } } as unknown as IncomingMessage, forwardedFor];
}

test("without trusted proxies the peer is the client, whatever it says", () => {
  const { clientOf: addressOf } = createTrustedProxies([]);
  expect(addressOf(...request("203.0.113.9", "198.51.100.1"))).toBe("203.0.113.9");
});

test("behind trusted proxies the nearest address that is none of them is the client", () => {
  const { clientOf: addressOf } = createTrustedProxies(["10.0.0.0/8", "2001:db8::1"]);
  expect(addressOf(...request("10.1.2.3", "198.51.100.1"))).toBe("198.51.100.1");
  expect(addressOf(...request("10.1.2.3", "6.6.6.6, 198.51.100.1, 10.9.9.9"))).toBe("198.51.100.1");
  expect(addressOf(...request("::ffff:10.1.2.3", "198.51.100.1"))).toBe("198.51.100.1");
  expect(addressOf(...request("2001:db8::1", "2001:db8::77"))).toBe("2001:db8::77");
  expect(addressOf(...request("203.0.113.9", "198.51.100.1"))).toBe("203.0.113.9");
});

test("no more than sixteen proxies are looked at, whatever else stands before them", () => {
  const { clientOf: addressOf } = createTrustedProxies(["10.0.0.0/8"]);
  const proxies = (count: number) => Array.from({ length: count }, (_, index) => `10.0.0.${index}`);
  const behind = (count: number) => addressOf(...request("10.1.2.3", ["198.51.100.1", ...proxies(count)].join(", ")));
  expect(behind(15)).toBe("198.51.100.1");
  expect(behind(16)).toBe("10.0.0.0");
  expect(addressOf(...request("10.1.2.3", `${",".repeat(60_000)}198.51.100.1,10.9.9.9`))).toBe("198.51.100.1");
});

test("what a client would rather have is not read where it is longer than any preference", () => {
  const long = "*/*,".repeat(300);
  const headers = { accept: long, "accept-encoding": "gzip", "accept-language": long, cookie: long };
  const context = { req: { headers: { ...headers }, url: "/" }, originalUrl: "/", state: {} };
  createOriginPin("https://queue.example", createTrustedProxies([]))(context as unknown as Context);
  expect(context.req.headers).toMatchObject({ "accept-encoding": "gzip", cookie: long });
  expect(context.req.headers).not.toHaveProperty("accept");
  expect(context.req.headers).not.toHaveProperty("accept-language");
});

test("an address that is none is not believed", () => {
  const { clientOf: addressOf } = createTrustedProxies(["10.0.0.0/8"]);
  expect(addressOf(...request("10.1.2.3", "<script>"))).toBe("10.1.2.3");
});

test("without trusted proxies this machine may say what was asked for, and nobody else", () => {
  const { mayAsk } = createTrustedProxies([]);
  for (const peer of ["127.0.0.1", "127.1.2.3", "::1", "::ffff:127.0.0.1"]) {
    expect(mayAsk(request(peer)[0])).toBe(true);
  }
  for (const peer of ["10.0.0.1", "192.0.2.1", "2001:db8::1", "::ffff:10.0.0.1", ""]) {
    expect(mayAsk(request(peer)[0])).toBe(false);
  }
});

test("with trusted proxies they may say what was asked for, and this machine only if it is one of them", () => {
  const { mayAsk } = createTrustedProxies(["10.0.0.0/8", "2001:db8::1"]);
  for (const peer of ["10.1.2.3", "::ffff:10.1.2.3", "2001:db8::1"]) {
    expect(mayAsk(request(peer)[0])).toBe(true);
  }
  for (const peer of ["127.0.0.1", "::1", "11.0.0.1", "2001:db8::2"]) {
    expect(mayAsk(request(peer)[0])).toBe(false);
  }
});
