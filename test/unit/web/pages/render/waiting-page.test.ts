import { createHash } from "node:crypto";
import { beforeAll, describe, expect, test } from "vitest";
import type { Pages } from "../../../../../src/web/pages/index.ts";
import { words } from "../../../../support/page-gallery.ts";
import { gzip, htmlOf, makePages, makeView, makeVisitor, plain } from "../support.ts";

let pages: Pages;
beforeAll(() => {
  pages = makePages();
});

const states = ["entered", "waiting", "held", "paused", "store_away", "recovering"] as const;

describe("the wire contract", () => {
  test("the position stands unformatted in data-position", () => {
    const html = htmlOf(pages.waiting(makeView(), makeVisitor({ position: 1_234_567 }), plain));
    expect(html).toContain(' data-position="1234567"');
    expect(html.match(/data-position=/g)).toHaveLength(1);
  });

  test("the main element carries what scripts and tests read", () => {
    const view = makeView({ state: "held", serving: 5_000 });
    const html = htmlOf(pages.waiting(view, makeVisitor({ ahead: 0, retryMs: 1_500 }), plain));
    const main = /<main [^>]*>/.exec(html)?.[0];
    expect(main).toContain('data-ahead="0"');
    expect(main).toContain('data-edition="7"');
    expect(main).toContain('data-serving="5000"');
    expect(main).toContain('data-state="held"');
    expect(main).toContain('data-retry-ms="1500"');
    expect(main).toContain('data-status-url="/rooms/tickets/status"');
    expect(html).toContain(`<time id="updated" datetime="${new Date(view.updatedAtMs ?? 0).toISOString()}">`);
  });

  test("two visitors of one view get their own figures", () => {
    const view = makeView();
    const first = htmlOf(pages.waiting(view, makeVisitor(), gzip));
    const second = htmlOf(pages.waiting(view, makeVisitor({ position: 4_590, ahead: 1, estimate: null }), gzip));
    expect(first).toContain("411 people ahead of you");
    expect(first).toContain("<title>411 ahead – Autumn tour</title>");
    expect(first).toContain("About 3 to 5 minutes");
    expect(second).toContain("1 person ahead of you");
    expect(second).toContain("<title>1 ahead – Autumn tour</title>");
    expect(second).toContain("It is too early to say");
    expect(second).toContain('data-position="4590"');
    expect(second).not.toContain("5,000");
  });
});

test("where visitors are notified, the page tells its script, and may have a service worker; elsewhere neither", () => {
  const shown = (hasPush: boolean) => pages.waiting(makeView({ hasPush }), makeVisitor(), plain);
  const toldIn = (html: string) => JSON.parse(/id="live">(.*?)<\/script>/s.exec(html)?.[1] ?? "");
  const [with_, without] = [shown(true), shown(false)];
  expect(with_.contentSecurityPolicy).toMatch(/; worker-src 'self';/);
  expect(toldIn(htmlOf(with_))).toHaveProperty("push", true);
  expect(without.contentSecurityPolicy).not.toContain("worker-src");
  expect(toldIn(htmlOf(without))).not.toHaveProperty("push");
});

describe.each(states)("state %s", (state) => {
  const opensAtMs = state === "entered" ? Date.UTC(2030, 0, 2, 20, 0) : null;
  const view = makeView({ state, opensAtMs, message: words("Doors at eight"), claimWithinMs: 900_000 });
  const visitor = makeVisitor({ retryMs: state === "held" ? 800 : null });

  test("before the draw nobody reads of a place, which is yet to be drawn", () => {
    const shownTo = (draw: "undrawn" | "drawn") =>
      htmlOf(pages.waiting(makeView({ state: "entered", draw }), makeVisitor({ entry: 31 }), plain)).replace(
        /<script.*?<\/script>/gs,
        "",
      );
    expect(shownTo("undrawn")).toContain("you keep your number");
    expect(shownTo("undrawn")).toMatch(/id="enter" href="">Check again</);
    expect(shownTo("undrawn")).not.toMatch(/keep your place|Check (my|your) place/);
    expect(shownTo("drawn")).toContain("you keep your place");
    expect(shownTo("drawn")).toMatch(/id="enter" href="">Check my place</);
  });

  test("gzip and plain carry the same page", () => {
    const compressed = pages.waiting(view, visitor, gzip);
    expect(compressed.contentEncoding).toBe("gzip");
    expect(htmlOf(compressed)).toBe(htmlOf(pages.waiting(view, visitor, plain)));
  });

  test("the page weighs at most 14 kB compressed, everything included", () => {
    expect(pages.waiting(view, visitor, gzip).body.length).toBeLessThanOrEqual(14_000);
  });

  test("no slot and no placeholder is left open", () => {
    const html = withoutScripts(htmlOf(pages.waiting(view, visitor, plain)));
    expect(html).not.toMatch(/[\uE000\uE001]/);
    expect(html).not.toMatch(/\{\w+\}|undefined|NaN|\[object/);
  });

  test("it works as a document: language, one heading, regions, no refresh, not indexed", () => {
    const html = htmlOf(pages.waiting(view, visitor, plain));
    expect(html).toMatch(/^<!doctype html>\s*<html lang="en" dir="ltr">/);
    expect(html.match(/<h1/g)).toHaveLength(1);
    expect(html).toMatch(/role="status"><\/p>/);
    expect(html).toContain('role="alert"');
    expect(html).not.toMatch(/http-equiv/i);
  });
});

test("without scripts, times are told with their zone: UTC, or the room's own", () => {
  const opensAtMs = Date.UTC(2030, 0, 2, 20, 0);
  const render = (timeZone?: string) =>
    htmlOf(pages.waiting(makeView({ state: "entered", opensAtMs, timeZone }), makeVisitor(), plain));
  expect(render()).toMatch(/<time id="opens"[^>]*>Wednesday, January 2 at 8:00\sPM UTC</);
  expect(render()).toMatch(/<time id="updated"[^>]*>3:04:05\sAM UTC</);
  expect(render("Asia/Tokyo")).toMatch(/<time id="opens"[^>]*>Thursday, January 3 at 5:00\sAM GMT\+9</);
  expect(render("Asia/Tokyo")).toMatch(/<time id="updated"[^>]*>12:04:05\sPM GMT\+9</);
});

test("a held page carries what holds it, and where it asks again", () => {
  const render = (view: Parameters<typeof makeView>[0]) =>
    htmlOf(pages.waiting(makeView(view), makeVisitor({ retryMs: 2_000 }), plain));
  const held = 'data-held-by="capacity" data-claim-url="/rooms/tickets/tickets/me/claim"';
  expect(render({ state: "held", heldBy: "capacity" })).toContain(held);
  expect(withoutScripts(render({}))).not.toMatch(/data-held-by|data-claim/);
});

describe("the policy", () => {
  test("names exactly the style and the script of the page by their hashes", () => {
    const page = pages.waiting(makeView(), makeVisitor(), plain);
    const html = htmlOf(page);
    expect(page.contentSecurityPolicy).toContain(`style-src '${hashOf(html, "style")}'`);
    expect(page.contentSecurityPolicy).toContain(`script-src '${hashOf(html, "script")}'`);
  });

  test("forbids everything else, and says nothing about forms, whose redirects lead to relying parties", () => {
    const policy = pages.waiting(makeView(), makeVisitor(), plain).contentSecurityPolicy;
    expect(policy).toContain("default-src 'none'");
    expect(policy).toContain("connect-src 'self'");
    expect(policy).toContain("base-uri 'none'");
    expect(policy).toContain("frame-ancestors 'none'");
    expect(policy).not.toContain("form-action");
    expect(policy).not.toContain("unsafe");
  });

  test("the page needs nothing that the policy forbids: no inline attributes, nothing from elsewhere", () => {
    const html = withoutScripts(htmlOf(pages.waiting(makeView(), makeVisitor(), plain)));
    expect(html).not.toMatch(/\son\w+=|\sstyle=/);
    expect(html.replace("http://www.w3.org/2000/svg", "")).not.toMatch(/https?:/);
  });
});

describe("words from outside", () => {
  const evil = `</title></script><script>alert(1)</script>"'><img src=x onerror=alert(1)>{n}{room}$&`;

  test.each([
    ["the room's title", makeView({ room: { id: "tickets", title: evil } })],
    ["the operator's message", makeView({ message: words(evil) })],
    ["the reason of a pause", makeView({ state: "paused", pausedReason: evil })],
    [
      "an address",
      makeView({ state: "held", heldBy: "limit", statusUrl: `/${evil}`, leaveUrl: `/${evil}`, claimUrl: `/${evil}` }),
    ],
  ])("%s stays text", (_, view) => {
    const html = htmlOf(pages.waiting(view, makeVisitor(), plain));
    const harmless = makeView({ state: view.state, message: view.message && words("x") });
    expect(tagsOf(html)).toEqual(tagsOf(htmlOf(pages.waiting(harmless, makeVisitor(), plain))));
    expect(html).not.toContain("<img");
    expect(html).not.toContain("<script>alert");
  });

  test("the data for the script ends where it should, whatever the title", () => {
    const html = htmlOf(pages.waiting(makeView({ room: { id: "tickets", title: evil } }), makeVisitor(), plain));
    const json = /<script type="application\/json" id="live">(.*?)<\/script>/s.exec(html)?.[1] ?? "";
    expect(JSON.parse(json)).toMatchObject({ room: evil });
  });
});

test("what only the page says, and its script never, stands in it once or not at all", () => {
  const html = (state: "waiting" | "store_away") => htmlOf(pages.waiting(makeView({ state }), makeVisitor(), plain));
  const words = /cannot reach its data right now/g;
  expect(html("waiting").match(words)).toBeNull();
  expect(html("store_away").match(words)).toHaveLength(1);
});

test("a paused room gives its reason, in the locale's words where it has some", () => {
  const paused = (pausedReason: string | null) =>
    htmlOf(pages.waiting(makeView({ state: "paused", pausedReason }), makeVisitor(), plain));
  expect(paused("operator")).toContain("The organiser has paused the line");
  expect(paused("alarm")).toContain("has raised an alarm");
  expect(paused("unhealthy")).toContain("is not responding properly");
  expect(paused("Rain delay")).toContain("Rain delay");
  expect(paused(null)).toContain("<title>Paused – Autumn tour</title>");
});

describe("before the doors open", () => {
  const opensAtMs = Date.UTC(2030, 0, 2, 20, 0);
  const render = (changes: object) =>
    htmlOf(
      pages.waiting(makeView({ state: "entered", serving: 0, ...changes }), makeVisitor({ estimate: null }), plain),
    );

  test("the visitor has an entry number, and is told when in UTC", () => {
    const html = render({ opensAtMs });
    expect(html).toContain(">Your entry number<");
    expect(html).toContain('data-position="5000"');
    expect(html).toMatch(/datetime="2030-01-02T20:00:00.000Z">Wednesday, January 2 at 8:00\sPM UTC</);
    expect(html).toContain("<title>Not open yet – Autumn tour</title>");
    expect(withoutScripts(html)).not.toContain("Now serving");
  });

  test("no time is made up where none is set", () => {
    const html = render({ opensAtMs: null });
    expect(html).toContain(">when the organiser opens them<");
    expect(withoutScripts(html)).not.toMatch(/1970|id="opens" datetime/);
  });
});

test("a visitor ready to enter learns what holds them back", () => {
  const held = (heldBy: "limit" | "capacity") =>
    htmlOf(pages.waiting(makeView({ state: "held", heldBy }), makeVisitor({ ahead: 0, retryMs: 2_000 }), plain));
  expect(held("limit")).toContain(">You are next. Letting you in…<");
  expect(held("capacity")).toContain(
    ">You are next. The site is full right now; you enter as soon as somebody leaves.<",
  );
});

test("who has others before them is not told to be next", () => {
  const view = makeView({ state: "held", heldBy: "limit", isBehind: true });
  const html = htmlOf(pages.waiting(view, makeVisitor({ ahead: 3, retryMs: 2_000 }), plain));
  expect(html).toContain(">Nearly there: the people ahead of you go in first.<");
  expect(html).toContain(">3 people ahead of you<");
  expect(html).toContain("<title>3 ahead – Autumn tour</title>");
  expect(withoutScripts(html)).not.toContain("You are next");
});

test("why the estimate changed is said while the line moves, and only then", () => {
  const pace = {
    steps: [],
    placesPerMinute: 100,
    spread: 0.35,
    spreadUp: 0.35,
    showRate: 1,
    called: 0,
    extraSec: 0,
    note: "slower",
  } as const;
  const render = (state: "waiting" | "paused") =>
    withoutScripts(htmlOf(pages.waiting(makeView({ state, pace }), makeVisitor(), plain)));
  expect(render("waiting")).toContain(">It is moving more slowly than planned.<");
  expect(render("paused")).not.toContain("more slowly");
});

test("where nothing is known of the line, the people ahead are a bound, and no number is made up", () => {
  const view = makeView({ state: "store_away", serving: null, updatedAtMs: null });
  const html = htmlOf(pages.waiting(view, makeVisitor({ ahead: 4_999, estimate: null }), plain));
  expect(html).toContain('data-position="5000"');
  expect(html).toContain(">At most 4,999 people ahead of you<");
  expect(html).toContain("<title>At most 4,999 ahead – Autumn tour</title>");
  expect(html).toContain('id="facts" hidden');
  expect(withoutScripts(html)).not.toMatch(/Now serving|1970/);
  expect(htmlOf(pages.waiting(view, makeVisitor({ ahead: 0 }), plain))).toContain(">Nobody ahead of you<");
});

test("what is true without a script is said without one: the time of the numbers, how long a turn is held", () => {
  const html = htmlOf(pages.waiting(makeView({ claimWithinMs: 900_000 }), makeVisitor(), plain));
  expect(html).toContain('datetime="2030-01-02T03:04:05.000Z"');
  expect(html).toMatch(/3:04:05\sAM UTC/);
  expect(html).toContain("you have 15 minutes to enter");
});

function tagsOf(html: string): string[] {
  return html.match(/<[a-z/!]\w*/g) ?? [];
}

function withoutScripts(html: string): string {
  return html.replace(/<script.*?<\/script>|<style.*?<\/style>/gs, "");
}

function hashOf(html: string, element: "style" | "script"): string {
  const content = new RegExp(`<${element}>(.*?)</${element}>`, "s").exec(html)?.[1] ?? "";
  return `sha256-${createHash("sha256").update(content).digest("base64")}`;
}
