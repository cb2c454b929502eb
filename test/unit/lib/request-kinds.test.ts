import { expect, test } from "vitest";
import { comesFromPageOf, requestKindOf } from "../../../src/lib/request.ts";

const kindOf = (headers: Record<string, string>, method = "GET") => requestKindOf(method, headers);

test("navigations and clients that say nothing about themselves may take a place", () => {
  expect(kindOf({ "sec-fetch-mode": "navigate", "sec-fetch-dest": "document" })).toBe("navigation");
  expect(kindOf({ "user-agent": "curl/8" })).toBe("navigation");
  // Node's own `fetch`: browsers say besides what for, and whence.
  expect(kindOf({ "sec-fetch-mode": "cors", "user-agent": "node" })).toBe("navigation");
  // A browser whose name happens to sound like a bot's navigates all the same.
  const cubot = { "sec-fetch-mode": "navigate", "sec-fetch-site": "none", "user-agent": "Cubot/9 Chrome/120" };
  expect(kindOf(cubot)).toBe("navigation");
});

test.each([
  ["head", {}, "HEAD"],
  ["prefetch", { "sec-purpose": "prefetch;prerender", "sec-fetch-mode": "navigate" }, "GET"],
  ["prefetch", { purpose: "prefetch" }, "GET"],
  ["embedded", { "sec-fetch-mode": "cors", "sec-fetch-site": "cross-site" }, "GET"],
  ["embedded", { "sec-fetch-mode": "cors", "sec-fetch-dest": "empty" }, "GET"],
  ["embedded", { "sec-fetch-mode": "navigate", "sec-fetch-dest": "iframe" }, "GET"],
  ["preview", { "user-agent": "facebookexternalhit/1.1" }, "GET"],
  ["preview", { "user-agent": "Slackbot-LinkExpanding 1.0" }, "GET"],
  ["preview", { "user-agent": "WhatsApp/2.23" }, "GET"],
  ["preview", { "user-agent": "WhatsApp/2.23", "sec-fetch-mode": "cors" }, "GET"],
] as const)("%s requests take none", (kind, headers, method) => {
  expect(kindOf(headers, method)).toBe(kind);
});

test.each([
  [true, { "sec-fetch-site": "same-origin", referer: "https://queue.example.com/authorize?state=x" }],
  // All that browsers tell of a very long address.
  [true, { "sec-fetch-site": "same-origin", referer: "https://queue.example.com/" }],
  [false, { "sec-fetch-site": "same-origin" }],
  [false, { referer: "https://queue.example.com/authorize?state=x" }],
  [false, { "sec-fetch-site": "same-origin", referer: "https://queue.example.com.evil.example/" }],
  [false, { "sec-fetch-site": "cross-site", referer: "https://queue.example.com/" }],
] as const)("it takes two signs to have come from a page of ours: %s of %j", (isOurs, headers) => {
  expect(comesFromPageOf("https://queue.example.com", headers)).toBe(isOurs);
});
