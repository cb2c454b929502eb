import type { IncomingMessage } from "node:http";
import { expect, test } from "vitest";
import { classifyRequest } from "../../../src/oidc/navigation.ts";

const kindOf = (headers: Record<string, string>, method = "GET") =>
  classifyRequest({ method, headers } as unknown as IncomingMessage);

test("navigations and clients that say nothing about themselves may take a place", () => {
  expect(kindOf({ "sec-fetch-mode": "navigate", "sec-fetch-dest": "document" })).toBe("navigation");
  expect(kindOf({ "user-agent": "curl/8" })).toBe("navigation");
  // A browser whose name happens to sound like a bot's navigates all the same.
  expect(kindOf({ "sec-fetch-mode": "navigate", "user-agent": "Cubot/9 Chrome/120" })).toBe("navigation");
});

test.each([
  ["head", {}, "HEAD"],
  ["prefetch", { "sec-purpose": "prefetch;prerender", "sec-fetch-mode": "navigate" }, "GET"],
  ["prefetch", { purpose: "prefetch" }, "GET"],
  ["embedded", { "sec-fetch-mode": "cors" }, "GET"],
  ["embedded", { "sec-fetch-mode": "navigate", "sec-fetch-dest": "iframe" }, "GET"],
  ["preview", { "user-agent": "facebookexternalhit/1.1" }, "GET"],
  ["preview", { "user-agent": "Slackbot-LinkExpanding 1.0" }, "GET"],
  ["preview", { "user-agent": "WhatsApp/2.23" }, "GET"],
] as const)("%s requests take none", (kind, headers, method) => {
  expect(kindOf(headers, method)).toBe(kind);
});
