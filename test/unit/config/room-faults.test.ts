/** What is wrong in a room: each fault with its path, all of them at once. */
import { describe, expect, it } from "vitest";
import { ConfigError } from "../../../src/config/checks/faults.ts";
import { type LoadOptions, loadConfig } from "../../support/load-config.ts";

/** The faults by path, `value | message`. */
async function faultsOf(options: LoadOptions): Promise<Record<string, string>> {
  const outcome = await loadConfig(options).catch((error: unknown) => error);
  if (!(outcome instanceof ConfigError)) {
    return {};
  }
  expect(outcome.faults.length).toBe(new Set(outcome.faults.map((fault) => fault.path)).size);
  return Object.fromEntries(outcome.faults.map((fault) => [fault.path, `${fault.value} | ${fault.message}`]));
}

async function faultsOfRoom(room: object, more: object = {}): Promise<Record<string, string>> {
  const document = {
    issuer: "https://queue.example.com",
    shared_outflows: [{ id: "shop", outflow_per_minute: 1_000 }],
    rooms: [{ id: "a", ...room }],
    ...more,
  };
  const faults = await faultsOf({ document, env: {} });
  return Object.fromEntries(Object.entries(faults).map(([path, fault]) => [path.replace(/^rooms\[0\]\./, ""), fault]));
}

const EVERYTHING_WRONG = `
issuer: https://queue.example.com
shared_outflows:
  - { id: shop, outflow_per_minute: 0 }
  - { id: shop, outflow_per_minute: 10 }
  - { id: Shop, outflow_per_minute: 1.5, weight: 2 }
rooms:
  - id: periodic
    inlet: { type: periodic, weight: 2, max_active: 5, starts_at: 2027-03-01T10:00Z, ends_at: 2027-03-01T10:00+00:00 }
    schedule: { prequeue_at: 2027-03-01T10:00Z, ends_at: 2027-03-01T09:00Z }
    admission: { max_duration: 20m }
  - id: manual
    inlet:
      type: manual
      outflow_per_minute: -1
      shared_outflow: shopp
      weight: 1001
      starts_at: 2027-03-01T10:00Z
      ends_at: 2027-03-01T10:00Z
      gate: { health_url: ftp://a/, interval: 500ms, timeout: 31s, unhealthy_after: 0, healthy_after: 101, retries: 3 }
    schedule: { opens_at: 2027-03-28T02:30, ends_at: 2027-10-31T02:30, time_zone: Europe/Berlin }
    when_idle: show
    when_ended: true
    max_waiting: -1
    waiting_status: 503
    joins_per_address: { per_minute: 0, burst: 10000001, per_hour: 5 }
    admission_log: { max_entries: -1 }
    language: iw
    admission: { max_duration: 31d }
  - id: active
    inlet: { type: max_active, starts_at: soon, gate: http://a/ }
    schedule: { prequeue_at: 2027-03-01T10:00, opens_at: "2027-03-01T09:00+01:00[Europe/London]", time_zone: Europe/Berln }
    max_waiting: 1000000001
    waiting_status: "429"
    joins_per_address: 600
    admission_log: { max_entries: 10000001, max_rows: 5 }
    language: "German, please"
  - id: sizes
    inlet: { type: max_active, max_active: 10000001, outflow_per_minute: 1000001, gate: { interval: 6m } }
    joins_per_address:
      per_minute: "60"
      prequeue: many
      ranges:
        - { range: 198.51.100.0/33, limit: off }
        - { range: 2001:db8::/65, limit: off }
        - { range: 198.51.100.0/24 }
        - { range: 198.51.100.0/24, limit: { prequeue: 0, per_hour: 5 } }
        - { range: 198.51.100.0/24, limit: none }
    address_rules:
      - { name: Office, action: pass, ranges: [192.0.2.0/24] }
      - { name: office, action: block, ranges: [] }
      - { name: office, action: refuse, ranges: [192.0.2.0/33, 203.0.113.9] }
      - { name: office, ranges: [203.0.113.9], limit: off }
    schedule: { prequeue_at: 2027-03-01T10:00Z, opens_at: 2027-03-01T09:00Z, ends_at: 2027-03-01T09:00Z, closes_at: x }
clients:
  - client_id: shop
    client_secret: a-long-enough-secret
    redirect_uris: [https://shop.example.com/]
    room: manual
    refresh_tokens: "yes"
`;

describe("faults of rooms", () => {
  it("are reported all at once, each with path, value and what is allowed", async () => {
    const found = await faultsOf({ text: EVERYTHING_WRONG, env: {} });
    const expected: Record<string, RegExp> = {
      "shared_outflows[0].outflow_per_minute": /^0 \| expected a whole number from 1/,
      "shared_outflows[1].id":
        /^"shop" \| another shared outflow has the same id: shared_outflows\[0\]; each needs its own$/,
      "shared_outflows[2].id": /^"Shop" \| expected the id of a shared outflow/,
      "shared_outflows[2].outflow_per_minute": /^1.5 \| expected a whole number/,
      "shared_outflows[2].weight": /^2 \| unknown key/,
      "rooms[0].inlet.outflow_per_minute": /^missing \| required: .*outflow_per_minute or shared_outflow$/,
      "rooms[0].inlet.weight": /^2 \| only with shared_outflow/,
      "rooms[0].inlet.max_active":
        /^5 \| only for type max_active, not for periodic: leave it out, or change the type$/,
      "rooms[0].inlet.ends_at": /^"2027-03-01T10:00\+00:00" \| expected a time after inlet.starts_at$/,
      "rooms[0].schedule.opens_at":
        /^missing \| required where prequeue_at is given: the time from which visitors of the prequeue may enter$/,
      "rooms[0].schedule.ends_at": /^"2027-03-01T09:00Z" \| expected a time after schedule.prequeue_at$/,
      "rooms[0].admission.max_duration": /^"20m" \| expected more than duration \(20m\)/,
      "rooms[1].inlet.outflow_per_minute": /^-1 \| expected a whole number/,
      "rooms[1].inlet.shared_outflow": /^"shopp" \| no such entry of shared_outflows, did you mean shop\?/,
      "rooms[1].inlet.weight": /^1001 \| expected a whole number from 1 to 1000$/,
      "rooms[1].inlet.starts_at": /only for type periodic or adaptive, not for manual; schedule opens/,
      "rooms[1].inlet.ends_at": /only for type periodic or adaptive, not for manual/,
      "rooms[1].inlet.gate.health_url": /^"ftp:\/\/a\/" \| expected an absolute URL: http or https$/,
      "rooms[1].inlet.gate.interval": /^"500ms" \| expected a duration from 1s to 5m/,
      "rooms[1].inlet.gate.timeout": /^"31s" \| expected a duration from 100ms to 30s/,
      "rooms[1].inlet.gate.unhealthy_after": /^0 \| expected a whole number from 1 to 100/,
      "rooms[1].inlet.gate.healthy_after": /^101 \| expected a whole number from 1 to 100/,
      "rooms[1].inlet.gate.retries": /^3 \| unknown key/,
      "rooms[1].schedule.opens_at": /^"2027-03-28T02:30" \| does not exist in Europe\/Berlin/,
      "rooms[1].schedule.ends_at": /^"2027-10-31T02:30" \| occurs twice in Europe\/Berlin/,
      "rooms[1].when_idle": /^"show" \| unknown behaviour; allowed: page, pass_through, { redirect: https:\/\/… }$/,
      "rooms[1].when_ended": /^true \| expected one of page, pass_through, { redirect: https:\/\/… }$/,
      "rooms[1].max_waiting": /^-1 \| expected a whole number from 0 to 1000000000$/,
      "rooms[1].waiting_status": /^503 \| expected one of 200, 202, 429$/,
      "rooms[1].joins_per_address.per_minute": /^0 \| expected a whole number from 1 to 1000000$/,
      "rooms[1].joins_per_address.burst": /^10000001 \| expected a whole number from 1 to 10000000$/,
      "rooms[1].joins_per_address.per_hour": /^5 \| unknown key; allowed: per_minute, burst, prequeue, ranges$/,
      "rooms[1].admission_log.max_entries": /^-1 \| expected a whole number from 0 to 10000000$/,
      "rooms[1].language": /^"iw" \| expected a language tag such as de or pt-BR; write he$/,
      "rooms[1].admission.max_duration": /^"31d" \| expected a duration from 1s to 30d/,
      "rooms[2].inlet.max_active":
        /^missing \| required: an inlet of type max_active needs it, how many may be in at the same time$/,
      "rooms[2].inlet.starts_at": /^"soon" \| expected a time such as/,
      "rooms[2].inlet.gate": /^"http:\/\/a\/" \| expected a mapping$/,
      "rooms[2].schedule.time_zone": /^"Europe\/Berln" \| unknown time zone, did you mean Europe\/Berlin\?/,
      "rooms[2].schedule.opens_at": /\| the offset \+01:00 contradicts the zone; in Europe\/London it is \+00:00 then/,
      "rooms[2].max_waiting": /^1000000001 \| expected a whole number/,
      "rooms[2].waiting_status": /^"429" \| expected one of 200, 202, 429 \(without quotes\)$/,
      "rooms[2].joins_per_address": /^600 \| expected off, or a mapping such as \{ per_minute: 600, burst: 1200 \}$/,
      "rooms[2].admission_log.max_entries": /^10000001 \| expected a whole number from 0 to 10000000$/,
      "rooms[2].admission_log.max_rows": /^5 \| unknown key; allowed: max_entries$/,
      "rooms[2].language": /^"German, please" \| expected a language tag such as de or pt-BR$/,
      "rooms[3].inlet.max_active": /^10000001 \| expected a whole number from 1 to 10000000$/,
      "rooms[3].inlet.outflow_per_minute": /^1000001 \| expected a whole number from 1 to 1000000$/,
      "rooms[3].joins_per_address.prequeue": /^"many" \| expected a whole number from 1 to 1000000, or off$/,
      "rooms[3].joins_per_address.ranges[0].range": /^"198.51.100.0\/33" \| expected an IP address or CIDR range/,
      "rooms[3].joins_per_address.ranges[1].range": /^"2001:db8::\/65" \| expected an IPv6 range of at most 64 bits/,
      "rooms[3].joins_per_address.ranges[2].limit": /expected off, or a mapping such as \{ prequeue: 500 \}$/,
      "rooms[3].joins_per_address.ranges[3].limit.prequeue": /^0 \| expected a whole number from 1 to 1000000, or off$/,
      "rooms[3].joins_per_address.ranges[3].limit.per_hour": /^5 \| unknown key; allowed: per_minute, burst, prequeue$/,
      "rooms[3].joins_per_address.ranges[4].limit": /^"none" \| expected off, or a mapping such as/,
      "rooms[3].address_rules[0].name": /^"Office" \| expected a name of lower-case letters/,
      "rooms[3].address_rules[1].action": /^"block" \| unknown action; allowed: pass, queue, challenge, refuse$/,
      "rooms[3].address_rules[1].ranges": /expected a list of 1 to 1000 items$/,
      "rooms[3].address_rules[2].ranges[0]": /^"192.0.2.0\/33" \| expected an IP address or CIDR range/,
      "rooms[3].address_rules[3].action": /required: one of pass, queue, challenge, refuse$/,
      "rooms[3].address_rules[3].limit": /unknown key; allowed: name, action, ranges$/,
      "rooms[3].joins_per_address.per_minute": /^"60" \| expected a whole number from 1 to 1000000 \(without quotes\)$/,
      "rooms[3].inlet.gate.health_url": /^missing \| required: an http or https URL/,
      "rooms[3].inlet.gate.interval": /^"6m" \| expected a duration/,
      "rooms[3].schedule.opens_at": /expected a time after schedule.prequeue_at$/,
      "rooms[3].schedule.ends_at": /expected a time after schedule.opens_at$/,
      "rooms[3].schedule.closes_at": /^"x" \| unknown key; allowed: prequeue_at, opens_at/,
      "clients[0].refresh_tokens": /^"yes" \| expected true or false$/,
    };
    expect(Object.keys(found).sort()).toEqual(Object.keys(expected).sort());
    for (const [path, pattern] of Object.entries(expected)) {
      expect(found[path], path).toMatch(pattern);
    }
  });

  it("name times in the wrong order together with a zone that is missing or unknown", async () => {
    const times = { prequeue_at: "2027-03-01T11:00", opens_at: "2027-03-01T10:00", ends_at: "2027-03-01T09:00Z" };
    expect(await faultsOfRoom({ schedule: times })).toEqual({
      "schedule.prequeue_at": expect.stringMatching(
        /a local time without a zone: give schedule.time_zone, .* or write "[^"]+"$/,
      ),
      "schedule.opens_at": expect.stringMatching(
        /a local time without a zone: give .*; expected a time after schedule.prequeue_at$/,
      ),
    });
    expect(await faultsOfRoom({ schedule: { ...times, time_zone: "Europe/Berln" } })).toEqual({
      "schedule.time_zone": expect.stringMatching(/did you mean Europe\/Berlin/),
      "schedule.opens_at": '"2027-03-01T10:00" | expected a time after schedule.prequeue_at',
    });
    const exact = { opens_at: "2027-03-01T10:00Z", ends_at: "2027-03-01T09:00Z", time_zone: "Europe/Berln" };
    const inlet = {
      type: "periodic",
      outflow_per_minute: 1,
      starts_at: "2027-03-01T10:00",
      ends_at: "2027-03-01T10:00",
    };
    expect(await faultsOfRoom({ schedule: exact, inlet })).toEqual({
      "schedule.time_zone": expect.stringMatching(/did you mean Europe\/Berlin/),
      "schedule.ends_at": '"2027-03-01T09:00Z" | expected a time after schedule.opens_at',
      "inlet.ends_at": '"2027-03-01T10:00" | expected a time after inlet.starts_at',
    });
  });

  it.each([
    [
      "starts_at on max_active",
      { inlet: { type: "max_active", max_active: 1, starts_at: "2027-03-01T10:00Z" } },
      "inlet.starts_at",
    ],
    ["ends_at on manual", { inlet: { type: "manual", ends_at: "2027-03-01T10:00Z" } }, "inlet.ends_at"],
    ["max_active on manual", { inlet: { type: "manual", max_active: 1 } }, "inlet.max_active"],
    ["a limit of 0", { inlet: { type: "manual", outflow_per_minute: 0 } }, "inlet.outflow_per_minute"],
    ["a fraction of a limit", { inlet: { type: "max_active", max_active: 0.5 } }, "inlet.max_active"],
    ["text for a number", { max_waiting: "5" }, "max_waiting"],
    [
      "a number beyond all bounds",
      { inlet: { type: "periodic", outflow_per_minute: 1e300 } },
      "inlet.outflow_per_minute",
    ],
    ["max_duration below duration", { admission: { duration: "1h", max_duration: "59m" } }, "admission.max_duration"],
    [
      "a health URL with a password",
      { inlet: { type: "manual", gate: { health_url: "http://u:p@a/" } } },
      "inlet.gate.health_url",
    ],
    ["no type of inlet", { inlet: { outflow_per_minute: 5 } }, "inlet.type"],
    ["a local time without a zone", { schedule: { opens_at: "2027-03-01T10:00" } }, "schedule.opens_at"],
    ["a zone that is no text", { schedule: { opens_at: "2027-03-01T10:00Z", time_zone: 1 } }, "schedule.time_zone"],
    ["a time that is no text", { schedule: { opens_at: 20270301 } }, "schedule.opens_at"],
    ["a list of times", { schedule: { opens_at: ["2027-03-01T10:00Z"] } }, "schedule.opens_at"],
    [
      "opens_at and ends_at at once",
      { schedule: { opens_at: "2027-03-01T10:00Z", ends_at: "2027-03-01T11:00+01:00" } },
      "schedule.ends_at",
    ],
    ["an inlet in vain", { inlet: 5 }, "inlet"],
    ["a schedule in vain", { schedule: "always" }, "schedule"],
  ])("%s is one fault", async (_, room, path) => {
    expect(Object.keys(await faultsOfRoom(room))).toEqual([path]);
  });

  it.each([
    ["a shared outflow in place of a limit", { inlet: { type: "periodic", shared_outflow: "shop" } }],
    ["a limit on max_active", { inlet: { type: "max_active", max_active: 1, outflow_per_minute: 1 } }],
    [
      "a gate on a manual inlet",
      { inlet: { type: "manual", gate: { health_url: "http://site.internal:8080/up?x=1" } } },
    ],
    ["only an end", { schedule: { ends_at: "2027-03-01T10:00Z" } }],
    ["times of the past", { schedule: { opens_at: "2001-03-01T10:00Z", ends_at: "2001-03-02T10:00Z" } }],
    ["nothing waiting", { max_waiting: 0 }],
    [
      "empty keys",
      { max_waiting: null, schedule: { opens_at: null, time_zone: null }, admission: { max_duration: null } },
    ],
    ["a zone that no time needs", { schedule: { time_zone: "Europe/Berlin" } }],
  ])("%s is none", async (_, room) => {
    expect(await faultsOfRoom(room)).toEqual({});
  });

  it.each(["two\nlines", "a\u0000b", "half a character \ud83c"])(
    "name a title that is no line of text: %j",
    async (title) => {
      expect(await faultsOfRoom({ title })).toEqual({
        title: expect.stringContaining("expected a title, at most 200"),
      });
      expect(await faultsOfRoom({ title: "Herbst 🎟" })).toEqual({});
    },
  );

  it("name a shared outflow with a cluster, wherever its URL stands", async () => {
    const inlet = { type: "periodic", shared_outflow: "shop" };
    const expected = {
      "inlet.shared_outflow": expect.stringMatching(/^"shop" \| not with a cluster .*one script must see/),
    };
    for (const url of ["redis-cluster://a,b", "rediss-cluster://user:pass@a"]) {
      expect(await faultsOfRoom({ inlet }, { store: { type: "redis", url } })).toEqual(expected);
    }
    const text = `
issuer: https://q.example
shared_outflows: [{ id: shop, outflow_per_minute: 10 }]
rooms: [{ id: a, inlet: { type: periodic, shared_outflow: shop } }, { id: b }]
store: { type: redis, url: { from: env, name: STORE_URL } }
`;
    const path = "rooms[0].inlet.shared_outflow";
    expect(Object.keys(await faultsOf({ text, env: { STORE_URL: "redis-cluster://a" } }))).toEqual([path]);
    expect(Object.keys(await faultsOf({ text, env: { USHER_REDIS_URL: "redis-cluster://a" } }))).toEqual([path]);
    // The environment's URL is the one that counts.
    const env = { STORE_URL: "redis-cluster://a", USHER_REDIS_URL: "redis://a" };
    expect(await faultsOf({ text, env })).toEqual({});
    expect(await faultsOf({ text, env: { STORE_URL: "redis-sentinel://a/rooms" } })).toEqual({});
    expect(await faultsOfRoom({}, { store: { type: "redis", url: "redis-cluster://a" } })).toEqual({});
  });
});

describe("a room that is entered by invitation", () => {
  const secret = "secret-of-the-mailing-0123456789abcdef";
  const faults = (invitations: unknown, more: object = { entry: "invited" }) => faultsOfRoom({ ...more, invitations });

  it("names one who signs", async () => {
    expect(await faults({ secret })).toEqual({});
    expect(await faultsOfRoom({ entry: "invited" })).toEqual({ invitations: expect.stringContaining("required") });
    expect(await faults({})).toEqual({ "invitations.secret": expect.stringContaining("required") });
    expect(await faults({ secret, jwks_uri: "https://shop.example.com/jwks" })).toEqual({
      "invitations.jwks_uri": expect.stringContaining("given beside secret"),
    });
    expect(await faults({ jwks_uri: "http://shop.example.com/jwks" })).toHaveProperty(["invitations.jwks_uri"]);
    expect(await faults({ secret: "short" })).toEqual({ "invitations.secret": expect.stringContaining("32") });
  });

  it("says that it is, and has classes of different names and real times, and no rule of moves", async () => {
    expect(await faults({ secret }, {})).toEqual({ entry: expect.stringContaining("expected invited") });
    const classes = [{ id: "a", opens_at: "soon" }, { id: "a", opens_at: "2027-03-01T10:00" }, { id: "B" }];
    expect(await faults({ secret, classes })).toEqual({
      "invitations.classes[0].opens_at": expect.stringContaining("expected a time"),
      "invitations.classes[1].id": expect.stringContaining("same id"),
      "invitations.classes[1].opens_at": expect.any(String),
      "invitations.classes[2].id": expect.any(String),
    });
    expect(await faults({ secret }, { entry: "invited", moves: "once" })).toEqual({
      moves: expect.stringContaining("leave it out"),
    });
  });
});

describe("a room whose places are bound to the browser", () => {
  it.each(["offered", "required"])("(%s) moves none, and has places of no other kind", async (device_binding) => {
    expect(await faultsOfRoom({ device_binding })).toEqual({});
    expect(await faultsOfRoom({ device_binding, moves: "never" })).toEqual({});
    for (const moves of ["once", "unlimited"]) {
      expect(await faultsOfRoom({ device_binding, moves })).toEqual({ moves: expect.stringContaining("leave it out") });
    }
    const invitations = { secret: "secret-of-the-mailing-0123456789abcdef" };
    expect(await faultsOfRoom({ device_binding, entry: "invited", invitations })).toEqual({
      device_binding: expect.stringContaining("not with entry: invited"),
    });
    const identity = {
      issuer: "https://id.example.com",
      client_id: "usher",
      client_secret: "secret-of-usher-0123456789",
    };
    expect(await faultsOfRoom({ device_binding, identity })).toEqual({
      device_binding: expect.stringContaining("not with identity"),
    });
    expect(await faultsOfRoom({ device_binding: "none", identity })).toEqual({});
  });
});

describe("a room whose visitors sign in", () => {
  const identity = {
    issuer: "https://id.example.com",
    client_id: "usher",
    client_secret: "secret-of-usher-0123456789",
  };
  const faults = (more: object, room: object = {}) => faultsOfRoom({ ...room, identity: { ...identity, ...more } });

  it("names a provider that is not Usher, over https, and what Usher is there", async () => {
    expect(await faults({})).toEqual({});
    expect(await faults({ issuer: "http://localhost:8080/realms/shop" })).toEqual({});
    expect(await faults({ issuer: "http://id.example.com" })).toEqual({
      "identity.issuer": expect.stringContaining("https"),
    });
    expect(await faults({ issuer: "https://queue.example.com" })).toEqual({
      "identity.issuer": expect.stringContaining("Usher itself"),
    });
    expect(await faultsOfRoom({ identity: {} })).toEqual({
      "identity.issuer": expect.stringContaining("required"),
      "identity.client_id": expect.stringContaining("required"),
      "identity.client_secret": expect.stringContaining("required"),
    });
  });

  it("lets no claim go on that Usher sets, twice, or that is no name", async () => {
    expect(await faults({ claims: ["email", "https://example.com/roles", "cognito:groups"] })).toEqual({});
    expect(await faults({ claims: ["email", "sub", "email", "room", "a b"] })).toEqual({
      "identity.claims[1]": expect.stringContaining("that Usher sets itself"),
      "identity.claims[2]": expect.stringContaining("in the list already"),
      "identity.claims[3]": expect.stringContaining("that Usher sets itself"),
      "identity.claims[4]": expect.stringContaining("the name of a claim"),
    });
  });

  it("is not entered by invitation, and moves no places", async () => {
    const invitations = { secret: "secret-of-the-mailing-0123456789abcdef" };
    expect(await faults({}, { entry: "invited", invitations })).toEqual({
      identity: expect.stringContaining("entry: invited"),
    });
    expect(await faults({}, { moves: "once" })).toEqual({ moves: expect.stringContaining("leave it out") });
  });

  it("shows neither the secret nor what is written beside it", async () => {
    const told = JSON.stringify(
      await faults({ client_secret: "ä-hidden-value", client_secrt: "another-hidden-value" }),
    );
    expect(told).not.toContain("hidden-value");
  });
});
