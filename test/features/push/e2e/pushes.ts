/**
 * Goal: a visitor who has subscribed is notified once that the turn is near, and once that it has come, whatever push services do
 * and however many gateways there are. Method: two gateways on one Redis, and a push service that decrypts what it gets and checks who sends it.
 */
import { afterAll, expect } from "vitest";
import { redisStore } from "../../../e2e/redis-store.ts";
import { useWorld } from "../../../e2e/world.ts";
import { type PushService, startPushService } from "../support/push-service.ts";

/** Metrics are many lines. */
const patient = { timeout: 60_000, interval: 250 };

export interface Joined {
  readonly ticket: string;
  readonly position: number;
}

/** Starts two gateways and a push service before the tests of a `describe`. */
export function usePushes() {
  let service: PushService;
  const world = useWorld(async () => {
    service = await startPushService();
    const ids = ["calls", "bounds", "origins", "refusals", "hangs", "leaving"];
    const rooms = ids.map((id) => ({ id, settings: { push: true } }));
    return {
      store: redisStore,
      gateways: 2,
      rooms: [...rooms, { id: "quiet" }],
      config: { push: { services: [service.host], contact: "mailto:ops@example.com" } },
    };
  });
  afterAll(() => service.stop());

  const origin = (index = 0) => world().gateways[index]?.origin ?? "";
  const join = async (room: string): Promise<Joined> =>
    (await fetch(`${origin()}/rooms/${room}/tickets`, { method: "POST" })).json() as Promise<Joined>;
  const ask = (method: string, room: string, { ticket }: Joined, body?: unknown, index = 0) =>
    fetch(`${origin(index)}/rooms/${room}/tickets/me/push`, {
      method,
      headers: { authorization: `Bearer ${ticket}`, "content-type": "application/json" },
      ...(body !== undefined && { body: typeof body === "string" ? body : JSON.stringify(body) }),
    });
  const publicKey = async (room: string, index = 0) => {
    const answer = await fetch(`${origin(index)}/rooms/${room}/push`);
    return ((await answer.json()) as { public_key: string }).public_key;
  };
  const subscribe = async (room: string, name: string, language = "en") => {
    const joined = await join(room);
    const subscription = service.subscribe(name, await publicKey(room));
    expect((await ask("POST", room, joined, { ...subscription, language })).status).toBe(204);
    return joined;
  };
  /** Both gateways have heard from the store that so many subscriptions and notifications are kept. */
  const bothHear = (room: string, kept: number) =>
    expect.poll(() => metric("usher_push_subscriptions", room), patient).toEqual([kept, kept]);
  /** The line moves, and all that is to be said about it is said: nothing is left that either gateway could still send. */
  const moveOn = async (room: string, places: number, kept: number) => {
    await bothHear(room, kept);
    await world().admin.increment(room, places);
    await bothHear(room, 0);
  };
  const stages = (name: string) => service.deliveredTo(name).map(({ message }) => message.stage);
  const metric = async (name: string, room: string) => {
    const texts = await Promise.all([0, 1].map(async (index) => (await fetch(`${origin(index)}/metrics`)).text()));
    return texts.map((text) => {
      const line = text.split("\n").find((each) => each.startsWith(`${name}{`) && each.includes(`room="${room}"`));
      return Number(line?.split(" ").at(-1) ?? 0);
    });
  };

  return { world, service: () => service, origin, join, ask, publicKey, subscribe, bothHear, moveOn, stages, metric };
}
