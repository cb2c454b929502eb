/**
 * Goal: a gateway with the embedded store that is started again raises no alarm, and admits no more than the limit across the stop. Method:
 * a real gateway whose limit is used up is ended in good order, and killed.
 */
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { createAdmin } from "../support/admin.ts";
import { type ProcessGateway, startGateway } from "../support/gateway.ts";
import { createHttpClient, type HttpClient } from "../support/http-client.ts";
import { clientOf, type Person, visit } from "./people.ts";

/** @param how it is ended */
export function describeEmbeddedRestart(ways: readonly ("stopped" | "killed")[]): void {
  const room = "shop";
  const limit = 3;
  let http: HttpClient;
  let gateway: ProcessGateway;
  beforeAll(async () => {
    http = createHttpClient();
    const inlet = { type: "manual", outflow_per_minute: limit };
    gateway = await startGateway({
      asProcess: true,
      config: { rooms: [{ id: room, inlet }], clients: [clientOf(room)] },
    });
  });
  afterAll(async () => {
    http?.close();
    await gateway?.stop();
  });

  const come = async (person: Person = { room, cookies: new Map(), position: 0, entry: null }) => {
    const answer = await visit(http, gateway.issuer, person);
    return { person, answer };
  };
  const status = async () =>
    (await http.get(`${gateway.issuer}/rooms/${room}/status`)).json() as Record<string, unknown>;

  /** As many as the limit lets in within a minute come while everybody may pass; the next one waits for the limit. */
  async function useLimitUp() {
    const admin = createAdmin(http, gateway.operatorsOrigin);
    await admin.step(room, "passthrough");
    for (let count = 0; count < limit; count++) expect((await come()).answer.kind).toBe("code");
    await admin.step(room, "open");
    await admin.increment(room, 100);
    const { person, answer } = await come();
    expect(answer).toMatchObject({ kind: "parked", state: "held" });
    return person;
  }

  describe("the embedded store", () => {
    let waiting: Person;
    test("lets in as many as its limit says", async () => {
      waiting = await useLimitUp();
    });

    test.each(ways)("goes on where it was %s, holds nobody, and counts who was admitted before", async (how) => {
      await (how === "killed" ? gateway.kill() : gateway.halt());
      await gateway.start();
      await gateway.waitUntilReady();
      expect(await status()).toMatchObject({ availability: "ready", held_until: null, phase: "open" });
      expect((await come(waiting)).answer).toMatchObject({ kind: "parked", state: "held", position: waiting.position });
      const { position } = (await come()).person;
      if (how === "killed") {
        expect(position).toBeGreaterThan(waiting.position + 1);
      } else {
        expect(position).toBe(waiting.position + 1);
        expect((await status()).gaps).toEqual([]);
        expect(gateway.output()).not.toMatch(/room\.recover/);
      }
    });
  });
}
