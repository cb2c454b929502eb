/**
 * Goal: keys rotate while visitors wait and log in, and nobody notices. Method: two gateways on one Redis; every step is taken at one
 * of them and looked for at both. Overlaps, which take a day, are skipped by force here and kept in the unit tests.
 */
import { statSync } from "node:fs";
import { readFile } from "node:fs/promises";
import { setTimeout as delay } from "node:timers/promises";
import { createLocalJWKSet, createRemoteJWKSet, type JSONWebKeySet, jwtVerify } from "jose";
import { beforeAll, describe, expect, test } from "vitest";
import { ownDatabase } from "../redis-store.ts";
import { useWorld } from "../world.ts";
import { createKeyOperator } from "./key-operator.ts";
import { loginAt } from "./logins.ts";

const { store, database } = ownDatabase();
const everybodyEnters = { inlet: { type: "max_active", max_active: 1_000 } };

describe("two gateways", () => {
  const world = useWorld(() => ({
    store,
    gateways: 2,
    rooms: [
      { id: "rs", ...everybodyEnters },
      { id: "es", ...everybodyEnters, client: { id_token_signed_response_alg: "ES256" } },
      { id: "app", ...everybodyEnters },
      { id: "session", ...everybodyEnters },
      { id: "line" },
    ],
  }));
  let operator: ReturnType<typeof createKeyOperator>;
  beforeAll(() => {
    operator = createKeyOperator(
      world().http,
      world().gateways.map(({ origin }) => origin),
    );
  });
  const origin = (index: number) => world().gateways[index]?.origin ?? "";
  const both = [0, 1] as const;

  const jwks = async (index: number) =>
    (await world().http.get(`${origin(index)}/.well-known/jwks.json`)).json() as JSONWebKeySet;
  const publishedAt = async (index: number) => (await jwks(index)).keys.map(({ kid }) => kid);
  const verifiesAt = async (index: number, token: string, algorithms: string[]) =>
    jwtVerify(token, createLocalJWKSet(await jwks(index)), { algorithms });

  /** A whole rotation at alternating gateways, up to the point where the older key is verified with. */
  async function rotate(purpose: string, alg?: string): Promise<{ old: string; kid: string }> {
    const old = await operator.active(0, purpose, alg ?? null);
    const kid = await operator.generate(0, purpose, alg);
    await operator.step(1, purpose, kid, "stage");
    await operator.step(0, purpose, kid, "promote");
    await operator.isEverywhere(purpose, old, "retiring");
    return { old, kid };
  }

  test("sign for each client by its algorithm, and say so in the discovery document", async () => {
    for (const index of both) {
      const { body } = await world().http.get(`${origin(index)}/.well-known/openid-configuration`);
      const { id_token_signing_alg_values_supported: algs } = JSON.parse(body);
      expect(algs.sort()).toEqual(["ES256", "RS256"]);
      for (const [room, alg] of [
        ["rs", "RS256"],
        ["es", "ES256"],
      ] as const) {
        const login = await loginAt(world(), index, room, world().visitor(), alg);
        expect(login).toMatchObject({ alg, kid: await operator.active(1 - index, "signing", alg) });
      }
    }
  });

  test("rotate a signing key while visitors log in", async () => {
    const [room, alg] = ["es", "ES256"];
    let isOver = false;
    let logins = 0;
    const crowd = both.map(async (index) => {
      for (; !isOver; logins++) {
        await loginAt(world(), index, room, world().visitor(), alg);
        await delay(500);
      }
    });
    const before = await loginAt(world(), 0, room, world().visitor(), alg);
    const old = before.kid ?? "";
    const kid = await operator.generate(0, "signing", alg);
    for (const index of both) expect(await publishedAt(index)).not.toContain(kid);
    await operator.step(1, "signing", kid, "stage");
    for (const index of both) expect(await publishedAt(index)).toEqual(expect.arrayContaining([old, kid]));
    const tooEarly = await operator.ask(0, "POST", `/${kid}/promote`, {});
    expect([tooEarly.status, tooEarly.body]).toEqual([
      409,
      expect.stringMatching(/may be promoted from \d{4}-.* force/),
    ]);
    expect((await loginAt(world(), 1, room, world().visitor(), alg)).kid).toBe(old);
    await operator.step(0, "signing", kid, "promote");
    for (const index of both) {
      const after = await loginAt(world(), index, room, world().visitor(), alg);
      expect(after.kid).toBe(kid);
      for (const at of both) for (const token of [before, after]) await verifiesAt(at, token.idToken, [alg]);
    }
    expect((await operator.ask(1, "POST", `/${kid}/retire`, { force: true })).status).toBe(409);
    await operator.step(1, "signing", old, "retire");
    for (const index of both) expect(await publishedAt(index)).not.toContain(old);
    isOver = true;
    await Promise.all(crowd);
    expect(logins).toBeGreaterThan(0);
    await expect(verifiesAt(0, before.idToken, [alg])).rejects.toThrow();
    await world().gateways[1]?.waitForOutput(
      new RegExp(`"event":"key.retired".*"kid":"${old}".*"admin":"env".*"forced":true`),
    );
  });

  test("keep admission tokens good that an older key signed", async () => {
    const { http } = world();
    const token = async (index: number) => {
      const { ticket } = (await http.request(`${origin(index)}/rooms/app/tickets`, { method: "POST" })).json() as {
        ticket: string;
      };
      const headers = { authorization: `Bearer ${ticket}` };
      const exchange = () => http.request(`${origin(index)}/rooms/app/tickets/me/token`, { method: "POST", headers });
      await expect.poll(async () => (await exchange()).status).toBe(200);
      return ((await exchange()).json() as { token: string }).token;
    };
    const before = await token(0);
    await rotate("signing", "RS256");
    const after = await token(1);
    for (const index of both) {
      const keys = createRemoteJWKSet(new URL(`${origin(index)}/.well-known/jwks.json`));
      const { issuer } = world();
      const expected = { issuer, audience: `${issuer}/rooms/app`, typ: "admission+jwt" };
      for (const each of [before, after])
        await expect(jwtVerify(each, keys, expected)).resolves.toMatchObject({ payload: { room: "app" } });
    }
  });

  test("keep the place of a visitor who waits all the while", async () => {
    const visitor = world().visitor();
    const request = String(world().relyingParty("line").startLogin().url);
    const at = (index: number) => visitor.navigate(request.replace(world().issuer, origin(index)));
    const { position } = await at(0);
    const { old } = await rotate("tickets");
    for (const index of both) expect((await at(index)).position).toBe(position);
    const newcomer = world().visitor();
    const parked = await newcomer.navigate(request);
    expect(parked.position).toBe((position ?? 0) + 1);

    // That key leaked: what it has signed is worth nothing, and only that.
    await operator.step(1, "tickets", old, "retire");
    for (const index of both) {
      const page = await newcomer.navigate(request.replace(world().issuer, origin(index)));
      expect(page.position).toBe(parked.position);
      expect((await at(index)).notice).toBe("ticket_unreadable");
    }
  });

  test("keep the session of a visitor who has logged in", async () => {
    const visitor = world().visitor();
    const { sub } = await loginAt(world(), 0, "session", visitor);
    const { old } = await rotate("cookies");
    const quietly = (index: number) => loginAt(world(), index, "session", visitor, "RS256", { prompt: "none" });
    for (const index of both) expect((await quietly(index)).sub).toBe(sub);
    await operator.step(0, "cookies", old, "retire");
    for (const index of both) expect((await quietly(index)).sub).toBe(sub);
  });

  test("have the same keys after a restart of everything on an emptied store, and keep none of them readable", async () => {
    const purposes = ["signing", "tickets", "cookies", "draw"];
    const states = async (index: number) =>
      (await Promise.all(purposes.map((purpose) => operator.list(index, purpose))))
        .flat()
        .map(({ kid, state, held }) => [kid, state, held]);
    const made = await Promise.all([rotate("signing", "ES256"), rotate("tickets"), rotate("draw")]);
    const before = await states(0);
    for (const { kid } of made) expect(before).toContainEqual([kid, "active", true]);
    await Promise.all(world().gateways.map((gateway) => gateway.halt()));
    await database().reset();
    await Promise.all(world().gateways.map((gateway) => gateway.start()));
    await Promise.all(world().gateways.map((gateway) => gateway.waitUntilReady()));
    for (const index of both) expect(await states(index)).toEqual(before);
    const loggedInWith = () => loginAt(world(), 1, "es", world().visitor(), "ES256").then(({ kid }) => kid, String);
    await expect.poll(loggedInWith).toBe(await operator.active(0, "signing", "ES256"));

    const { secretsFile = "" } = world().gateways[0] ?? {};
    const registryFile = secretsFile.replace(/\.json$/, ".registry.json");
    expect(statSync(registryFile).mode & 0o777).toBe(0o600);
    const kept = await readFile(registryFile, "utf8");
    // Members of that name; a change that is noted may be of the kind "key".
    expect(kept).not.toMatch(/PRIVATE KEY|"(?:d|key)\\?"\s*:/);
  });
});
