import { createHash } from "node:crypto";
import { resolve } from "node:path";
import { describe, expect, it } from "vitest";
import { loadConfig as loadWithParts } from "../../../../src/config/index.ts";
import { loadConfig } from "../../../support/load-config.ts";

const MINIMAL = `
issuer: https://queue.example.com
rooms: [{ id: tickets }]
clients:
  - client_id: shop
    client_secret: a-long-enough-secret-for-shop
    redirect_uris: [https://shop.example.com/deep/callback]
    room: tickets
`;

const NO_MORE_INLET = { maxActive: null, startsAtMs: null, endsAtMs: null, sharedOutflow: null, gate: null };
/** Before every time in these tests. */
const clock = { now: () => Date.UTC(2026, 0, 1) };

describe("loadConfig", () => {
  it("completes a minimal document with defaults", async () => {
    const { config, warnings } = await loadWithParts({ text: MINIMAL, env: {}, parts: [] });
    const secretsFile = resolve(".usher/secrets.json");
    expect(config).toEqual({
      issuers: [
        {
          issuer: "https://queue.example.com",
          rooms: [
            {
              id: "tickets",
              settings: {
                title: "tickets",
                message: null,
                inlet: { type: "manual", outflowPerMinute: null, ...NO_MORE_INLET },
                schedule: { prequeueAtMs: null, opensAtMs: null, endsAtMs: null },
                whenIdle: "page",
                whenEnded: "page",
                maxWaiting: null,
                draw: { order: "random", beacon: "none" },
                admission: {
                  durationMs: 1_200_000,
                  maxDurationMs: null,
                  claimWithinMs: 900_000,
                  loginsPerAdmission: 20,
                },
                logRowsMax: 100_000,
                waitingStatus: 200,
                joinsPerAddress: { perMinute: 600, burst: 1_200 },
              },
              language: null,
              invitations: null,
              identity: null,
              waysIn: {
                targets: [],
                admissionToken: { validityMs: 300_000 },
                allowedOrigins: [],
                verify: { exempt: [] },
              },
            },
          ],
          clients: [
            {
              clientId: "shop",
              clientSecret: "a-long-enough-secret-for-shop",
              redirectUris: ["https://shop.example.com/deep/callback"],
              postLogoutRedirectUris: [],
              rooms: ["tickets"],
              profile: "generic",
              loginTimeoutMs: 300_000,
              tokenEndpointAuthMethod: "client_secret_basic",
              initiateLoginUri: "https://shop.example.com/",
              initiateLoginUris: {},
              targetLinkUris: [],
              thirdPartyLogin: false,
              rememberedLogins: "one",
              requirePkce: false,
              refreshTokens: false,
              claims: [],
            },
          ],
          keys: { tickets: [], signing: [], cookies: [] },
          parts: new Map(),
          themes: { usual: null, ofRooms: new Map(), ofClients: new Map([["shop", new Map()]]), ofLinks: new Map() },
          secretsFile,
        },
      ],
      listen: { host: "0.0.0.0", port: 3000, trustedProxies: [], drainMs: 5_000, maxConnections: 20_000 },
      store: { type: "memory" },
      stores: [],
      admin: {
        keys: [],
        listen: null,
        url: "https://queue.example.com",
        signIn: null,
        fourEyes: [],
        session: { lifetimeMs: 12 * 3_600_000, idleMs: 3_600_000 },
      },
      secretsFile,
      logLevel: "info",
      workers: 1,
      parts: new Map(),
      challenges: [],
      pages: { assets: "inline" },
      demoPort: 3001,
    });
    expect(warnings).toEqual([
      "admin.keys: there is neither an admin key nor admin.sign_in here, so unless a key was made at run time, people sign in by the link that each start prints",
    ]);
  });

  it("reads everything that can be written", async () => {
    const text = `
issuer: http://localhost:8080
listen: { host: "::1", port: 8080, trusted_proxies: [10.0.0.0/8, 192.0.2.1, "2001:db8::/32"], drain: 10s, max_connections: 500 }
workers: auto
store: { type: redis, url: "redis://:hunter2@redis.example:6379/1" }
secrets_file: keys/usher.json
log_level: debug
locales: texts
shared_outflows: [{ id: shop, outflow_per_minute: 1000 }]
rooms:
  - id: a
    title: Größe
    inlet:
      type: periodic
      outflow_per_minute: 600
      shared_outflow: shop
      weight: 2
      starts_at: 2027-03-01T10:00:00+01:00
      ends_at: 2027-03-01T22:00
      gate: { health_url: http://10.0.0.5/health, interval: 10s, timeout: 500ms, unhealthy_after: 4, healthy_after: 1 }
    schedule:
      prequeue_at: 2027-03-01T09:00
      opens_at: "2027-03-01T10:00:00[Europe/Berlin]"
      ends_at: 2027-03-01T21:00:00Z
      time_zone: Europe/Berlin
    when_idle: pass_through
    when_ended: pass_through
    max_waiting: 50000
    draw: { order: random, beacon: drand }
    waiting_status: 429
    joins_per_address: { per_minute: 60, burst: 90 }
    admission_log: { max_entries: 0 }
    language: pt-BR
    admission: { duration: 1h30m, max_duration: 6h, claim_within: 90s, logins_per_admission: 3 }
    entry: invited
    invitations:
      secret: secret-of-the-mailing-0123456789abcdef
      issuer: https://shop.example.com
      classes: [{ id: members }, { id: friends, opens_at: 2027-03-01T12:00 }]
    targets: [https://shop.example.com/, https://shop.example.com/sale/*]
    admission_token: { audience: shop, validity: 10m }
    verify: { exempt: [/health, /assets/*] }
  - { id: b, inlet: { type: manual, outflow_per_minute: 60, max_active: null, gate: null }, joins_per_address: off }
  - id: c
    inlet: { type: max_active, max_active: 500, shared_outflow: shop, gate: { health_url: "https://a/" } }
    joins_per_address: { per_minute: 5 }
clients:
  - client_id: app
    token_endpoint_auth_method: none
    redirect_uris: [http://localhost:5000/cb, https://app.example.com/cb]
    post_logout_redirect_uris: [https://app.example.com/bye]
    rooms: [b, a]
    profile: cognito
    login_timeout: 30s
    initiate_login_uri: https://app.example.com/login?fresh=1
    initiate_login_uris: { a: "https://app.example.com/login?room=a&to={target_link_uri}" }
    target_link_uris: [https://app.example.com/checkout, https://app.example.com/products/*]
    remembered_logins: many
    refresh_tokens: true
    claims: [email, email_verified]
  - client_id: site
    client_secret: another-long-enough-secret
    require_pkce: true
    redirect_uris: [https://site.example.com/cb]
    room: a
    profile: alb
admin:
  keys:
    - { id: ops, key_sha256: ${"AB".repeat(32)} }
    - { id: door, key_sha256: ${"cd".repeat(32)}, rooms: [a] }
    - { id: sight, key_sha256: ${"ef".repeat(32)}, role: viewer }
keys:
  tickets: [${"t".repeat(32)}, ${"u".repeat(32)}]
  cookies: [${"c".repeat(32)}]
`;
    const { config, warnings } = await loadConfig({ text, file: "/etc/usher/usher.yaml", env: {}, clock });
    expect(config.listen).toEqual({
      host: "::1",
      port: 8080,
      trustedProxies: ["10.0.0.0/8", "192.0.2.1", "2001:db8::/32"],
      drainMs: 10_000,
      maxConnections: 500,
    });
    expect(config.store).toEqual({ type: "redis", url: "redis://:hunter2@redis.example:6379/1", prefix: "usher:" });
    expect(config.secretsFile).toBe("/etc/usher/keys/usher.json");
    expect(config.logLevel).toBe("debug");
    expect(config.workers).toBe("auto");
    expect(config.localesDir).toBe("/etc/usher/texts");
    expect(config.issuers[0]?.rooms).toEqual([
      {
        id: "a",
        settings: {
          title: "Größe",
          message: null,
          inlet: {
            type: "periodic",
            outflowPerMinute: 600,
            maxActive: null,
            startsAtMs: Date.UTC(2027, 2, 1, 9),
            endsAtMs: Date.UTC(2027, 2, 1, 21),
            sharedOutflow: { id: "shop", outflowPerMinute: 1_000, weight: 2 },
            gate: {
              healthUrl: "http://10.0.0.5/health",
              intervalMs: 10_000,
              timeoutMs: 500,
              unhealthyAfter: 4,
              healthyAfter: 1,
            },
          },
          schedule: {
            prequeueAtMs: Date.UTC(2027, 2, 1, 8),
            opensAtMs: Date.UTC(2027, 2, 1, 9),
            endsAtMs: Date.UTC(2027, 2, 1, 21),
          },
          timeZone: "Europe/Berlin",
          whenIdle: "pass_through",
          whenEnded: "pass_through",
          maxWaiting: 50_000,
          draw: { order: "random", beacon: "drand" },
          admission: {
            durationMs: 5_400_000,
            maxDurationMs: 21_600_000,
            claimWithinMs: 90_000,
            loginsPerAdmission: 3,
          },
          logRowsMax: 0,
          waitingStatus: 429,
          joinsPerAddress: { perMinute: 60, burst: 90 },
        },
        language: "pt-BR",
        identity: null,
        invitations: {
          issuer: "https://shop.example.com",
          secrets: ["secret-of-the-mailing-0123456789abcdef"],
          classes: [{ id: "members" }, { id: "friends", opensAtMs: Date.UTC(2027, 2, 1, 11) }],
          subjects: "exact",
        },
        waysIn: {
          targets: ["https://shop.example.com/", "https://shop.example.com/sale/*"],
          admissionToken: { audience: "shop", validityMs: 600_000 },
          allowedOrigins: [],
          verify: { exempt: ["/health", "/assets/*"] },
        },
      },
      expect.objectContaining({
        id: "b",
        settings: expect.objectContaining({ inlet: { type: "manual", outflowPerMinute: 60, ...NO_MORE_INLET } }),
      }),
      expect.objectContaining({
        id: "c",
        settings: expect.objectContaining({
          inlet: {
            ...NO_MORE_INLET,
            type: "max_active",
            outflowPerMinute: null,
            maxActive: 500,
            sharedOutflow: { id: "shop", outflowPerMinute: 1_000, weight: 1 },
            gate: {
              healthUrl: "https://a/",
              intervalMs: 5_000,
              timeoutMs: 2_000,
              unhealthyAfter: 3,
              healthyAfter: 2,
            },
          },
        }),
      }),
    ]);
    expect(config.issuers[0]?.clients).toEqual([
      {
        clientId: "app",
        clientSecret: null,
        redirectUris: ["http://localhost:5000/cb", "https://app.example.com/cb"],
        postLogoutRedirectUris: ["https://app.example.com/bye"],
        rooms: ["b", "a"],
        profile: "cognito",
        loginTimeoutMs: 30_000,
        tokenEndpointAuthMethod: "none",
        initiateLoginUri: "https://app.example.com/login?fresh=1",
        initiateLoginUris: { a: "https://app.example.com/login?room=a&to={target_link_uri}" },
        targetLinkUris: ["https://app.example.com/checkout", "https://app.example.com/products/*"],
        thirdPartyLogin: false,
        rememberedLogins: "many",
        requirePkce: true,
        refreshTokens: true,
        claims: ["email", "email_verified"],
      },
      expect.objectContaining({
        clientId: "site",
        requirePkce: true,
        refreshTokens: true,
        profile: "alb",
        loginTimeoutMs: 840_000,
      }),
    ]);
    expect(config.admin.keys).toEqual([
      { id: "ops", keySha256: "ab".repeat(32) },
      { id: "door", keySha256: "cd".repeat(32), rooms: ["a"] },
      { id: "sight", keySha256: "ef".repeat(32), role: "viewer" },
    ]);
    expect(config.issuers[0]?.keys).toEqual({
      tickets: ["t".repeat(32), "u".repeat(32)],
      signing: [],
      cookies: ["c".repeat(32)],
    });
    expect(warnings).toEqual([]);
  });

  it.each([
    ["generic", 300_000],
    ["alb", 840_000],
    ["cognito", 270_000],
    ["apache", 270_000],
  ])("takes the login timeout from the profile %s", async (profile, loginTimeoutMs) => {
    const { config } = await loadConfig({ text: `${MINIMAL}    profile: ${profile}\n`, env: {} });
    expect(config.issuers[0]?.clients[0]?.loginTimeoutMs).toBe(loginTimeoutMs);
  });

  it("warns of what works and still surprises", async () => {
    const text = MINIMAL.replace("a-long-enough-secret-for-shop", "short");
    const { warnings } = await loadConfig({ text: `${text}    profile: cognito\n    login_timeout: 10m\n`, env: {} });
    expect(warnings).toEqual([
      expect.stringMatching(/^clients\[0\]\.client_secret: fewer than 16 characters/),
      expect.stringMatching(/^clients\[0\]\.login_timeout: .*cognito.*4m30s/),
      expect.stringMatching(/^clients\[0\]\.initiate_login_uri: not given/),
      expect.stringMatching(/^admin\.keys: /),
    ]);
    expect(warnings.join()).not.toContain("short");
  });

  it.each([
    ["generic", false],
    ["alb", true],
    ["cognito", false],
    ["apache", false],
  ])("takes refresh tokens from the profile %s, unless they are spoken of", async (profile, refreshTokens) => {
    const text = `${MINIMAL}    profile: ${profile}\n`;
    expect((await loadConfig({ text, env: {} })).config.issuers[0]?.clients[0]?.refreshTokens).toBe(refreshTokens);
    const spoken = `${text}    refresh_tokens: ${!refreshTokens}\n`;
    expect((await loadConfig({ text: spoken, env: {} })).config.issuers[0]?.clients[0]?.refreshTokens).toBe(
      !refreshTokens,
    );
  });

  it("warns of a redirect that leads back into the line", async () => {
    const warningsOf = async (redirect: string) => {
      const document = {
        issuer: "https://q.example",
        rooms: [
          {
            id: "a",
            targets: ["https://shop.example/", "https://shop.example/sale/*"],
            verify: { exempt: ["/sale/over"] },
            when_ended: { redirect },
          },
        ],
        clients: [
          {
            client_id: "shop",
            client_secret: "x".repeat(32),
            redirect_uris: ["https://login.example/cb"],
            initiate_login_uri: "https://login.example/",
            room: "a",
          },
        ],
        admin: { keys: [{ id: "ops", key_sha256: "ab".repeat(32) }] },
      };
      return (await loadConfig({ document, env: {}, clock })).warnings.filter((each) => each.includes("redirect"));
    };
    const circle = expect.stringContaining("rooms[0].when_ended.redirect: ");
    for (const address of [
      "https://q.example/rooms/a/enter?target=x",
      "https://q.example/authorize?client_id=shop",
      "https://shop.example/sale/last",
      "https://login.example/bye",
    ]) {
      expect(await warningsOf(address), address).toEqual([circle]);
    }
    for (const address of [
      "https://q.example/rooms/b/enter",
      "https://shop.example/sale/over",
      "https://shop.example/bye",
      "https://www.example/",
    ]) {
      expect(await warningsOf(address), address).toEqual([]);
    }
  });

  it("warns of a schedule that is over, and not of one that has begun", async () => {
    const document = (endsAt: string) => ({
      issuer: "https://q.example",
      rooms: [
        {
          id: "a",
          inlet: { type: "periodic", outflow_per_minute: 1, ends_at: endsAt },
          schedule: { opens_at: "2025-01-01T10:00Z", ends_at: endsAt },
        },
      ],
      admin: { keys: [{ id: "ops", key_sha256: "ab".repeat(32) }] },
    });
    const over = await loadConfig({ document: document("2025-12-31T10:00+02:00"), env: {}, clock });
    expect(over.warnings).toEqual([
      "rooms[0].schedule.ends_at: 2025-12-31T08:00:00.000Z is past: the room has ended",
      expect.stringMatching(/^rooms\[0\]\.inlet\.ends_at: 2025-12-31T08:00:00\.000Z is past: the line does not move/),
    ]);
    const [room] = document("2025-12-31T10:00").rooms;
    const schedule = { ...room?.schedule, time_zone: "Europe/Berlin" };
    const local = { ...document("2025-12-31T10:00"), rooms: [{ ...room, schedule }] };
    const { warnings } = await loadConfig({ document: local, env: {}, clock });
    expect(warnings[0]).toBe("rooms[0].schedule.ends_at: 2025-12-31T10:00:00+01:00 is past: the room has ended");
    const begun = await loadConfig({ document: document("2026-12-31T10:00Z"), env: {}, clock });
    expect(begun.warnings).toEqual([]);
  });

  it("warns of a beacon that no draw will use", async () => {
    const document = {
      issuer: "https://queue.example.com",
      rooms: [{ id: "a", draw: { order: "arrival", beacon: "drand" } }],
      admin: { keys: [{ id: "ops", key_sha256: "ab".repeat(32) }] },
    };
    const { warnings } = await loadConfig({ document, env: {} });
    expect(warnings).toEqual([
      expect.stringMatching(/^rooms\[0\]\.draw\.beacon: not used, since places go by arrival/),
    ]);
  });
});

describe("environment", () => {
  const text = `${MINIMAL}store: { type: redis, url: redis://file.example }
listen: { port: 4000 }
secrets_file: /file/secrets.json
log_level: warn
admin: { keys: [{ id: ops, key_sha256: ${"ab".repeat(32)} }] }
`;

  it("wins over the file", async () => {
    const env = {
      PORT: "5000",
      USHER_ISSUER: "https://env.example.com",
      USHER_REDIS_URL: "rediss://env.example:6380",
      USHER_ADMIN_API_KEY: "0123456789abcdef",
      USHER_SECRETS_FILE: "/env/secrets.json",
      USHER_LOG_LEVEL: "trace",
      USHER_DEMO_PORT: "5001",
    };
    const { config } = await loadConfig({ text, env });
    expect(config.listen.port).toBe(5000);
    expect(config.issuers[0]?.issuer).toBe("https://env.example.com");
    expect(config.store).toEqual({ type: "redis", url: "rediss://env.example:6380", prefix: "usher:" });
    expect(config.secretsFile).toBe("/env/secrets.json");
    expect(config.logLevel).toBe("trace");
    expect(config.demoPort).toBe(5001);
    const keySha256 = createHash("sha256").update("0123456789abcdef").digest("hex");
    expect(config.admin.keys).toEqual([
      { id: "ops", keySha256: "ab".repeat(32) },
      { id: "env", keySha256 },
    ]);
  });

  it("leaves the file's values where it says nothing or nothing but emptiness", async () => {
    const env = { PORT: "", USHER_ISSUER: "", USHER_REDIS_URL: "", USHER_ADMIN_API_KEY: "", USHER_LOG_LEVEL: "" };
    const { config } = await loadConfig({ text, env });
    expect(config).toMatchObject({
      issuers: [{ issuer: "https://queue.example.com" }],
      listen: { port: 4000 },
      store: { type: "redis", url: "redis://file.example" },
      secretsFile: "/file/secrets.json",
      logLevel: "warn",
    });
    expect(config.admin.keys).toHaveLength(1);
  });

  it("supplies what the file leaves out", async () => {
    const withoutIssuer = MINIMAL.replace(/^issuer.*$/m, "");
    const { config } = await loadConfig({ text: withoutIssuer, env: { USHER_ISSUER: "https://env.example.com" } });
    expect(config.issuers[0]?.issuer).toBe("https://env.example.com");
  });

  it("spares the file's Redis secret when it names another store", async () => {
    const withReference = MINIMAL.concat("store: { type: redis, url: { from: env, name: NOT_SET } }\n");
    const { config } = await loadConfig({ text: withReference, env: { USHER_REDIS_URL: "redis://env.example" } });
    expect(config.store).toEqual({ type: "redis", url: "redis://env.example", prefix: "usher:" });
    await expect(loadConfig({ text: withReference, env: {} })).rejects.toThrow(/store\.url: .*NOT_SET is not set/);
  });

  it.each([
    "redis-sentinel://:p%40ss@a:26379,b/rooms?db=2",
    "redis-cluster://a:7000,b:7001",
    "rediss-cluster://user:pass@a",
  ])("takes every URL that the store can connect to: %s", async (url) => {
    const { config } = await loadConfig({ text, env: { USHER_REDIS_URL: url } });
    expect(config.store).toEqual({ type: "redis", url, prefix: "usher:" });
    const inFile = await loadConfig({ text: text.replace("redis://file.example", `"${url}"`), env: {} });
    expect(inFile.config.store).toEqual({ type: "redis", url, prefix: "usher:" });
  });

  it.each([
    "redis-sentinel://:hunter2@a:1,b",
    "redis-sentinel://a?sentinel_password=hunter2",
    "redis://:hunter2@a,b",
    "redis://:hun/ter2@a",
  ])("refuses %s and prints no password of it", async (url) => {
    const inFile = text.replace("redis://file.example", `"${url}"`);
    for (const options of [
      { text, env: { USHER_REDIS_URL: url } },
      { text: inFile, env: {} },
    ]) {
      const error = await loadConfig(options).catch((reason: unknown) => reason);
      expect(String(error)).toMatch(/redis-sentinel:\/\/host/);
      expect(String(error)).not.toMatch(/hun|ter2/);
    }
  });

  it("hashes the admin key and keeps nothing of it", async () => {
    const { config } = await loadConfig({ text, env: { USHER_ADMIN_API_KEY: "0123456789abcdef" } });
    expect(JSON.stringify(config)).not.toContain("0123456789abcdef");
  });
});

describe("pages", () => {
  it("takes either way in which the waiting page can come, and no other", async () => {
    const { config } = await loadConfig({ text: `${MINIMAL}pages: { assets: linked }\n`, env: {} });
    expect(config.pages).toEqual({ assets: "linked" });
    await expect(loadConfig({ text: `${MINIMAL}pages: { assets: link }\n`, env: {} })).rejects.toThrow(/pages\.assets/);
    await expect(loadConfig({ text: `${MINIMAL}pages: { asset: linked }\n`, env: {} })).rejects.toThrow(/pages/);
  });
});
