import { describe, expect, it } from "vitest";
import { reconnectDelayMs } from "../../../src/store/redis/client.ts";
import { parseRedisUrl } from "../../../src/store/redis/redis-url.ts";

describe("parseRedisUrl", () => {
  it("reads a single server", () => {
    expect(parseRedisUrl("redis://localhost")).toMatchObject({
      kind: "single",
      connection: { host: "localhost", port: 6379 },
    });
    expect(parseRedisUrl("rediss://us%40er:p%2Fw:x@[::1]:7000/3").connection).toEqual({
      host: "::1",
      port: 7000,
      username: "us@er",
      password: "p/w:x",
      db: 3,
      tls: {},
    });
    expect(parseRedisUrl("redis://:secret@h").connection).toEqual({ host: "h", port: 6379, password: "secret" });
  });

  it("reads Sentinels with their master", () => {
    expect(parseRedisUrl("redis-sentinel://:pw@a,b:5000/my-master?db=2&sentinel_password=s")).toEqual({
      kind: "sentinel",
      nodes: [
        { host: "a", port: 26_379 },
        { host: "b", port: 5_000 },
      ],
      master: "my-master",
      connection: { password: "pw", sentinelPassword: "s", db: 2 },
    });
  });

  it("reads a Cluster", () => {
    expect(parseRedisUrl("rediss-cluster://a:1,b")).toEqual({
      kind: "cluster",
      nodes: [
        { host: "a", port: 1 },
        { host: "b", port: 6_379 },
      ],
      master: "",
      connection: { tls: {} },
    });
  });

  it.each([
    "http://localhost",
    "redis://",
    "redis://a,b",
    "redis://h:port",
    "redis://h/x",
    "redis-sentinel://a",
    "redis-cluster://a/1",
  ])("refuses %s without repeating it", (url) => {
    expect(() => parseRedisUrl(url.replace("://", "://:hidden@"))).toThrow(/^(?!.*hidden)/);
  });
});

describe("reconnectDelayMs", () => {
  it("grows from some 50 ms to no more than 3 s, with jitter", () => {
    const delays = (fraction: number) =>
      [1, 2, 5, 10, 1_000].map((n) => reconnectDelayMs(n, { bytes: () => Buffer.of(), fraction: () => fraction }));
    expect(delays(0)).toEqual([25, 50, 400, 1_000, 1_000]);
    expect(delays(0.999)).toEqual([75, 150, 1_199, 2_998, 2_998]);
  });
});
