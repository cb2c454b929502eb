import { createHash } from "node:crypto";
import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { beforeAll, describe, expect, test } from "vitest";
import type { NoticeAction, NoticeCode, Pages } from "../../../../../src/web/pages/index.ts";
import { viewsDir } from "../../../../support/browser-scripts.ts";
import { gzip, htmlOf, makePages, plain } from "../support.ts";

let pages: Pages;
beforeAll(() => {
  pages = makePages();
});

// Every code, so that the compiler misses none.
const codes: Record<NoticeCode, true> = {
  admission_ended: true,
  bad_request: true,
  body_too_large: true,
  bypass: true,
  bypass_full: true,
  bypass_held: true,
  bypass_in: true,
  bypass_later: true,
  bypass_unreadable: true,
  bypass_void: true,
  check_required: true,
  device_required: true,
  other_device: true,
  conflict: true,
  cookies_blocked: true,
  draw: true,
  ended: true,
  entry_voided: true,
  entry_voided_late: true,
  forbidden: true,
  front_door: true,
  idempotency_key_reused: true,
  internal_error: true,
  invalid_invitation: true,
  invitation_early: true,
  provider_unavailable: true,
  sign_in_failed: true,
  uninvited: true,
  invalid_ticket: true,
  leave_confirm: true,
  left: true,
  link_preview: true,
  logged_out: true,
  logout_confirm: true,
  method_not_allowed: true,
  move: true,
  move_here: true,
  move_replaces: true,
  move_spent: true,
  move_void: true,
  moved: true,
  moved_here: true,
  navigation_required: true,
  network_refused: true,
  no_draw: true,
  no_ticket: true,
  not_an_entry: true,
  not_found: true,
  not_now: true,
  not_open: true,
  place_expired: true,
  place_left: true,
  request_refused: true,
  request_too_long: true,
  room_closed: true,
  room_ended: true,
  room_full: true,
  room_recovering: true,
  sold_out: true,
  store_unavailable: true,
  ticket_unreadable: true,
  too_many_from_address: true,
  in_use: true,
  too_many_logins: true,
  too_many_places: true,
  too_many_restarts: true,
  unauthorized: true,
  unknown_room: true,
  unknown_target: true,
  unsupported_media_type: true,
};

describe.each(Object.keys(codes) as NoticeCode[])("notice %s", (code) => {
  test("has words of its own in every language, also when no values are given", () => {
    const html = htmlOf(pages.notice({ code, requestId: "req-1" }, plain));
    expect(html).toContain(`data-notice="${code}"`);
    // Where nothing is wrong, a reference looks as if something were.
    const isProblem = /<main [^>]*data-tone="problem"/.test(html);
    expect(html.includes(`Reference: ${code}\u00a0· req-1`)).toBe(isProblem);
    expect(html).not.toMatch(/\{\w+\}|undefined/);
    for (const name of readdirSync(join(viewsDir, "locales")).filter((file) => file.endsWith(".json"))) {
      expect(JSON.parse(readFileSync(join(viewsDir, "locales", name), "utf8"))).toHaveProperty([
        "notices",
        code,
        "title",
      ]);
    }
  });

  test("gzip and plain carry the same page, within the budget", () => {
    const compressed = pages.notice({ code, autoRetryMs: 2_000 }, gzip);
    expect(htmlOf(compressed)).toBe(htmlOf(pages.notice({ code, autoRetryMs: 2_000 }, plain)));
    expect(compressed.body.length).toBeLessThanOrEqual(6_150);
  });
});

test("the docs say what each reference means that visitors may quote", () => {
  const docs = readFileSync(join(viewsDir, "../docs/pages.md"), "utf8");
  const told = [...docs.matchAll(/^\| `(\w+)` \|/gm)].map(([, code]) => code);
  const { notices } = JSON.parse(readFileSync(join(viewsDir, "locales/en.json"), "utf8")) as {
    notices: Record<string, { tone: string }>;
  };
  expect(told).toEqual(
    Object.keys(notices)
      .filter((code) => notices[code]?.tone === "problem")
      .sort(),
  );
});

test("values fill the text and stay text; a sentence without its value is left out", () => {
  const filled = htmlOf(
    pages.notice({ code: "place_expired", values: { room: "<b>$&'", duration: "15 minutes" } }, plain),
  );
  expect(filled).toContain("“&lt;b&gt;$&amp;&#39;”");
  expect(filled).toContain("held for 15 minutes");
  const bare = htmlOf(pages.notice({ code: "place_expired" }, plain));
  expect(bare).not.toContain("held for");
  expect(bare).toContain("You can join the line again");
});

test("a time of day is told to the minute, in the room's zone, else in UTC", () => {
  const untilMs = Date.UTC(2031, 4, 10, 12, 3, 59);
  const told = (timeZone?: string) =>
    htmlOf(pages.notice({ code: "bypass", values: { room: "x" }, untilMs, timeZone }, plain));
  expect(told()).toMatch(/It works once, until 12:03\sPM UTC\./);
  expect(told("Europe/Berlin")).toMatch(/It works once, until 2:03\sPM GMT\+2\./);
});

describe("actions", () => {
  const render = (action: NoticeAction) => htmlOf(pages.notice({ code: "logout_confirm", action }, plain));

  test("a form carries its fields as hidden inputs, escaped", () => {
    const html = render({
      kind: "post",
      action: "/logout/confirm",
      label: "log_out",
      fields: { xsrf: `"><script>` },
    });
    expect(html).toContain('<form method="post" action="/logout/confirm">');
    expect(html).toContain('<input type="hidden" name="xsrf" value="&#34;&gt;&lt;script&gt;">');
    expect(html).toContain("Log out</button>");
  });

  test.each(["javascript:alert(1)", "data:text/html,x", "//evil.example", " javascript:alert(1)"])(
    "%s is no address to link to",
    (href) => {
      expect(render({ kind: "link", href, label: "start_again" })).toContain('href=""');
    },
  );

  test.each(["https://shop.example.com/?a=1&b=2", "/authorize?x=1", ""])("%s is", (href) => {
    expect(render({ kind: "link", href, label: "start_again" })).toContain(`href="${href.replaceAll("&", "&amp;")}"`);
  });
});

test("where the page goes on by itself, its button steps back", () => {
  const action = { kind: "link", href: "", label: "try_again" } as const;
  const render = (changes: object) => htmlOf(pages.notice({ code: "room_full", action, ...changes }, plain));
  expect(render({ autoRetryMs: 30_000 })).toContain('<a class="button" href=""');
  expect(render({})).toContain('<a class="button primary" href=""');
});

describe("an opening", () => {
  const opensAtMs = Date.UTC(2030, 0, 2, 20, 0);
  const render = (opening: object) =>
    htmlOf(pages.notice({ code: "not_open", values: { room: "Autumn tour" }, ...opening }, plain));

  test("is told in UTC, for those whose browser cannot say it in their own time", () => {
    const html = render({ opensAtMs, nowMs: opensAtMs - 60_000, autoRetryMs: 300_000 });
    expect(html).toMatch(/datetime="2030-01-02T20:00:00.000Z">Wednesday, January 2 at 8:00\sPM UTC</);
    expect(html).toContain(`data-opens-at="${opensAtMs}" data-now="${opensAtMs - 60_000}"`);
  });

  test("is told in the room's own zone where it has one", () => {
    expect(render({ opensAtMs, timeZone: "Asia/Tokyo" })).toMatch(/>Thursday, January 3 at 5:00\sAM GMT\+9</);
    expect(render({ opensAtMs, timeZone: "America/New_York" })).toMatch(/>Wednesday, January 2 at 3:00\sPM EST</);
  });

  test("tells when people are let in, where that is later", () => {
    const html = render({ opensAtMs, entryAtMs: opensAtMs + 3_600_000 });
    expect(html).toMatch(
      /People are let in from <time id="entry" datetime="2030-01-02T21:00:00.000Z">Wednesday, January 2 at 9:00\sPM UTC</,
    );
    expect(html).toContain(`data-entry-at="${opensAtMs + 3_600_000}"`);
    for (const changes of [{ opensAtMs }, { opensAtMs, entryAtMs: null }, { opensAtMs: null }]) {
      expect(render(changes)).toMatch(/<p class="soft" id="entry-line" hidden>/);
    }
  });

  test("counts down by a script that the policy names, also where nothing is retried", () => {
    const page = pages.notice({ code: "not_open", opensAtMs }, plain);
    expect(page.contentSecurityPolicy).toContain("script-src");
    expect(htmlOf(page)).toContain('data-now=""');
    expect(htmlOf(page)).not.toContain("data-retry-ms");
  });

  test("without a time is said to have none; other notices say nothing of it", () => {
    const html = render({ opensAtMs: null });
    expect(html).toContain("when the organiser opens it");
    expect(html).not.toMatch(/data-opens-at|<time|<script/);
    expect(render({})).not.toContain("The line opens");
  });
});

describe("a notice that watches its room", () => {
  const watch = { statusUrl: "/rooms/tickets/status", phase: "idle", spreadMs: 7_000 } as const;
  const values = { room: "Autumn <tour>" };

  test("may ask this origin, and knows where, for which phase, and what to say when that is over", () => {
    const page = pages.notice({ code: "not_open", values, opensAtMs: null, autoRetryMs: 30_000, watch }, plain);
    expect(page.contentSecurityPolicy).toContain("connect-src 'self'");
    const html = htmlOf(page);
    expect(html).toContain('data-status-url="/rooms/tickets/status" data-spread-ms="7000" data-phase="idle"');
    expect(html).toContain('data-open-title="It is open – Autumn &lt;tour&gt;"');
    expect(html).toContain('<span id="opens">when the organiser opens it</span>');
  });

  test("whatever the phase, says nothing of an opening", () => {
    const html = htmlOf(
      pages.notice({ code: "room_full", values, autoRetryMs: 30_000, watch: { ...watch, phase: null } }, plain),
    );
    expect(html).toContain('data-status-url="/rooms/tickets/status"');
    expect(html).not.toMatch(/data-phase|data-open|It is open/);
  });

  test("asks nothing where it does not retry; and one that has nothing to ask may not", () => {
    const quiet = pages.notice({ code: "ended", values, watch }, plain);
    expect(htmlOf(quiet)).not.toContain("data-status-url");
    expect(quiet.contentSecurityPolicy).not.toContain("connect-src");
    expect(pages.notice({ code: "not_now", autoRetryMs: 2_000 }, plain).contentSecurityPolicy).not.toContain("connect");
  });
});

describe("the policy", () => {
  test("a quiet notice runs no script and sends no form", () => {
    const page = pages.notice({ code: "not_found" }, plain);
    expect(page.contentSecurityPolicy).not.toContain("script-src");
    expect(page.contentSecurityPolicy).toContain("form-action 'none'");
    expect(htmlOf(page)).not.toContain("<script");
  });

  test("a notice with a form says nothing about forms: its submit may lead on to a relying party", () => {
    const action = { kind: "post", action: "/rejoin", label: "join_again", fields: {} } as const;
    expect(pages.notice({ code: "place_expired", action }, plain).contentSecurityPolicy).not.toContain("form-action");
  });

  test("a notice that retries names its script", () => {
    const page = pages.notice({ code: "store_unavailable", autoRetryMs: 2_000 }, plain);
    const script = /<script>(.*?)<\/script>/s.exec(htmlOf(page))?.[1] ?? "";
    const hash = createHash("sha256").update(script).digest("base64");
    expect(page.contentSecurityPolicy).toContain(`script-src 'sha256-${hash}'`);
    expect(htmlOf(page)).toContain('data-retry-ms="2000"');
  });
});
