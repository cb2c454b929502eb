import { expect, it } from "vitest";
import { findOtherSites, otherSiteWarning } from "../../../../src/config/checks/urls.ts";
import { loadConfig } from "../../../support/load-config.ts";

it.each([
  ["https://queue.example.com", "https://shop.example.com", false],
  ["https://queue.example.com", "https://example.com", false],
  ["https://queue.shop.co.uk", "https://www.shop.co.uk", false],
  ["https://queue.vendor.test", "https://shop.test", true],
  ["https://queue.co.uk", "https://shop.co.uk", true],
  ["https://queue.github.io", "https://shop.github.io", true],
  ["https://queue.example.com", "https://example.org:8443", true],
  // Not of the public internet.
  ["http://localhost:3000", "https://shop.example.com", false],
  ["https://queue.example.com", "http://localhost:3001", false],
  ["https://10.0.0.1", "https://shop.example.com", false],
  ["https://queue", "https://shop.example.com", false],
])("%s for visitors of %s: a warning: %s", (issuer, site, isWarned) => {
  expect(otherSiteWarning(issuer, site) !== null).toBe(isWarned);
});

it("is said once for each domain, by check and at the start", async () => {
  expect(
    findOtherSites("https://q.vendor.test", ["https://a.shop.test/x", "https://b.shop.test/", "no address"]),
  ).toHaveLength(1);
  const text = `issuer: https://queue.vendor.test
rooms: [{ id: tickets, title: Tickets }]
clients:
  - { client_id: shop, client_secret: a-long-enough-secret-for-shop, redirect_uris: [https://shop.test/cb], room: tickets }
`;
  const { warnings } = await loadConfig({ text, env: {} });
  expect(warnings).toContainEqual(
    expect.stringMatching(/^issuer: is of another site \(vendor\.test\).*queue\.shop\.test$/),
  );
});
