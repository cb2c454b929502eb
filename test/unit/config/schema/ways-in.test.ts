import { describe, expect, it } from "vitest";
import { ConfigError } from "../../../../src/config/checks/faults.ts";
import { loadConfig } from "../../../support/load-config.ts";

async function faultsOf(room: object): Promise<string[]> {
  const document = { issuer: "https://queue.example.com", rooms: [{ id: "tickets", ...room }] };
  try {
    await loadConfig({ document, env: {} });
    return [];
  } catch (error) {
    if (!(error instanceof ConfigError)) throw error;
    return error.faults.map(({ path, value, message }) => `${path}: ${value}: ${message}`);
  }
}

describe("faults of a room's ways in", () => {
  it.each([
    "https://shop.example.com*",
    "https://*.example.com/",
    "https://shop.example.com/a*",
    "https://shop.example.com/*/b",
    "https://shop.example.com/a?x=1",
    "https://shop.example.com/#a",
    "http://shop.example.com/",
    "javascript:alert(1)",
    "/sale",
    "https://user@shop.example.com/",
    "https://shop.example.com/a/../b/*",
    "*",
  ])("refuses the target %s", async (target) => {
    expect(await faultsOf({ targets: [target] })).toEqual([expect.stringMatching(/^rooms\[0\]\.targets\[0\]: "/)]);
  });

  it.each([
    "/*",
    "*",
    "assets/*",
    "/assets*",
    "/a/*/b",
    "/a/../b",
    "/a//b",
    "/a?x=1",
    "/a#b",
    "/a/%2e%2e/b",
    "/a/%2f",
    "/ä",
    "https://shop.example.com/a",
  ])("refuses the exempt path %s", async (path) => {
    expect(await faultsOf({ verify: { exempt: [path] } })).toEqual([
      expect.stringMatching(/^rooms\[0\]\.verify\.exempt\[0\]: "/),
    ]);
  });

  it.each([
    "com",
    "localhost",
    "co.uk",
    "com.br",
    "github.io",
    "s3.amazonaws.com",
    "sub.kobe.jp",
    "xn--p1ai",
    "10.0.0.1",
    "0.0.0.0x7f",
    ".example.com",
    "Example.com",
    "a..b",
    "x y.com",
    "",
    7,
  ])("refuses the cookie domain %s", async (domain) => {
    expect(await faultsOf({ verify: { cookie_domain: domain } })).toEqual([
      expect.stringMatching(/^rooms\[0\]\.verify\.cookie_domain: ("|7)/),
    ]);
  });

  it("says of a public suffix what it is", async () => {
    expect(await faultsOf({ verify: { cookie_domain: "co.uk" } })).toEqual([
      'rooms[0].verify.cookie_domain: "co.uk": is a public suffix, below which everybody may have a name, so no browser keeps its cookies: name your own domain',
    ]);
  });

  it.each(["example.co.uk", "shop.example.github.io", "city.kobe.jp", "queue.internal", "xn--e1afmkfd.xn--p1ai"])(
    "takes the cookie domain %s",
    async (domain) => {
      const targets = [`https://${domain}/`, `https://shop.${domain}/*`];
      expect(await faultsOf({ targets, verify: { cookie_domain: domain } })).toEqual([]);
    },
  );

  it("refuses targets that are beyond the cookie's domain", async () => {
    const targets = [
      "https://example.com/",
      "https://shop.example.com/*",
      "https://shop.example.org/",
      "https://notexample.com/*",
    ];
    const verify = { cookie_domain: "example.com" };
    expect(await faultsOf({ targets: targets.slice(0, 2), verify })).toEqual([]);
    expect(await faultsOf({ targets, verify })).toEqual([
      expect.stringMatching(/^rooms\[0\]\.targets\[2\]: .*not within verify\.cookie_domain/),
      expect.stringMatching(/^rooms\[0\]\.targets\[3\]: .*not within verify\.cookie_domain/),
    ]);
  });

  it("warns of what hosts of a domain can do, and of a domain that no other host needs", async () => {
    const warningsOf = async (...targets: string[]) => {
      const room = { id: "tickets", targets, verify: { cookie_domain: "example.com" } };
      const { warnings } = await loadConfig({
        document: { issuer: "https://queue.example.com", rooms: [room] },
        env: {},
      });
      return warnings.filter((warning) => warning.includes("cookie_domain"));
    };
    expect(await warningsOf("https://shop.example.com/", "https://api.example.com/*")).toEqual([
      expect.stringMatching(/every host below example\.com.* can read the admission/),
    ]);
    expect(await warningsOf("https://shop.example.com/")).toEqual([
      expect.stringMatching(/all targets are at shop\.example\.com, so no other host needs/),
    ]);
  });

  it("shows what was written of a token's settings: nothing of it is secret", async () => {
    expect(await faultsOf({ admission_token: { audience: 7, validity: "10" } })).toEqual([
      expect.stringMatching(/^rooms\[0\]\.admission_token\.audience: 7: /),
      expect.stringMatching(/^rooms\[0\]\.admission_token\.validity: "10": a unit is missing/),
    ]);
    expect(await faultsOf({ admission_token: { validity: "2d" } })).toHaveLength(1);
  });

  it("refuses a client's id as audience, among the rooms and clients of one issuer", async () => {
    const brand = (name: string, audience: string) => ({
      issuer: `https://queue.${name}.example`,
      rooms: [{ id: name }, { id: `${name}-app`, admission_token: { audience } }],
      clients: [
        {
          client_id: `${name}-shop`,
          client_secret: "a-long-enough-secret",
          redirect_uris: [`https://${name}.example/callback`],
          room: name,
        },
      ],
    });
    const faultOf = (...issuers: object[]) =>
      loadConfig({ document: { issuers }, env: {} }).then(
        () => [],
        ({ faults }: ConfigError) => faults,
      );
    expect(await faultOf(brand("one", "one"), brand("two", "two-shop"))).toEqual([
      {
        path: "issuers[1].rooms[1].admission_token.audience",
        value: '"two-shop"',
        message:
          "is the client_id of issuers[1].clients[0], where an admission token could pass as an ID token: choose another name",
      },
    ]);
    // Another issuer's tokens say that they are.
    expect(await faultOf(brand("one", "two-shop"), brand("two", "Two-shop"))).toEqual([]);
  });

  it("takes what is well written", async () => {
    const targets = ["https://shop.example.com/", "https://shop.example.com/sale/*", "http://localhost:3001/*"];
    expect(await faultsOf({ targets, verify: { exempt: ["/health", "/assets/*", "/a%20b"] } })).toEqual([]);
  });
});

describe("warnings of a room's ways in", () => {
  const targetWarnings = async (room: object) => {
    const document = { issuer: "https://queue.example.com", rooms: [{ id: "other" }, { id: "tickets", ...room }] };
    const { warnings } = await loadConfig({ document, env: {} });
    return warnings.filter((warning) => warning.includes("targets"));
  };

  it("tell of a room without an exact target, which has nowhere to send those who ask for another address", async () => {
    expect(await targetWarnings({ targets: ["https://shop.example.com/sale/*", "https://b.example/*"] })).toEqual([
      expect.stringMatching(
        /^rooms\[1\]\.targets: no exact address .*\(unknown_target\).* https:\/\/shop\.example\.com\/$/,
      ),
    ]);
    expect(await targetWarnings({ verify: { exempt: ["/health"] } })).toHaveLength(1);
  });

  it.each([
    {},
    { targets: ["https://shop.example.com/*", "https://shop.example.com/"], verify: { exempt: ["/health"] } },
  ])("say nothing of %j", async (room) => expect(await targetWarnings(room)).toEqual([]));
});
