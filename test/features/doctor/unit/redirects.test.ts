/** Goal: what redirects is told as that, and only the issuer's own host is asked where it leads to. */
import { createServer, type Server } from "node:http";
import type { AddressInfo } from "node:net";
import { afterAll, beforeAll, beforeEach, describe, expect, it } from "vitest";
import { checkFromOutside } from "../../../../src/features/doctor/from-outside.ts";

/** By path: a status, and where it redirects to or what is told. */
type Told = readonly [status: number, text: string, headers?: Record<string, string>];

let server: Server;
let other: Server;
let issuer: string;
let otherOrigin: string;
let told: Record<string, Told>;
let asked: string[];
let askedOfOther: number;

beforeAll(async () => {
  server = createServer(({ url = "" }, response) => {
    asked.push(url);
    const [status, text, headers] = told[url] ?? [404, ""];
    const isRedirect = status >= 300 && status < 400;
    response.writeHead(status, { ...headers, ...(isRedirect && { location: text }) }).end(isRedirect ? "" : text);
  });
  other = createServer((_, response) => {
    askedOfOther++;
    response.end();
  });
  await Promise.all([server, other].map((each) => new Promise<void>((resolve) => each.listen(0, resolve))));
  const portOf = (each: Server) => (each.address() as AddressInfo).port;
  issuer = `http://127.0.0.1:${portOf(server)}`;
  // Another name, and this machine.
  otherOrigin = `http://localhost:${portOf(other)}`;
});
afterAll(() => {
  for (const each of [server, other]) each.close();
});
beforeEach(() => {
  [asked, askedOfOther] = [[], 0];
  told = {
    "/.well-known/openid-configuration": [200, JSON.stringify({ issuer })],
    "/.well-known/jwks.json": [200, '{"keys":[{}]}'],
    "/authorize": [400, "", { "cache-control": "no-store" }],
    "/rooms/sale/status": [200, '{"room":"sale"}', { "cache-control": "max-age=1" }],
    "/rooms/sale/pace": [200, `["abcde",${Date.now()}]`, { "cache-control": "max-age=1" }],
  };
});

async function found(about: string): Promise<string[]> {
  const findings = await checkFromOutside(issuer, ["sale"], Date.now);
  return findings.filter((each) => each.about === about).map(({ status, text }) => `${status}: ${text}`);
}

const closed = ["/admin/rooms", "/metrics", "/readyz"].map((path) => `ok: ${path} is closed there.`);

describe("what relying parties and pages ask, and redirects,", () => {
  it.each([
    ["keys", "/.well-known/jwks.json"],
    ["pages", "/authorize"],
    ["room", "/rooms/sale/status"],
  ])("is a fault that says so: %s", async (about, path) => {
    expect(await found(about)).toEqual([expect.stringMatching(/^ok: /)]);
    told[path] = [301, `${path}/?secret=1`];
    expect(await found(about)).toEqual([
      `fault: ${issuer}${path} redirects to ${issuer}${path}/: ` +
        "not all who ask follow, and parameters get lost. Let the proxy lead it to Usher itself.",
    ]);
  });
});

describe("what is the operators'", () => {
  it("is closed where everybody is led to another page in its place", async () => {
    told["/admin/rooms"] = [302, "/welcome"];
    told["/welcome"] = [200, "<h1>Welcome</h1>"];
    told["/metrics"] = [302, "/forbidden"];
    told["/forbidden"] = [403, ""];
    expect(await found("operators")).toEqual(closed);
  });

  it("is open where a redirect leads to it", async () => {
    told["/admin/rooms"] = [308, "/admin/rooms/"];
    told["/admin/rooms/"] = [401, "{}"];
    told["/metrics"] = [302, `${issuer}/admin/sign-in`];
    told["/admin/sign-in"] = [200, "<form>"];
    expect(await found("operators")).toEqual([
      expect.stringMatching(/^fault: .*\/admin\/rooms leads to .*\/admin\/rooms\/, which answers 401 to everybody/),
      expect.stringMatching(/^fault: .*\/metrics leads to .*\/admin\/sign-in, which answers 200 to everybody/),
      closed[2],
    ]);
  });

  it("and is led to another host is a warning: nothing is asked there", async () => {
    told["/admin/rooms"] = [302, `${otherOrigin}/admin/rooms?token=secret`];
    told["/metrics"] = [302, "mailto:somebody@example.com"];
    expect(await found("operators")).toEqual([
      `warning: ${issuer}/admin/rooms leads to ${otherOrigin}/admin/rooms: ` +
        "the doctor does not ask there, so see for yourself that it is closed to the public.",
      expect.stringMatching(/^warning: .*\/metrics leads to mailto:/),
      closed[2],
    ]);
    expect(askedOfOther).toBe(0);
  });

  it("is asked along five redirects, and no more", async () => {
    told["/admin/rooms"] = [302, "/admin/rooms"];
    expect(await found("operators")).toEqual(closed);
    expect(asked.filter((path) => path === "/admin/rooms")).toHaveLength(6);
  });
});
