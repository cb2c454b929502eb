import { expect, it } from "vitest";
import { ConfigError, formatFault, loadConfig, settingsOf } from "../../../../src/config/index.ts";
import { awsHomeSettings } from "../../../../src/features/aws-home/settings.ts";

const parts = [awsHomeSettings];
const issuer = "https://q.example";
const secret = "s".repeat(40);
const room = (id: string, more: object = {}) => ({ id, ...more });
const document = (aws: object, rooms: object[] = [room("tickets"), room("other")]) => ({
  issuer,
  rooms,
  homes: { aws },
});
const load = (raw: object) => loadConfig({ document: raw, env: {}, parts });
const faultsOf = (raw: object) =>
  load(raw).then(
    () => [],
    (error: unknown) => {
      if (!(error instanceof ConfigError)) throw error;
      return error.faults.map(formatFault);
    },
  );

it("is nothing without its key", async () => {
  for (const raw of [
    { issuer, rooms: [room("tickets")] },
    { issuer, rooms: [room("tickets")], homes: {} },
  ]) {
    const { config } = await load(raw);
    expect(config.issuers.map((each) => settingsOf(each, awsHomeSettings))).toEqual([null]);
  }
});

it("has its defaults, and the secrets of its keys", async () => {
  const keys = [{ access_key_id: "AKID1", secret_access_key: secret, rooms: ["tickets"] }];
  const { config } = await load(document({ events: { Sample: "tickets" }, keys }));
  const [only] = config.issuers;
  expect(only && settingsOf(only, awsHomeSettings)).toEqual({
    publicPath: "/aws/public",
    privatePath: "/aws/private/api",
    origins: null,
    events: new Map([["Sample", "tickets"]]),
    tokenIssuer: null,
    eventBus: null,
    keys: [{ accessKeyId: "AKID1", secrets: [secret], role: "operator", rooms: ["tickets"] }],
  });
});

const settingsOfHome = async (aws: object) => {
  const { config } = await load(document(aws));
  const [only] = config.issuers;
  return (only && settingsOf(only, awsHomeSettings)) as never;
};

it("says which rooms its clients come to", async () => {
  const about = { system: "AWS Virtual Waiting Room", guide: "docs/homes/aws.md" };
  expect(awsHomeSettings.homes?.(await settingsOfHome({ events: { Sample: "tickets", b: "other" } }))).toEqual([
    { ...about, room: "tickets", ids: ["Sample"] },
    { ...about, room: "other", ids: ["b"] },
  ]);
  expect(awsHomeSettings.homes?.(null as never)).toEqual([]);
  expect(awsHomeSettings.publicAnswers?.(null as never)).toEqual([]);
});

const key = '{"alg":"RS256","kty":"RSA","n":"abc","e":"AQAB"}';
it.each([
  [{}, "serving_num", '{"serving_counter":"12"}', "*", null],
  [{}, "waiting_num", '{"waiting_num":0}', "*", null],
  [{}, "public_key", key, "*", null],
  [{}, "serving_num", '{"serving_counter":12}', "*", /something else answers/],
  [{}, "waiting_num", '{"error":"Invalid event ID"}', "*", /something else answers/],
  [{}, "public_key", "<!doctype html>", "*", /something else answers/],
  [{}, "public_key", "null", "*", /something else answers/],
  [{}, "serving_num", '{"serving_counter":"12"}', null, /Access-Control-Allow-Origin is missing and not \*/],
  [{}, "serving_num", '{"serving_counter":"12"}', "*, *", /is \*, \* and not \*/],
  [{ origins: ["https://a.test", "https://b.test"] }, "waiting_num", '{"waiting_num":0}', "https://b.test", null],
  [
    { origins: ["https://a.test", "https://b.test"] },
    "waiting_num",
    '{"waiting_num":0}',
    "https://a.test",
    /pages of https:\/\/b\.test cannot read.* is https:\/\/a\.test and not https:\/\/b\.test/,
  ],
])("knows its own answers from outside: %j %s %s %s", async (more, name, text, allowed, expected) => {
  const value = await settingsOfHome({ events: { Sample: "tickets" }, public_path: "/waiting", ...more });
  const answers = awsHomeSettings.publicAnswers?.(value) ?? [];
  const target = `/waiting/${name}?event_id=Sample`;
  const found = answers.find((each) => each.target === target);
  expect(found).toMatchObject({ about: "aws home", rooms: ["tickets"], status: 200 });
  expect(found?.headers).toEqual("origins" in more ? { Origin: "https://b.test" } : undefined);
  const headers = new Headers(allowed === null ? {} : { "Access-Control-Allow-Origin": allowed });
  const fault = found?.findFault({ url: `${issuer}${target}`, headers, text });
  if (expected === null) expect(fault).toBeNull();
  else expect(fault).toMatch(expected);
});

it("is of each issuer where there are several", async () => {
  const section = (host: string, id: string) => ({
    issuer: host,
    rooms: [room(id)],
    homes: { aws: { events: { Sample: id } } },
  });
  const issuers = [section("https://a.example", "a"), section("https://b.example", "b")];
  const { config } = await load({ issuers });
  expect(config.issuers.map((each) => settingsOf(each, awsHomeSettings)?.events.get("Sample"))).toEqual(["a", "b"]);
  expect(await faultsOf({ issuers, homes: {} })).toEqual([
    expect.stringContaining("homes: a mapping: issuers is given too"),
  ]);
});

const events = { Sample: "tickets" };
it.each([
  [{}, /homes\.aws\.events: .*expected rooms by event id/],
  [{ events: {} }, /expected 1 to 100 event ids/],
  [{ events: { "a b": "tickets" } }, /expected an event id/],
  [{ events: { Sample: "nowhere" } }, /no such room of this issuer/],
  [{ events: { A: "tickets", B: "tickets" } }, /A has the same room/],
  [{ events, public_path: "aws" }, /expected a path/],
  [{ events, public_path: "/aws/" }, /expected a path/],
  [{ events, public_path: "/a/../b" }, /expected a path/],
  [{ events, public_path: "/rooms/x" }, /where Usher itself answers/],
  [{ events, private_path: "/admin" }, /where Usher itself answers/],
  [{ events, public_path: "/aws/private/api" }, /not within public_path/],
  [{ events, public_path: "/aws" }, /not within public_path/],
  [{ events, origins: ["https://shop.test/"] }, /expected an origin/],
  [{ events, origins: ["*"] }, /expected an origin/],
  [{ events, issuer: "no url" }, /expected an http or https URL/],
  [{ events, keys: [{ access_key_id: "AKID1", secret_access_key: "short" }] }, /expected 40 to 128 printable/],
  [{ events, keys: [{ access_key_id: "AKID1" }] }, /secret_access_key/],
  [{ events, keys: [{ access_key_id: "AKID1", secret_access_key: secret, rooms: ["nowhere"] }] }, /no such room/],
  [
    { events, keys: [1, 2].map(() => ({ access_key_id: "AKID1", secret_access_key: secret })) },
    /another access key has the same/,
  ],
  [{ events, event_bus: { region: "eu-west-1" } }, /needs admission_events: true/],
  [{ events, event_bus: { region: "EU west" } }, /expected a region/],
  [{ events, event_bus: {} }, /event_bus\.region/],
  [{ events, elsewhere: true }, /unknown key/],
])("refuses %j", async (aws, expected) => {
  const faults = await faultsOf(document(aws));
  expect(faults.join("\n")).toMatch(expected);
  expect(faults.join("\n")).not.toContain(secret);
});

it.each([
  ["a check", { check: { work: "light" } }],
  ["identity", { identity: { issuer: "https://people.example", client_id: "usher", client_secret: secret } }],
  ["entry: invited", { entry: "invited", invitations: { secret } }],
  ["device_binding: required", { device_binding: "required" }],
  ["admission.first_visit_within", { admission: { first_visit_within: "1m" } }],
])("refuses a room with %s", async (what, settings) => {
  const faults = await faultsOf(document({ events }, [room("tickets", settings)]));
  expect(faults.join("\n")).toContain(`the room tickets has ${what}`);
});

it("refuses an event whose tokens could pass as ID tokens of a client", async () => {
  const client = {
    client_id: "Sample",
    client_secret: secret,
    redirect_uris: ["https://shop.test/cb"],
    room: "tickets",
  };
  expect(await faultsOf({ ...document({ events }), clients: [client] })).toEqual([
    expect.stringContaining("is a client_id"),
  ]);
});

it("knows no other home than those that there are", async () => {
  const faults = await faultsOf({ issuer, rooms: [room("tickets")], homes: { azure: {} } });
  expect(faults).toEqual([expect.stringMatching(/^homes\.azure: .*unknown key/)]);
});
