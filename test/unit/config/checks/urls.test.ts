import { describe, expect, it } from "vitest";
import { healthUrlFault, issuerFault, redirectUriFault } from "../../../../src/config/checks/urls.ts";

describe("issuer", () => {
  it.each([
    "https://queue.example.com",
    "https://queue.example.com:8443",
    "http://localhost:3000",
    "http://127.0.0.1:3000",
    "http://[::1]:3000",
  ])("accepts %s", (issuer) => {
    expect(issuerFault(issuer)).toBeNull();
  });

  it.each([
    ["https://queue.example.com/", "https://queue.example.com"],
    ["https://queue.example.com/oidc", "without path"],
    ["https://queue.example.com?x=1", "bare origin"],
    ["https://queue.example.com:443", "https://queue.example.com"],
    ["https://Queue.example.com", "https://queue.example.com"],
    ["http://queue.example.com", "http for localhost"],
    ["http://localhost.example.com", "http for localhost"],
    ["http://127.0.0.1.example.com", "http for localhost"],
    ["https://user:pass@queue.example.com", "user name or password"],
    ["queue.example.com", "absolute URL"],
    ["ftp://queue.example.com", "absolute URL"],
    ["https://", "absolute URL"],
    ["https:\\\\queue.example.com", "absolute URL"],
  ])("refuses %s", (issuer, reason) => {
    expect(issuerFault(issuer)).toContain(reason);
  });
});

describe("redirect URIs", () => {
  it.each([
    "https://shop.example.com/oauth2/idpresponse",
    "https://shop.example.com/wp-admin/admin-ajax.php?action=openid-connect-authorize",
    "http://localhost:3001/callback",
    "http://[::1]:8080/cb",
  ])("accepts %s", (uri) => {
    expect(redirectUriFault(uri)).toBeNull();
  });

  it.each([
    ["/callback", "absolute"],
    ["//shop.example.com/callback", "absolute"],
    ["https:/shop.example.com/callback", "absolute"],
    ["http://shop.example.com/callback", "http for localhost"],
    ["https://shop.example.com/cb#", "fragment"],
    ["https://shop.example.com/cb#x", "fragment"],
    ["https://*.example.com/cb", "wildcards"],
    ["https://shop.example.com/*", "wildcards"],
    ["https://user@shop.example.com/cb", "user name"],
    ["https://shop.example.com\\@evil.example/cb", "absolute"],
    ["https://shop.example.com/a b", "absolute"],
    ["https://shop.example.com/\n", "absolute"],
    ["https://shöp.example.com/", "absolute"],
    ["myapp://callback", "absolute"],
    ["javascript:alert(1)", "absolute"],
    [`https://shop.example.com/${"a".repeat(2_048)}`, "at most 2048"],
  ])("refuses %j", (uri, reason) => {
    expect(redirectUriFault(uri)).toContain(reason);
  });
});

describe("health URLs", () => {
  it.each(["http://10.0.0.5/health", "http://site.internal:8080/up?deep=1", "https://a.example", "http://[fd00::1]/"])(
    "allow %s",
    (url) => expect(healthUrlFault(url)).toBeNull(),
  );

  it.each([
    "",
    "/health",
    "ftp://a/",
    "http:///health",
    "http://user:password@a/",
    "http://a/ b",
    `http://a/${"x".repeat(2_048)}`,
  ])("refuse %j, and print nothing of it", (url) => {
    expect(healthUrlFault(url)).toMatch(/^(expected|a user name)/);
    expect(healthUrlFault(url)).not.toContain("user:");
  });
});
