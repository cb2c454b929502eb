/** What becomes of exports: every line of a configuration, what is said of it, and that Usher starts with it. */
import { readFileSync } from "node:fs";
import fc from "fast-check";
import { expect, test } from "vitest";
import { type Input, inputBounds, parseInput } from "../../../../src/features/migrate/input.ts";
import type { System } from "../../../../src/features/migrate/migrate.ts";
import { CommandError } from "../../../../src/operate/commands/terminal.ts";
import { loaded, migrated, pathOf, readSample, samples } from "../support/samples.ts";

const migrate = (system: System, ...files: readonly string[]) => migrated(system, files.map(readSample));
const settingsOf = async (yaml: string) => (await loaded(yaml)).issuers[0]?.rooms.map(({ settings }) => settings) ?? [];
const roomOf = "699d98642c564d2e855e9661899b7252";

test.each(samples)("%s %j: the configuration starts, with valid and different ids of rooms", async (system, files) => {
  const { yaml, counts } = migrate(system, ...files);
  const { rooms = [] } = (await loaded(yaml)).issuers[0] ?? {};
  expect(rooms.length).toBeGreaterThan(0);
  expect(new Set(rooms.map(({ id }) => id)).size).toBe(rooms.length);
  const said = [...yaml.matchAll(/# (exact|nearly|left out|not needed|yours)\b/g)].map(([, fit = ""]) => fit);
  // The head names each kind once.
  for (const [fit, count] of Object.entries(counts))
    expect([fit, said.filter((each) => each === fit).length - (fit === "exact" ? 1 : 0)]).toEqual([fit, count]);
  for (const line of yaml.split("\n")) expect(line).not.toMatch(/\[object|undefined/);
});

test("aws: a core stack and its inlet", async () => {
  const { yaml } = migrate("aws", "aws/core.json", "aws/inlet.json");
  const [room] = await settingsOf(yaml);
  expect(room).toMatchObject({
    inlet: { type: "periodic", outflowPerMinute: 600, startsAtMs: 1_893_492_000_000, endsAtMs: null },
    admission: { durationMs: 3_600_000, claimWithinMs: 900_000 },
  });
  for (const line of [
    /^ {2}- id: sample # nearly: event Sample of the stack tickets-CoreModuleStack-1ABC \(eu-west-1, account 111122223333\)$/m,
    /^ {6}claim_within: 15m # exact: QueuePositionExpiryPeriod 900$/m,
    /^ {6}Sample: sample # exact: EventId$/m,
    /^ {4}issuer: "https:\/\/abc123\.execute-api\.eu-west-1\.amazonaws\.com\/api" # exact: PublicTokenIssuer$/m,
    /^# not needed: stack tickets: the same waiting room as the stack tickets-CoreModuleStack-1ABC$/m,
    /^# not needed: stack website: neither/m,
    /# nearly: IncrSvcOnQueuePositionExpiry false: /,
    /# left out: EnableEventsGeneration: .*event_bus/,
    /# left out: CloudWatchAlarmName shop-is-slow: .*inlet\.gate/,
  ])
    expect(yaml).toMatch(line);
  expect(yaml).not.toMatch(/RedisPort|Old/);
});

test("aws: several accounts, times out of bounds, parameters that nobody knows", async () => {
  const { yaml } = migrate("aws", "aws/two-accounts.json");
  const [spring, autumn] = await settingsOf(yaml);
  expect(spring).toMatchObject({
    inlet: { type: "manual" },
    admission: { durationMs: 604_800_000, claimWithinMs: 86_400_000 },
  });
  expect(autumn).toMatchObject({
    inlet: { type: "max_active", maxActive: 250 },
    admission: { claimWithinMs: 600_000 },
  });
  expect(yaml).toMatch(/duration: 7d # nearly: ValidityPeriod 2000000; here 1s to 7d/);
  expect(yaml).toMatch(/- id: spring-2027 # nearly[\s\S]*- id: spring-2027-2 # nearly/);
  expect(yaml).toMatch(/# left out: FutureParameter: /);
  expect(yaml).toMatch(/# left out: PublicTokenIssuer https:\/\/two\..*: an issuer of Usher has one/);
  expect(yaml).toMatch(/# left out: stack lost-inlet: an inlet of the event Winter/);
});

test("queue-it: integrations of an event are rules in their order, with what is ignored before them", async () => {
  const { yaml } = migrate("queue-it", "queue-it/integrationconfig.json");
  const { rooms = [] } = (await loaded(yaml)).issuers[0] ?? {};
  const [event, drops] = rooms;
  const named = (room: typeof event) => room?.waysIn.rules?.map(({ name, action }) => `${name} ${action}`);
  expect(named(event)).toEqual(["assets ignore", "checkout queue", "checkout-2 queue", "rest ignore"]);
  expect(named(drops)).toEqual(["assets ignore", "drops queue", "rest ignore"]);
  expect(event?.waysIn.targets).toEqual(["https://shop.test/", "https://shop.test/*"]);
  expect(drops?.waysIn.targets).toEqual(["https://www.shop.test/", "https://www.shop.test/*"]);
  expect(event?.settings.admission).toMatchObject({ durationMs: 1_800_000, maxDurationMs: 86_400_000 });
  expect(drops?.settings.admission).toMatchObject({ durationMs: 1_200_000, maxDurationMs: null });
  for (const line of [
    /event-1: event-1 # nearly: EventId Event_1: give the connectors this id/,
    /customer_id: acme # exact$/m,
    /secret_key: \{ from: env, name: QUEUE_IT_SECRET_KEY \} # yours/,
    /# left out: integration Logout: ActionType Cancel/,
    /# left out: LayoutName Acme dark: .*themes/,
    /# left out: NewSwitch: /,
    /# left out: ForcedTargetUrl https:\/\/www\.shop\.test\/drops\?from=queue: /,
    /# nearly: order: /,
  ])
    expect(yaml).toMatch(line);
});

test("queue-it: where a rule that queues is refused, nothing passes that no rule lets pass", async () => {
  const { yaml } = migrate("queue-it", "queue-it/body.json");
  const [room] = (await loaded(yaml)).issuers[0]?.rooms ?? [];
  expect(room?.waysIn.rules?.map(({ name, action }) => `${name} ${action}`)).toEqual(["pages queue"]);
  expect(yaml).toMatch(/# left out: Order: .*RequestBody has no equal/);
  expect(yaml).toMatch(/# not needed: Off: it has no triggers/);
  expect(yaml).toMatch(/targets: .*shop\.example\.com.* # yours/);
  expect(yaml).toMatch(/customer_id: customer # yours/);
});

test("cloudflare: rooms, an event, rules and the crawlers of a zone from answers of the API", async () => {
  const { yaml } = migrate(
    "cloudflare",
    ...["rooms.json", `events-${roomOf}.json`, `rules-${roomOf}.json`, "settings.json"].map(
      (file) => `cloudflare/${file}`,
    ),
  );
  const { rooms = [] } = (await loaded(yaml)).issuers[0] ?? {};
  const [first, second] = rooms;
  expect(rooms.map(({ id }) => id)).toEqual(["shop-room", "shop-room-2"]);
  expect(first?.settings).toMatchObject({
    title: "Autumn tour",
    inlet: { type: "max_active", maxActive: 1_000, outflowPerMinute: 200 },
    admission: { durationMs: 600_000, maxDurationMs: 2_592_000_000 },
    schedule: { prequeueAtMs: Date.UTC(2030, 8, 28, 15), opensAtMs: Date.UTC(2030, 8, 28, 15, 30), endsAtMs: null },
    draw: { order: "random" },
    whenIdle: "pass_through",
    waitingStatus: 202,
  });
  expect(second?.settings).toMatchObject({
    admission: { durationMs: 300_000, maxDurationMs: null },
    waitingStatus: 200,
  });
  expect([first?.language, second?.language]).toEqual(["zh-Hans", "en"]);
  expect(first?.waysIn.targets).toEqual([
    ...["https://shop.example.com/tickets", "https://shop.example.com/tickets/*"],
    ...["https://shop.example.com/basket", "https://shop.example.com/basket/*"],
  ]);
  expect(first?.waysIn.rules?.map(({ action, when }) => [action, when])).toEqual([
    ["bypass", "verified_crawler"],
    ["bypass", "ip.src in {192.0.2.0/24 2001:db8::/32}"],
    ["queue", 'http.host eq "shop.example.com" and starts_with(http.request.uri.path, "/tickets")'],
    ["queue", 'http.host eq "shop.example.com" and starts_with(http.request.uri.path, "/basket")'],
    ["ignore", undefined],
  ]);
  for (const line of [
    /# left out: Germany: column 1: ip\.src\.country: Usher knows no countries/,
    /# left out: http\.request\.uri\.path matches .*: column 23: matches has no equal/,
    /# not needed: rule Free: it is disabled/,
    /# left out: event winter: a room has one schedule/,
    /# not needed: event spring: it is past/,
    /# left out: the event's new_users_per_minute/,
    /# left out: event_end_time: /,
    /# left out: custom_page_html: /,
    /# left out: turnstile_mode invisible: /,
    /# left out: turnstile_action infinite_queue/,
    /# left out: enabled_origin_commands/,
    /cloudflare:\n {4}rooms:\n {6}[a-z0-9-]+: true # nearly: json_response_enabled/,
    /# left out: new_attribute: /,
    /# left out: queueing_method random: /,
    /# nearly: queue_all: .*usher pause ROOM/,
    /# nearly: suspended: .*usher passthrough ROOM/,
    /# not needed: cookie_suffix/,
    /^# nearly: Cloudflare itself: put forward authentication/m,
  ])
    expect(yaml).toMatch(line);
  expect(yaml).not.toMatch(/next_event_start_time/);
});

test("cloudflare: events and rules of which nothing says of which room they are, are left out", async () => {
  const files = ["rooms.json", `rules-${roomOf}.json`].map((file) => readSample(`cloudflare/${file}`));
  const [rooms, rules] = files as [Input, Input];
  const { yaml } = migrated("cloudflare", [rooms, { ...rules, file: "rules.json" }]);
  expect(yaml).toMatch(/^# left out: rule Office of rules\.json: nothing says of which room it is/m);
  const [one] = rooms.json.result as unknown[];
  const alone = migrated("cloudflare", [
    { ...rooms, json: { result: one } },
    { ...rules, file: "rules.json" },
  ]);
  expect(alone.yaml).toMatch(/name: office # exact: rule Office/);
});

test("cloudflare: resources of Terraform, of child modules and several zones", async () => {
  const { yaml } = migrate("cloudflare", "cloudflare/terraform.json");
  const { rooms = [] } = (await loaded(yaml)).issuers[0] ?? {};
  expect(rooms.map(({ id, waysIn }) => [id, waysIn.rules?.map(({ name }) => name)])).toEqual([
    ["shop", ["crawlers", "shop-example-com", "rest"]],
    ["shop-2", ["health", "drops-example-org-drops", "rest"]],
  ]);
  expect(rooms[1]?.settings.schedule).toMatchObject({ prequeueAtMs: null, opensAtMs: Date.UTC(2030, 4, 1, 10) });
  expect(yaml).toMatch(/# nearly: queueing_method passthrough: .*usher passthrough ROOM/);
  expect(yaml).toMatch(/# nearly: queueing_method reject: .*usher end ROOM/);
  expect(yaml).toMatch(/# not needed: rule Bots: it is disabled/);
});

test("cloudflare: a page of several is said, and a route that nobody can name lets nothing pass", async () => {
  const room = { host: "shop.example.com", path: "/a/../b", name: "x", total_active_users: 5 };
  const json = { result: [room], result_info: { count: 1, total_count: 3 } };
  const { yaml } = migrated("cloudflare", [{ file: "rooms.json", json }]);
  const [read] = (await loaded(yaml)).issuers[0]?.rooms ?? [];
  expect(read?.waysIn.rules ?? null).toBeNull();
  expect(yaml).toMatch(/# left out: 2 of 3 objects: rooms\.json is one page of several/);
  expect(yaml).toMatch(/# left out: route shop\.example\.com\/a\/\.\.\/b: /);
});

test("child modules may be a hundred deep, and rooms a thousand", async () => {
  const { json } = readSample("cloudflare/terraform.json");
  let module: unknown = (json.values as { root_module: unknown }).root_module;
  for (let depth = 0; depth < (inputBounds.depth - 20) / 2; depth++) module = { child_modules: [module] };
  const deep = migrated("cloudflare", [{ file: "deep.json", json: { values: { root_module: module } } }]);
  expect((await loaded(deep.yaml)).issuers[0]?.rooms).toHaveLength(2);
  const rooms = Array.from({ length: 1_001 }, () => ({ host: "a.test", name: "same", total_active_users: 1 }));
  const many = migrated("cloudflare", [{ file: "many.json", json: { result: rooms } }]);
  expect(new Set([...many.yaml.matchAll(/^ {2}- id: (\S+)/gm)].map(([, id]) => id)).size).toBe(1_000);
  expect(many.yaml).toMatch(/# left out: room same: there are at most 1000/);
});

test.each<[string, System, Input["json"], RegExp]>([
  [
    "limits out of bounds",
    "cloudflare",
    { result: { host: "a.test", name: "a", total_active_users: 0, new_users_per_minute: 2_000_000 } },
    /type: manual # yours[\s\S]*left out: new_users_per_minute 2000000[\s\S]*left out: total_active_users 0/,
  ],
  [
    "one limit",
    "cloudflare",
    { result: { host: "a.test", name: "a", new_users_per_minute: 20 } },
    /type: periodic\n\s+outflow_per_minute: 20 # exact/,
  ],
  [
    "values of other types",
    "cloudflare",
    { result: { host: "a.test", name: 7, total_active_users: "many", queueing_status_code: [2] } },
    /left out: name: its value cannot be read[\s\S]*left out: total_active_users: its[\s\S]*left out: queueing_status_code: its/,
  ],
  [
    "a name without a letter of an id",
    "cloudflare",
    { result: { host: "a.test", name: "日本", total_active_users: 5 } },
    /- id: room # nearly: 日本\n\s+title: "日本"/,
  ],
  [
    "a session that is too long",
    "cloudflare",
    { result: { host: "a.test", total_active_users: 5, session_duration: 43_200 } },
    /duration: 7d # nearly: session_duration 43200; here 1m to 7d/,
  ],
  [
    "an event that nobody can read",
    "cloudflare",
    {
      result: [
        { host: "a.test", total_active_users: 5 },
        { name: "e", event_start_time: "soon" },
      ],
    },
    /left out: event e: it has no event_start_time/,
  ],
  [
    "times that nobody can read",
    "cloudflare",
    {
      result: [
        { host: "a.test", total_active_users: 5 },
        {
          event_start_time: "2030-01-01T10:00:00Z",
          prequeue_start_time: "2030-01-01T11:00:00Z",
          event_end_time: "later",
        },
      ],
    },
    /opens_at: "2030-01-01T10:00:00\.000Z"[\s\S]*left out: prequeue_start_time: no time before[\s\S]*left out: event_end_time: no time that/,
  ],
  [
    "settings of another zone",
    "cloudflare",
    {
      result: [
        { host: "a.test", total_active_users: 5 },
        { zone_id: "z", search_engine_crawler_bypass: true },
      ],
    },
    /rules:\n\s+- name: a-test # exact/,
  ],
  [
    "an action that is none",
    "cloudflare",
    {
      result: [
        { host: "a.test", total_active_users: 5 },
        { action: "block", expression: "ip.src eq 192.0.2.1" },
      ],
    },
    /left out: ip\.src eq 192\.0\.2\.1: action block has no equal/,
  ],
  [
    "an action that nobody knows is Ignore, a missing one Queue",
    "queue-it",
    {
      Integrations: [
        {
          Name: "a",
          ActionType: "Later",
          Triggers: [
            { TriggerParts: [{ ValidatorType: "UserAgentValidator", Operator: "Contains", ValueToCompare: "x" }] },
          ],
        },
        {
          Name: "b",
          EventId: "e",
          Triggers: [
            {
              TriggerParts: [
                {
                  ValidatorType: "UrlValidator",
                  UrlPart: "HostName",
                  Operator: "EqualsAny",
                  ValuesToCompare: ["b.test", "not a host"],
                },
              ],
            },
          ],
        },
      ],
    },
    /name: a # exact[\s\S]*action: ignore[\s\S]*name: b # exact[\s\S]*action: queue/,
  ],
  [
    "trigger parts with a member that nobody knows",
    "queue-it",
    {
      Integrations: [
        {
          Name: "b",
          EventId: "e",
          Triggers: [
            {
              TriggerParts: [
                { ValidatorType: "UserAgentValidator", Operator: "Contains", ValueToCompare: "x", Weight: 3 },
              ],
            },
          ],
        },
      ],
    },
    /left out: b: 0: TriggerParts: 0: Weight: unknown key/,
  ],
  [
    "text that would end a comment",
    "queue-it",
    { Integrations: [{ Name: "a\nrooms: []\u2028x: 1\u001b[31m", EventId: "e", Triggers: [] }] },
    /title: "a rooms: \[\]\\u2028x: 1 \[31m" # yours/,
  ],
])("%s: %s", async (_, system, json, message) => {
  const { yaml } = migrated(system, [{ file: "export.json", json }]);
  expect(yaml).toMatch(message);
  await loaded(yaml);
});

/** Values that nobody expects where they stand. */
const strange: fc.Arbitrary<unknown> = fc.oneof(
  fc.constantFrom<unknown>(
    null,
    true,
    false,
    -1,
    0,
    1.5,
    1e21,
    "",
    " ",
    "-",
    "__proto__",
    "constructor",
    "\u2028# x: y",
    "*",
    "0x10",
  ),
  fc.constantFrom<unknown>(
    "../..",
    "https://a.test/%2e%2e",
    "9".repeat(40),
    "é\ud800",
    "a\nb: c",
    [],
    {},
    [null],
    [[]],
    { a: [] },
  ),
  fc.string({ unit: "binary", maxLength: 40 }),
  fc.integer(),
  fc.jsonValue({ maxDepth: 2 }),
);

/** Puts another value in place of one that a path of numbers leads to, or takes it away, or gives it another name. */
function mutate(value: unknown, path: readonly number[], by: unknown, how: number): unknown {
  if (typeof value !== "object" || value === null || path.length === 0) return by;
  const entries = Object.entries(value);
  if (entries.length === 0) return by;
  const [step = 0, ...rest] = path;
  const at = step % entries.length;
  const changed = entries.flatMap(([key, member], index): [string, unknown][] => {
    if (index !== at) return [[key, member]];
    if (rest.length > 0 || how === 0) return [[key, mutate(member, rest, by, how)]];
    if (how === 1) return [];
    return how === 2
      ? [[`${key}x`, member]]
      : [
          [key, member],
          [`${key}2`, member],
        ];
  });
  return Array.isArray(value) ? changed.map(([, member]) => member) : Object.fromEntries(changed);
}

const changes = fc.array(fc.tuple(fc.array(fc.nat(30), { minLength: 1, maxLength: 9 }), strange, fc.nat(3)), {
  minLength: 1,
  maxLength: 6,
});

test("whatever an export holds, there is a configuration that starts, or an error that says what is wrong", async () => {
  await fc.assert(
    fc.asyncProperty(fc.constantFrom(...samples), changes, async ([system, files], all) => {
      const inputs = files.map(readSample).map((input) => {
        const json = all.reduce<unknown>((value, [path, by, how]) => mutate(value, path, by, how), input.json);
        return { ...input, json: Object(json) as Input["json"] };
      });
      let yaml: string;
      try {
        ({ yaml } = migrated(system, inputs));
      } catch (error) {
        expect(error).toBeInstanceOf(CommandError);
        return;
      }
      await loaded(yaml);
    }),
    { numRuns: 400 },
  );
});

test("a text that was cut off or spoilt is an object, or an error that says what is wrong", () => {
  const texts = samples.flatMap(([, files]) => files).map((file) => readFileSync(pathOf(file), "utf8"));
  const spoilt = fc
    .tuple(fc.constantFrom(...texts), fc.nat(3_000), fc.nat(20), fc.string({ unit: "binary", maxLength: 20 }))
    .map(([text, at, length, by]) => text.slice(0, at) + by + text.slice(at + length));
  const anything = fc.oneof(spoilt, fc.string({ unit: "binary" }), fc.json());
  fc.assert(
    fc.property(anything, (text) => {
      try {
        expect(parseInput(text, "export.json")).toBeTypeOf("object");
      } catch (error) {
        expect(error).toBeInstanceOf(CommandError);
      }
    }),
    { numRuns: 500 },
  );
});
