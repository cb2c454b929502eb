/** Goal: operators at any gateway learn what visitors and sites would meet; checks of a room run once at a time, and their result is for all. */
import { afterAll, beforeAll, expect, test } from "vitest";
import { startWorld, type World } from "../../../e2e/world.ts";
import { type Admin, createAdmin } from "../../../support/admin.ts";
import { type RedisServer, startRedis } from "../../../support/redis-server.ts";
import { within } from "../../../support/within.ts";

interface Checks {
  readonly running: { readonly by: { readonly id: string }; readonly began_at: string } | null;
  readonly last: {
    readonly by: { readonly id: string };
    readonly began_at: string;
    readonly ended_at: string;
    readonly findings: readonly { readonly about: string; readonly status: string; readonly text: string }[];
  } | null;
}

let redis: RedisServer;
let world: World;
let admins: readonly Admin[];

beforeAll(async () => {
  redis = await startRedis();
  world = await startWorld({
    store: { name: "Redis", start: async () => ({ config: { type: "redis", url: redis.url }, stop: async () => {} }) },
    gateways: 2,
    rooms: [{ id: "sale" }, { id: "wrong", client: { token_endpoint_auth_method: "none", client_secret: undefined } }],
  });
  admins = world.gateways.map(({ operatorsOrigin }) => createAdmin(world.http, operatorsOrigin));
});
afterAll(async () => {
  await world?.stop();
  await redis?.stop();
});

const at = (index: number): Admin => {
  const found = admins[index];
  if (found === undefined) throw new Error(`there is no gateway ${index}`);
  return found;
};
const read = async (index: number, room: string) =>
  (await at(index).request("GET", `/rooms/${room}/checks`)).json() as Checks;

test("of two who begin at two gateways one does, the other is told who; both see what was found", async () => {
  expect(await read(0, "sale")).toEqual({ room: "sale", running: null, last: null });
  const answers = await Promise.all([0, 1].map((index) => at(index).request("POST", "/rooms/sale/checks", {})));
  expect(answers.map(({ status }) => status).toSorted()).toEqual([201, 409]);
  const refused = answers.find(({ status }) => status === 409);
  expect(refused?.body).toContain("are under way, begun by env:");
  await within(20_000, async () => expect((await read(0, "sale")).last).not.toBeNull());
  const [here, there] = [await read(0, "sale"), await read(1, "sale")];
  expect(there).toEqual(here);
  expect(here.running).toBeNull();
  const of = (about: string) => here.last?.findings.filter((each) => each.about === about) ?? [];
  expect(of("whole login")).toEqual([
    { about: "whole login", status: "ok", text: "A whole login of site-sale in sale goes well." },
  ]);
  expect(of("logout")[0]).toMatchObject({ status: "ok" });
  expect(of("client")[0]).toMatchObject({ status: "ok", text: "The secret of site-sale is right." });
  // The issuer of the tests has no TLS, and no listener for operators.
  expect(of("TLS")[0]).toMatchObject({ status: "warning" });
  expect(of("operators").some(({ status }) => status === "fault")).toBe(true);
  const { admissions } = (await at(0).request("GET", "/rooms/sale/admissions")).json() as {
    admissions: readonly { status: string; admitted_via: string }[];
  };
  expect(admissions.map(({ status, admitted_via }) => [status, admitted_via])).toEqual([["logout", "bypass"]]);
  // Who began is in the audit, with what was refused.
  const { rows } = (await at(0).request("GET", "/audit?room=sale&limit=20")).json() as {
    rows: { route?: string; status?: number }[];
  };
  const statuses = rows.filter(({ route }) => route === "/rooms/:room/checks").map(({ status }) => status);
  expect(statuses.toSorted()).toEqual([201, 409]);
});

test("a client that was made at run time is not said to have a wrong secret", async () => {
  const made = await at(0).request("POST", "/clients", {
    client_id: "made-here",
    room: "wrong",
    redirect_uris: ["https://made.example.test/cb"],
  });
  expect(made.status, made.body).toBe(201);
  await at(0).request("POST", "/rooms/wrong/checks", {});
  await within(20_000, async () => expect((await read(0, "wrong")).last).not.toBeNull());
  const findings = (await read(0, "wrong")).last?.findings ?? [];
  expect(findings.find(({ text }) => text.includes("made-here"))).toMatchObject({
    about: "client",
    status: "warning",
    text: expect.stringContaining("is not tested, as the site alone has it"),
  });
});

test("while the store is away nothing is begun, and the answer says why", async () => {
  await redis.stop();
  const begun = await at(0).request("POST", "/rooms/sale/checks", {});
  expect([begun.status, begun.body]).toEqual([503, expect.stringContaining("store_unavailable")]);
  expect((await at(1).request("GET", "/rooms/sale/checks")).status).toBe(503);
});
