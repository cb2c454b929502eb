/**
 * Goal: rules 1, 3 and 8 with two gateways on one Redis, when everything happens at once.
 * Method: real processes, real HTTP, as many requests in flight as there are connections.
 */
import { afterAll, beforeAll, expect, test } from "vitest";
import { type Admin, createAdmin } from "../support/admin.ts";
import { type Gateway, startGateways } from "../support/gateway.ts";
import { createHttpClient } from "../support/http-client.ts";
import { type RedisServer, startRedis } from "../support/redis-server.ts";
import { admissionTimes } from "./admissions.ts";
import { haveHeard } from "./heard.ts";
import { clientOf, joinAll, newPerson, type Person, redirectUri, visit } from "./people.ts";

export interface AtOnce {
  readonly joins: number;
  readonly tickets: number;
  /** Whether the gateways are processes of their own. */
  readonly asProcess: boolean;
}

export function describeAtOnce({ joins, tickets, asProcess }: AtOnce): void {
  const http = createHttpClient({ connectionsMax: 250 });
  let redis: RedisServer;
  let gateways: Gateway[];
  let origins: string[];
  let admin: Admin;

  beforeAll(async () => {
    redis = await startRedis();
    gateways = await startGateways(2, {
      asProcess,
      config: {
        store: { type: "redis", url: redis.url },
        rooms: [
          { id: "joins", inlet: { type: "manual" } },
          { id: "claims", inlet: { type: "manual" }, admission: { logins_per_admission: 20 } },
          { id: "codes", inlet: { type: "manual" } },
        ],
        clients: ["joins", "claims", "codes"].map(clientOf),
      },
      env: { USHER_LOG_LEVEL: "warn" },
    });
    origins = gateways.map(({ origin }) => origin);
    admin = createAdmin(http, origins[0] ?? "");
  });

  afterAll(async () => {
    http.close();
    await Promise.all(gateways.map((gateway) => gateway.stop()));
    await redis.stop();
  });

  const originOf = (index: number) => origins[index % origins.length] ?? "";

  test(`${joins} joins at once yield the positions 1 to ${joins}, each once`, async () => {
    const people = Array.from({ length: joins }, () => newPerson("joins"));
    await Promise.all(people.map((person, index) => visit(http, originOf(index), person)));
    const positions = people.map(({ position }) => position).sort((a, b) => a - b);
    expect(positions).toEqual(Array.from({ length: joins }, (_, index) => index + 1));
  });

  test(`${5 * tickets} claims at once of ${tickets} tickets yield ${tickets} admissions`, async () => {
    const people = await joinAll(http, origins, "claims", tickets);
    await admin.increment("claims", tickets);
    await haveHeard(http, origins, "claims", { serving: tickets });
    // Five browsers with the same ticket each, as after copying the cookie.
    const claims = people.flatMap((person) =>
      Array.from({ length: 5 }, (): Person => ({ ...person, cookies: new Map(person.cookies) })),
    );
    const answers = await Promise.all(claims.map((claim, index) => visit(http, originOf(index), claim)));
    expect(answers.filter(({ kind }) => kind === "code")).toHaveLength(5 * tickets);
    expect(await admissionTimes(admin, "claims")).toHaveLength(tickets);
  });

  test("one code redeemed twenty times at once yields one answer with tokens", async () => {
    const person = newPerson("codes");
    await visit(http, originOf(0), person);
    await admin.increment("codes", 1);
    const answer = await visit(http, originOf(0), person);
    if (answer.kind !== "code") throw new Error(JSON.stringify(answer));
    const { client_id, client_secret } = clientOf("codes");
    const authorization = `Basic ${Buffer.from(`${client_id}:${client_secret}`).toString("base64")}`;
    const body = new URLSearchParams({
      grant_type: "authorization_code",
      code: answer.code,
      redirect_uri: redirectUri,
    });
    const redemptions = await Promise.all(
      Array.from({ length: 20 }, (_, index) =>
        http.request(`${originOf(index)}/token`, { method: "POST", headers: { authorization }, body }),
      ),
    );
    expect(redemptions.filter(({ status }) => status === 200)).toHaveLength(1);
    for (const refused of redemptions.filter(({ status }) => status !== 200)) {
      expect(refused.status).toBe(400);
      expect(refused.json()).toMatchObject({ error: "invalid_grant" });
    }
  });
}
