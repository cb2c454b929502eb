import { describe, expect, it } from "vitest";
import { parseRedisUrl, redisUrlFault } from "../../../src/lib/redis-url.ts";

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
    expect(parseRedisUrl("redis-sentinel://:pw@a,b:5000/my-master?db=2&sentinel_password=s%2B+")).toEqual({
      kind: "sentinel",
      nodes: [
        { host: "a", port: 26_379 },
        { host: "b", port: 5_000 },
      ],
      master: "my-master",
      connection: { password: "pw", sentinelPassword: "s++", db: 2 },
    });
    expect(parseRedisUrl("rediss-sentinel://a/m").connection.tls).toEqual({});
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
});

describe("redisUrlFault", () => {
  it.each([
    "redis://localhost",
    "redis://localhost:6379/2",
    "redis://localhost:6379/",
    "redis://h/12345",
    "rediss://:pass@redis.example:6380",
    "redis://[::1]:6379",
    "redis-sentinel://a:1,b:2/rooms",
    "redis-cluster://a,b,c",
  ])("accepts %s", (url) => {
    expect(redisUrlFault(url)).toBeNull();
  });

  it.each([
    ["localhost:6379", "expected"],
    ["http://localhost", "expected"],
    ["redis://", "expected"],
    ["redis:///0", "expected"],
    ["redis://h#x", "expected"],
    ["redis://h x", "expected"],
    [`redis://${"h".repeat(2_048)}`, "expected"],
    ["redis://a,b", "several hosts"],
    ["redis://h:port", "cannot be read"],
    ["redis://h:0", "cannot be read"],
    ["redis://h:65536", "cannot be read"],
    ["redis://h/x", "the database is no number"],
    ["redis://h/123456", "the database is no number"],
    ["redis://h?db=1", "parameters follow"],
    ["redis-sentinel://a", "name of the master is missing"],
    ["redis-sentinel://a/m?db=x", "the database is no number"],
    ["redis-sentinel://a/m?password=x", "parameters other than db and sentinel_password"],
    ["redis-cluster://a/1", "no numbered databases"],
    ["redis://%zz@h", "write %25"],
  ])("refuses %s: what is allowed, what is wrong, and no part of the URL", (url, reason) => {
    const fault = redisUrlFault(url.replace("://", url.includes("@") ? "://hidden" : "://:hidden@"));
    expect(fault).toMatch(/^expected redis:\/\/.*redis-sentinel:\/\/.*redis-cluster:\/\//);
    expect(fault).toContain(reason);
    expect(fault).not.toContain("hidden");
  });
});
