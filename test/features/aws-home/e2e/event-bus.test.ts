import { afterAll, beforeAll, describe, expect, test, vi } from "vitest";
import { redisStore } from "../../../e2e/redis-store.ts";
import { startWorld, type World } from "../../../e2e/world.ts";
import { stubAwsEnvironment } from "../../../support/aws-environment.ts";
import { type EventBridgeDouble, startEventBridge } from "../support/event-bridge.ts";
import { createHomeClient, homeOf } from "../support/home-client.ts";

describe("two gateways with an event bus", () => {
  let bridge: EventBridgeDouble;
  let world: World;
  const home = createHomeClient(() => world.issuer);
  const told = () => bridge.entries.map(({ DetailType, Detail }) => [DetailType, JSON.parse(Detail)] as const);

  beforeAll(async () => {
    stubAwsEnvironment();
    bridge = await startEventBridge();
    world = await startWorld({
      store: redisStore,
      gateways: 2,
      rooms: [{ id: "tickets", settings: { admission_events: true } }],
      config: homeOf(
        { Sample: "tickets" },
        { event_bus: { region: "eu-west-1", name: "waiting-room", endpoint: bridge.url } },
      ),
    });
  });
  afterAll(async () => {
    await world?.stop();
    await bridge?.stop();
    vi.unstubAllEnvs();
  });

  test("put each event once, in their words, in order, and again what was refused", async () => {
    const ids = [await home.assign(), await home.assign(), await home.assign()] as const;
    await home.increment(3);
    const expected: unknown[] = [];
    for (const id of ids.slice(0, 2)) {
      expect((await home.token(id)).status).toBe(200);
      expected.push(["token_generated", { event_id: "Sample", request_id: id }]);
    }
    await expect.poll(told, { timeout: 30_000 }).toEqual(expected);
    bridge.refuse(1, "all");
    expect((await home.session(ids[0], 1)).status).toBe(200);
    expected.push(["session_updated", { event_id: "Sample", request_id: ids[0], status: "completed" }]);
    expect((await home.session(ids[1], -1)).status).toBe(200);
    expected.push(["session_updated", { event_id: "Sample", request_id: ids[1], status: "abandoned" }]);
    await expect.poll(told, { timeout: 40_000 }).toEqual(expected);
    expect(bridge.entries[0]).toMatchObject({ Source: "custom.waitingroom", EventBusName: "waiting-room" });
    expect(bridge.faults).toEqual([]);
    const output = world.gateways.map((gateway) => gateway.output()).join("");
    expect(output).toContain('"event":"aws_home.events_failed"');
    for (const id of ids) expect(output).not.toContain(id);
    // Events of other receivers name the visitor by another id.
    const { body } = await world.admin.request("GET", "/events?limit=100");
    expect(body).not.toContain(ids[0]);
  });
});
