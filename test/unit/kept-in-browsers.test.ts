/** All that a browser is given to keep, and its bound. What is new here has to name one: a browser visits more rooms than anybody foresaw. */
import { existsSync, readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { expect, test } from "vitest";
import { createVisitorCookies } from "../../src/oidc/index.ts";

const src = fileURLToPath(new URL("../../src/", import.meta.url));
const oneItem = "one item, whatever the room";
const twentyRooms = "one item of the 20 rooms that were seen last: of-rooms.ts";
const oneOfIssuer = "one of the issuer";

/** By file: each place that writes or opens something that a browser keeps, and why it has a bound. */
const bounds: Readonly<Record<string, readonly string[]>> = {
  "operate/console/room/key-help.tsx": [oneItem],
  "operate/console/room/wake-lock.tsx": [oneItem],
  "web/browser/device-key.ts": ["one key for all rooms; every bound place needs it"],
  "web/browser/entry.ts": [oneItem, oneItem],
  "web/browser/later/call.ts": ["three items, one for each offer"],
  "web/browser/later/draw.ts": [twentyRooms],
  "web/browser/later/progress.ts": [twentyRooms, twentyRooms],
  "web/browser/linked.ts": ["one cookie, for ten minutes"],
  "web/browser/meeting.ts": [oneItem],
  "web/browser/of-rooms.ts": [twentyRooms],
  "web/browser/page-parts.ts": [twentyRooms, oneItem],
  "web/browser/push-offer.ts": ["a worker for each note: push-subscription.ts"],
  "web/browser/push-subscription.ts": ["20 rooms, and those with a turn to come", "as the notes"],
  "features/site-tag/browser/tag/admission.ts": [
    "one item in each storage: 20 admissions that hold; three times of the last minute and one address",
  ],
  "web/browser/tries.ts": ["one item for each of two pages"],
  "operate/admin-api/sign-in/cookies.ts": ["one for each of four names of the issuer", "their attributes"],
  "web/forward-auth/site-cookie.ts": [
    "two for a room whose targets name the site: the admission, and a program's ticket",
  ],
  "oidc/gate/visitor-cookies.ts": ["cookie-bound.ts, for all of rooms; the others are named below"],
  "oidc/logout/logout.ts": [oneOfIssuer],
  "oidc/provider/provider.ts": ["one session of the issuer, with its signature; no interaction"],
  "features/verify/package/gate.ts": ["one for the room of a site, until its admission ends"],
};

const writes = new RegExp(
  [
    String.raw`(?:local|session)Storage(?:\.\w+|\[\w+\])? = (?!=)`,
    String.raw`page\[area\]\.\w+ = (?!=)`,
    String.raw`(?:local|session)Storage\.setItem\(|storage\.setItem\(`,
    String.raw`rememberOf\((?:local|session)Storage`,
    String.raw`indexedDB\.open\(|caches\.open\(|serviceWorker\.register\(|pushManager\.subscribe\(|manager\.subscribe\(`,
    String.raw`document\.cookie = |window\.name = `,
    String.raw`"Set-Cookie", \x60|Path=/; HttpOnly; SameSite=Lax\$|ctx\.cookies\.set\(|names: \{ session:`,
  ].join("|"),
  "g",
);

test("each has a bound, and is written where the bound says", () => {
  const found: Record<string, number> = {};
  for (const name of readdirSync(src, { recursive: true, encoding: "utf8" })) {
    if (!/\.tsx?$/.test(name)) continue;
    const count = readFileSync(join(src, name), "utf8").match(writes)?.length ?? 0;
    if (count > 0) found[name.replaceAll("\\", "/")] = count;
  }
  // All but what went with a feature.
  const isThere = (name: string) => !name.startsWith("features/") || existsSync(join(src, name));
  const expected = Object.entries(bounds).filter(([name]) => isThere(name));
  expect(found).toEqual(Object.fromEntries(expected.map(([name, each]) => [name, each.length])));
});

test("every cookie of a room counts in the bound of all, by its name", () => {
  const cookies = createVisitorCookies(true);
  const ofIssuer = ["language", "uiLocales", "assets", "theme"];
  const readers = ["sparesIn", "ofRooms", "named"];
  const named = { ...cookies } as Record<string, unknown>;
  for (const [name, make] of Object.entries(named)) {
    if (ofIssuer.includes(name) || readers.includes(name)) continue;
    const header = (make as typeof cookies.attempt)("a-room", "00000000").header("value").split(";")[0] as string;
    expect(cookies.ofRooms({ headers: { cookie: header } } as never), name).toMatchObject([{ room: "a-room" }]);
  }
  for (const name of ofIssuer) {
    const header = (named[name] as typeof cookies.language).header("value").split(";")[0] as string;
    expect(cookies.ofRooms({ headers: { cookie: header } } as never), name).toEqual([]);
  }
});

test("every answer that gives a room's first cookie asks for the bound", () => {
  const of = (pattern: RegExp) =>
    readdirSync(src, { recursive: true, encoding: "utf8" })
      .filter((name) => /\.ts$/.test(name) && pattern.test(readFileSync(join(src, name), "utf8")))
      .map((name) => name.replaceAll("\\", "/"))
      .sort();
  expect(of(/\bcookieBound\(/)).toEqual([
    "oidc/gate/entry.ts",
    "oidc/identity/attempts.ts",
    "oidc/identity/identities.ts",
    "web/visitor/links/bypass.ts",
    "web/visitor/links/move.ts",
  ]);
});
