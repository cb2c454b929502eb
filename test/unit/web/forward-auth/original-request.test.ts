import type { Context } from "koa";
import { describe, expect, it } from "vitest";
import { readOriginalRequest } from "../../../../src/web/forward-auth/original-request.ts";

interface Asked {
  headers?: Record<string, string>;
  host?: string;
  forwardedHost?: string;
  forwardedProto?: string;
  method?: string;
  appended?: string;
}

function read({ headers = {}, method = "GET", appended = "", ...forwarded }: Asked) {
  const lower = Object.fromEntries(Object.entries(headers).map(([name, value]) => [name.toLowerCase(), value]));
  const ctx = { get: (name: string) => lower[name.toLowerCase()] ?? "", method, state: { forwarded } };
  return readOriginalRequest(ctx as unknown as Context, appended, "https");
}

const told = (asking: () => unknown): unknown => {
  try {
    return asking();
  } catch (error) {
    return String(error);
  }
};

describe("the request that a proxy asks about", () => {
  it.each<[string, Asked, [method: string, isSure: boolean]]>([
    ["one", { headers: { "X-Original-URI": "/a", "X-Original-Method": "POST" } }, ["POST", true]],
    ["none", { headers: { "X-Original-URI": "/a" }, method: "GET" }, ["GET", false]],
    [
      "two",
      { headers: { "X-Forwarded-Uri": "/a", "X-Forwarded-Method": "GET", "X-Original-Method": "POST" } },
      ["POST", false],
    ],
    ["its own", { appended: "/a", method: "PUT" }, ["PUT", true]],
    [
      "another than its own",
      { appended: "/a", method: "GET", headers: { "X-Original-Method": "POST" } },
      ["POST", false],
    ],
  ])("has a method for sure where the proxy names one alone: %s", (_, asked, expected) => {
    const { method, isMethodSure } = read({ host: "shop.example.com", ...asked });
    expect([method, isMethodSure]).toEqual(expected);
  });

  it("is of no protocol that every object knows", () => {
    const asked = () => read({ appended: "/a", host: "shop.example.com", forwardedProto: "constructor" });
    const unknown = () => read({ appended: "/a", host: "shop.example.com", forwardedProto: "gopher" });
    expect(told(asked)).toEqual(told(unknown));
  });

  it.each([
    [
      "nginx, whole address",
      {
        headers: { "X-Original-URL": "https://shop.example.com/a?b=c", "X-Original-Method": "GET" },
        host: "usher",
      },
    ],
    [
      "nginx, path",
      {
        headers: { "X-Original-URI": "/a?b=c", "X-Original-Method": "get" },
        host: "shop.example.com",
        forwardedProto: "https",
      },
    ],
    [
      "Traefik and Caddy",
      {
        headers: { "X-Forwarded-Uri": "/a?b=c", "X-Forwarded-Method": "GET" },
        host: "usher:3000",
        forwardedHost: "shop.example.com",
        forwardedProto: "https",
      },
    ],
    ["Envoy", { appended: "/a?b=c", host: "shop.example.com", forwardedProto: "https" }],
    ["a WebSocket", { appended: "/a?b=c", host: "shop.example.com", forwardedProto: "wss" }],
    ["nobody says the protocol", { appended: "/a?b=c", host: "shop.example.com" }],
  ] satisfies [string, Asked][])("is read as %s writes it", (_, asked) => {
    const expected = {
      method: "GET",
      isMethodSure: true,
      isHttps: true,
      host: "shop.example.com",
      path: "/a",
      address: "https://shop.example.com/a?b=c",
      authority: "shop.example.com",
      target: "/a?b=c",
    };
    expect(read(asked)).toEqual(expected);
  });

  it("keeps path and query as they were sent", () => {
    const target = "/a/../b//%2e%2e/c?d=%20&e=grün";
    const { path, address } = read({ appended: target, host: "shop.example.com" });
    expect([path, address]).toEqual(["/a/../b//%2e%2e/c", `https://shop.example.com${target}`]);
    expect(read({ headers: { "X-Original-URL": "http://a.example/" } })).toMatchObject({ path: "/", isHttps: false });
  });

  it("is no GET if anything says so", () => {
    const host = "shop.example.com";
    expect(read({ appended: "/a", host, method: "POST" }).method).toBe("POST");
    const uri = { "X-Original-URI": "/a" };
    expect(read({ headers: { ...uri, "X-Original-Method": "DELETE" }, host }).method).toBe("DELETE");
    const both = { "X-Original-Method": "GET", "X-Forwarded-Method": "POST" };
    expect(read({ headers: { ...uri, ...both }, host }).method).toBe("POST");
    expect(read({ headers: { ...uri, "X-Forwarded-Method": "GET" }, host, method: "HEAD" }).method).toBe("GET");
  });

  const host = "shop.example.com";
  it.each([
    ["nothing", { host }],
    ["paths that differ", { headers: { "X-Original-URI": "/a", "X-Forwarded-Uri": "/assets/a" }, host }],
    [
      "a header beside the appended path",
      { headers: { "X-Original-URL": `https://${host}/assets/a` }, appended: "/a" },
    ],
    ["queries that differ", { headers: { "X-Original-URI": "/a?b", "X-Forwarded-Uri": "/a?c" }, host }],
    ["no absolute address", { headers: { "X-Original-URL": "/a" }, host }],
    ["another scheme", { headers: { "X-Original-URL": "ftp://shop.example.com/a" }, host }],
    ["another protocol", { headers: { "X-Original-URI": "/a" }, host, forwardedProto: "gopher" }],
    ["two protocols", { headers: { "X-Original-URI": "/a" }, host, forwardedProto: "https, http" }],
    ["a host with a query", { headers: { "X-Original-URL": `https://${host}?/private` } }],
    ["a host with half a query", { headers: { "X-Original-URL": `https://${host}?x/private` } }],
    ["no path", { headers: { "X-Original-URL": `https://${host}` } }],
    ["no host", { headers: { "X-Original-URI": "/a" } }],
    ["a user name", { headers: { "X-Original-URL": "https://user@shop.example.com/a" } }],
    ["a host with a line break", { headers: { "X-Forwarded-Uri": "/a" }, forwardedHost: "shop\r\nX: y" }],
    ["two hosts", { headers: { "X-Forwarded-Uri": "/a" }, forwardedHost: "shop.example.com, evil.example" }],
    ["a host with a path", { headers: { "X-Forwarded-Uri": "/a" }, forwardedHost: "evil.example/x" }],
    ["a path without a slash", { headers: { "X-Forwarded-Uri": "@evil.example/" }, host }],
    ["a fragment", { headers: { "X-Forwarded-Uri": "/a#b" }, host }],
    ["a line break in the path", { headers: { "X-Forwarded-Uri": "/a\r\nSet-Cookie: b=c" }, host }],
    ["a space in the path", { headers: { "X-Forwarded-Uri": "/a b" }, host }],
  ] satisfies [string, Asked][])("is refused for %s", (_, asked) => {
    expect(() => read(asked)).toThrow(/forward-auth/);
  });
});
