import { readdirSync, readFileSync } from "node:fs";
import { join, relative, sep } from "node:path";
import { fileURLToPath } from "node:url";
import type { Context } from "koa";
import { describe, expect, it, test } from "vitest";
import {
  acceptsGzip,
  acceptsHtml,
  acceptsJsonOnly,
  bearerTokenOf,
  isPartOfPage,
  opensPage,
  type RequestKind,
  requestKindOf,
} from "../../../src/lib/request.ts";
import { requireSameOrigin } from "../../../src/web/middleware/cross-origin.ts";

type Headers = Readonly<Record<string, string>>;
const browser = { "sec-fetch-mode": "navigate", "sec-fetch-dest": "document", "sec-fetch-site": "none" };
/** As before Fetch Metadata. */
const old = { accept: "text/html,application/xhtml+xml,*/*;q=0.8", "user-agent": "Mozilla/5.0" };
const app = "com.example.social";

describe("what a request is for", () => {
  it.each<[RequestKind, boolean, Headers]>([
    // Nothing but the headers named; curl sends none.
    ["navigation", true, browser],
    ["navigation", true, old],
    ["navigation", false, {}],
    ["navigation", false, { accept: "*/*", "user-agent": "curl/8" }],
    ["navigation", true, { "sec-fetch-mode": "navigate" }],
    // X-Requested-With: one value counts, and only without a mode.
    ["navigation", true, { ...browser, "x-requested-with": app }],
    ["navigation", true, { ...old, "x-requested-with": app }],
    ["navigation", true, { ...old, "x-requested-with": "" }],
    ["navigation", true, { ...browser, "x-requested-with": "XMLHttpRequest" }],
    ["embedded", false, { ...old, "x-requested-with": "XMLHttpRequest" }],
    ["embedded", false, { ...old, "x-requested-with": "xmlhttprequest" }],
    ["embedded", false, { ...old, "sec-fetch-mode": "", "x-requested-with": "XMLHTTPREQUEST" }],
    // Sec-Fetch-Mode.
    ["embedded", false, { ...browser, "sec-fetch-mode": "cors" }],
    ["embedded", false, { ...browser, "sec-fetch-mode": "no-cors" }],
    ["embedded", false, { ...browser, "sec-fetch-mode": "same-origin", "sec-fetch-dest": "empty" }],
    ["embedded", false, { ...browser, "sec-fetch-mode": "websocket" }],
    ["navigation", true, { ...browser, ...old, "sec-fetch-mode": "" }],
    ["navigation", true, { ...browser, ...old, "sec-fetch-mode": "of a later standard" }],
    // Node's own `fetch`: browsers say besides what for, and whence.
    ["navigation", false, { "sec-fetch-mode": "cors", accept: "*/*", "user-agent": "node" }],
    // Sec-Fetch-Dest. A site's service worker passes a page's request on without one.
    ["navigation", true, { ...browser, "sec-fetch-dest": "empty" }],
    ["navigation", true, { ...browser, "sec-fetch-dest": "" }],
    ["navigation", true, { ...browser, "sec-fetch-dest": "of a later standard" }],
    ["embedded", false, { ...browser, "sec-fetch-dest": "iframe" }],
    ["embedded", false, { ...browser, "sec-fetch-dest": "frame" }],
    ["embedded", false, { ...browser, "sec-fetch-dest": "object" }],
    ["embedded", false, { ...browser, "sec-fetch-dest": "embed" }],
    ["embedded", false, { ...browser, "sec-fetch-dest": "fencedframe" }],
    ["embedded", false, { ...browser, "sec-fetch-dest": "image" }],
    ["embedded", false, { ...old, "sec-fetch-dest": "empty" }],
    ["navigation", true, { ...old, "sec-fetch-dest": "document" }],
    // Sec-Purpose, and what stood in its place.
    ["prefetch", false, { ...browser, "sec-purpose": "prefetch" }],
    ["prefetch", false, { ...browser, "sec-purpose": "prefetch;prerender" }],
    ["prefetch", false, { ...browser, "sec-purpose": "prefetch;anonymous-client-ip" }],
    ["prefetch", false, { ...browser, "sec-purpose": "Prefetch" }],
    ["prefetch", false, { ...browser, "sec-purpose": "", purpose: "prefetch" }],
    ["prefetch", false, { ...old, purpose: "prefetch" }],
    ["prefetch", false, { ...old, purpose: "preview" }],
    ["prefetch", false, { ...old, "x-purpose": "preview" }],
    ["prefetch", false, { ...browser, "x-purpose": "preview" }],
    ["prefetch", false, { ...old, "x-purpose": "instant, prefetch" }],
    ["prefetch", false, { ...old, "x-moz": "prefetch" }],
    ["navigation", true, { ...browser, "sec-purpose": "" }],
    ["navigation", true, { ...browser, "sec-purpose": "something-else" }],
    ["navigation", true, { ...old, purpose: "no-prefetch" }],
    ["navigation", true, { ...old, "x-purpose": "shopping" }],
    ["navigation", true, { ...old, "x-moz": "1" }],
    // User-Agent, where nothing else says it.
    ["preview", false, { ...old, "user-agent": "facebookexternalhit/1.1" }],
    ["preview", false, { ...old, "user-agent": "WhatsApp/2.23", "sec-fetch-mode": "cors" }],
    ["navigation", true, { ...browser, "user-agent": "Cubot/9 Chrome/120" }],
    ["navigation", true, { ...old, "sec-fetch-dest": "document", "user-agent": "Cubot/9" }],
    // Accept.
    ["navigation", false, { accept: "text/html;q=0, */*" }],
    ["navigation", false, { accept: "application/json, text/html;q=0.5" }],
    ["navigation", true, { accept: "TEXT/HTML" }],
    ["navigation", true, { accept: "application/json;q=0.5, text/html" }],
    ["navigation", false, { accept: "text/htmlx" }],
    ["navigation", true, { ...browser, accept: "*/*" }],
    // None of these says anything.
    ["navigation", true, { ...browser, dnt: "1", "sec-gpc": "1", "save-data": "on", te: "trailers" }],
    ["navigation", true, { ...old, dnt: "0", "save-data": "off", referer: "https://a.example/", origin: "null" }],
  ])("is %s (opens a page: %s) of %j", (kind, isPage, headers) => {
    expect([requestKindOf("GET", headers), opensPage("GET", headers)]).toEqual([kind, isPage]);
    expect(requestKindOf("HEAD", headers)).toBe("head");
    expect(opensPage("POST", headers)).toBe(false);
  });

  it.each([
    [true, "image"],
    [true, "iframe"],
    [false, "document"],
    [false, "empty"],
    [false, ""],
    [false, "of a later standard"],
  ])("is a part of a page: %s of the destination %j", (expected, dest) => {
    expect(isPartOfPage({ "sec-fetch-dest": dest })).toBe(expected);
  });
});

describe("what a client accepts", () => {
  it.each([
    ["application/json", true, false],
    ["Application/JSON", true, false],
    ["application/json, text/plain, */*", true, false],
    ["application/json;q=0, */*", false, false],
    ["application/json; q=0.000, text/html", false, true],
    ["text/html, application/json", false, true],
    ["text/html;q=0.2, application/json;q=0.9", true, false],
    ["text/html;q=x, application/json", true, false],
    ["application/jsonp", false, false],
    ["*/*", false, false],
    ["", false, false],
    [`${"text/css,".repeat(200)}application/json`, false, false],
  ])("%j: JSON only %s, HTML %s", (accept, json, html) => {
    expect([acceptsJsonOnly({ accept }), acceptsHtml({ accept })]).toEqual([json, html]);
  });

  it.each([
    ["gzip, deflate, br, zstd", true],
    ["GZIP", true],
    ["br,gzip;q=0.5", true],
    ["gzip;q=0", false],
    ["gzip; q=0.0, identity", false],
    ["gzip;q=0.1, identity;q=0.5", false],
    ["identity", false],
    ["notgzip, gzipped", false],
    ["", false],
  ])("an answer in gzip with %j: %s", (encoding, expected) => {
    expect(acceptsGzip({ "accept-encoding": encoding })).toBe(expected);
  });
});

describe("what comes from our own pages", () => {
  const issuer = "https://queue.example.com";
  it.each<[boolean, Headers]>([
    [true, { "sec-fetch-site": "same-origin", origin: issuer }],
    [true, { "sec-fetch-site": "same-origin", origin: "null" }],
    // Opened at another address of this server: the browser compares with that one.
    [true, { "sec-fetch-site": "same-origin", origin: "http://127.0.0.1:3000", host: "127.0.0.1:3000" }],
    [true, { "sec-fetch-site": "same-origin", origin: "https://ops.example.com", host: "ops.example.com" }],
    [true, { origin: "http://[::1]:3000", host: "[::1]:3000" }],
    [false, { "sec-fetch-site": "cross-site", origin: "http://127.0.0.1:3000", host: "127.0.0.1:3000" }],
    [false, { origin: "http://127.0.0.1:3001", host: "127.0.0.1:3000" }],
    // Whose name it is nobody says: it may be that of a page which has it point here.
    [false, { origin: "http://evil.example:3000", host: "evil.example:3000" }],
    [false, { origin: "http://127.0.0.1.evil.example", host: "127.0.0.1.evil.example" }],
    // Some clients say so of all that they send.
    [false, { "sec-fetch-site": "same-origin", origin: "https://evil.example", host: "queue.example.com" }],
    [true, { origin: issuer }],
    [true, { origin: issuer, "sec-fetch-site": "" }],
    [false, { origin: issuer, "sec-fetch-site": "cross-site" }],
    [false, { origin: issuer, "sec-fetch-site": "same-site" }],
    [false, { origin: issuer, "sec-fetch-site": "none" }],
    [false, { origin: "https://evil.example" }],
    [false, { origin: "null" }],
    [false, { origin: "" }],
    [false, { referer: `${issuer}/` }],
    [false, {}],
  ])("%s: %j", (isOurs, headers) => {
    const get = (name: string) => headers[name.toLowerCase()] ?? "";
    const ctx = { headers, get, state: { forwarded: { host: headers.host } } } as unknown as Context;
    const check = () => requireSameOrigin(ctx, issuer);
    if (isOurs) expect(check).not.toThrow();
    else expect(check).toThrow("own page");
    // An address that is not known is nobody's.
    if (headers["sec-fetch-site"] !== "same-origin" && headers.host === undefined)
      expect(() => requireSameOrigin(ctx, "")).toThrow("own page");
  });
});

test.each([
  [undefined, undefined],
  ["", undefined],
  ["Basic YTpi", undefined],
  ["Digest username=a", undefined],
  ["Bearerish x", undefined],
  ["Bearer abc", "abc"],
  ["bearer abc", "abc"],
  ["Bearer", null],
  ["Bearer a b", null],
])("of Authorization %j the token is %j", (authorization, token) => {
  expect(bearerTokenOf({ ...(authorization !== undefined && { authorization }) })).toBe(token);
});

/** Which file alone reads a header that only hints at something. */
const readers: Readonly<Record<string, string>> = {
  "sec-purpose": "lib/request.ts",
  purpose: "lib/request.ts",
  "x-purpose": "lib/request.ts",
  "x-moz": "lib/request.ts",
  "x-requested-with": "lib/request.ts",
  "sec-fetch-mode": "lib/request.ts",
  "sec-fetch-dest": "lib/request.ts",
  "sec-fetch-site": "lib/request.ts",
  "sec-fetch-user": "nobody",
  "user-agent": "lib/request.ts",
  accept: "lib/request.ts",
  "accept-encoding": "lib/request.ts",
  "accept-language": "web/visitor/pages/page-request.ts",
  authorization: "lib/request.ts",
  origin: "web/middleware/cross-origin.ts",
  referer: "lib/request.ts",
  dnt: "nobody",
  "sec-gpc": "nobody",
  "save-data": "nobody",
};
/** These send requests, or serve their own computer alone. */
const apart = /^features\/(?:(?:preview|push)\/|[\w-]+\/public-answers\.ts$)/;
/** Of credentials they read what nobody else does: a bearer of a site, those of clients, and a signature. */
const readersOfCredentials = [
  "features/verify/package/gate.ts",
  "oidc/provider/corrections.ts",
  "features/aws-home/caller.ts",
];
/** Rules compare what a request to a site has. */
const others = [...readersOfCredentials, "lib/rules/evaluate.ts", "features/rules/test-rules.ts"];

function readsOf(code: string): string[] {
  const bare = code.replace(/\/\*[\s\S]*?\*\/|\/\/.*$/gm, "");
  const names = Object.keys(readers).filter((name) => {
    const read = `(?:headers\\??\\.${name}\\b|(?:\\]|headers|get|header)\\??\\.?[[(]\\s*["'\`]${name}["'\`]|headers: \\{[^}]*\\b${name}\\b\\s*[,=}]|\\{[^{}]*\\b${name}\\b[^{}]*\\} = [\\w.]*headers\\b|\\{ ${name}(?: = ""|,| \\}).*IncomingHttpHeaders)`;
    return new RegExp(read, "i").test(bare);
  });
  return /\.accepts(?:Encodings|Languages|Charsets)\(/.test(bare) ? [...names, "a framework's reading"] : names;
}

describe("a header that only hints at something", () => {
  it("is read by one file", () => {
    const src = fileURLToPath(new URL("../../../src/", import.meta.url));
    const found = readdirSync(src, { recursive: true, withFileTypes: true })
      .filter((entry) => entry.isFile() && entry.name.endsWith(".ts"))
      .map((entry) => relative(src, join(entry.parentPath, entry.name)).split(sep).join("/"))
      .filter((file) => !apart.test(file) && !others.includes(file))
      .flatMap((file) => readsOf(readFileSync(join(src, file), "utf8")).map((name) => `${name}: ${file}`))
      .filter((each) => !Object.entries(readers).some(([name, file]) => each === `${name}: ${file}`));
    expect(found).toEqual([]);
  });

  it.each([
    ['ctx.get("X-Requested-With")', "x-requested-with"],
    ['request.headers["sec-fetch-mode"]', "sec-fetch-mode"],
    ["const { accept } = 1; request.headers.accept", "accept"],
    ['header("user-agent")', "user-agent"],
    ["headers?.referer", "referer"],
    ["function f({ headers: { authorization = '' } }) {}", "authorization"],
    ["const { accept = '' } = request.headers", "accept"],
    ['ctx.acceptsEncodings("gzip")', "a framework's reading"],
  ])("is found where code has %s", (code, name) => {
    expect(readsOf(code)).toEqual([name]);
  });
});
