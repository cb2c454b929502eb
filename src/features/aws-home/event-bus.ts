import type { EventBridgeClient } from "@aws-sdk/client-eventbridge";
import type { Random } from "../../lib/clock-and-random.ts";
import { withDeadline } from "../../lib/deadline.ts";
import type { Logger } from "../../lib/logger.ts";
import { createRounds, type Rounds } from "../../lib/rounds.ts";
import type { EventHub } from "../../operate/events/event-hub.ts";
import { isInterruption, type WaitingRoom } from "../../room/index.ts";
import type { EventFigures, EventStore, RoomEvent } from "../../store/contract/room-events.ts";
import { type BusEvent, busEventsOf } from "./event-details.ts";
import type { EventBusSettings } from "./settings.ts";

/** A room whose events are put on a bus. */
export interface RoomOnBus {
  readonly room: WaitingRoom;
  /** Of the interface. */
  readonly eventId: string;
  readonly bus: EventBusSettings;
}

interface Entry extends BusEvent {
  readonly atMs: number;
}

/** Puts at most `entriesMax` events on a bus. @throws where they are not all accepted */
export type PutEvents = (bus: EventBusSettings, entries: readonly Entry[]) => Promise<void>;

/** By this the store knows how far events were put. */
const receiver = "home.aws.event-bus";
const source = "custom.waitingroom";
/** The service's bound, and ours: a turn is over within the 15 seconds for which the store leaves events to one process. */
const entriesMax = 10;
const eventsPerTurn = 50;
const putWithinMs = 5_000;
const lookEveryMs = 1_000;
const busyMaxMs = 2_000;
const retryMs = 5_000;
/** An event of this age that is refused once more is given up. */
const abandonAfterMs = 86_400_000;
/** Of each room: a minute apart. */
const figuresMax = 10;

/**
 * Puts the events of rooms on an event bus (Amazon EventBridge), as the stack of the interface does: in order, at least once, by one process at a
 * time, from where the last one ended.
 */
export function createEventBus({
  rooms,
  store,
  hub,
  put,
  holder,
  startedMs,
  random,
  logger,
}: {
  readonly rooms: () => readonly RoomOnBus[];
  readonly store: EventStore;
  readonly hub: Pick<EventHub, "subscribe">;
  readonly put: PutEvents;
  /** Names this process among all that there ever are. */
  readonly holder: string;
  /** Events of before are nobody's. */
  readonly startedMs: number;
  readonly random: Random;
  readonly logger: Logger;
}): Rounds {
  /** By line: those that this process has learnt of. */
  const figures = new Map<string, { readonly seq: number; readonly figures: EventFigures }[]>();
  let unsubscribe = () => {};
  const rounds = createRounds<string>({
    rooms: () => rooms().map(({ room }) => room.id),
    random,
    look,
    onFailure(room, error) {
      if (!isInterruption(error)) logger.warn({ event: "aws_home.events_failed", room, err: error });
    },
  });

  return {
    start() {
      unsubscribe = hub.subscribe(({ line, events }) => learn(line.name, events));
      rounds.start();
    },
    async stop() {
      unsubscribe();
      await rounds.stop();
    },
  };

  function learn(line: string, events: readonly RoomEvent[]): void {
    const known = figures.get(line) ?? [];
    for (const event of events) if (event.kind === "figures") known.push({ seq: event.seq, figures: event.figures });
    figures.set(line, known.slice(-figuresMax));
  }

  async function look(roomId: string, stopping: AbortSignal): Promise<number> {
    const found = rooms().find(({ room }) => room.id === roomId);
    if (found === undefined || found.room.state === null || stopping.aborted) return lookEveryMs;
    const line = found.room.name;
    const from = startedMs * 10 - 1;
    const taken = await store.take(line, { webhook: receiver, holder, from, limit: eventsPerTurn });
    // Of another process nobody knows whether it is still there.
    if (taken.result === "busy") return Math.min(taken.waitMs, busyMaxMs);
    if (taken.result !== "taken") return lookEveryMs;
    if (taken.missedAfter !== null)
      logger.warn(
        { event: "aws_home.events_failed", room: roomId, reason: "forgotten", given_up: true },
        "events were forgotten before they could be put on the bus",
      );
    const isWhole = await putAll(found, taken.events, taken.nowMs);
    return isWhole && taken.events.length === eventsPerTurn ? 0 : lookEveryMs;
  }

  /** Answers whether all were put. */
  async function putAll(
    { room, eventId, bus }: RoomOnBus,
    events: readonly RoomEvent[],
    nowMs: number,
  ): Promise<boolean> {
    let entries: Entry[] = [];
    for (const [index, event] of events.entries()) {
      const before = figures.get(room.name)?.findLast(({ seq }) => seq < event.seq)?.figures;
      const ofBus = await busEventsOf(room, eventId, event, before);
      entries.push(...ofBus.map((each) => ({ ...each, atMs: event.atMs })));
      // An event is at most two entries.
      if (entries.length < entriesMax - 1 && index < events.length - 1) continue;
      if (!(await putSome(room, bus, entries, event, nowMs))) return false;
      entries = [];
    }
    return true;
  }

  /** @param last up to which all is put with these */
  async function putSome(
    room: WaitingRoom,
    bus: EventBusSettings,
    entries: readonly Entry[],
    last: RoomEvent,
    nowMs: number,
  ): Promise<boolean> {
    try {
      if (entries.length > 0) await put(bus, entries);
    } catch (error) {
      const reason = error instanceof Error ? error.message : String(error);
      const isOver = nowMs - last.atMs >= abandonAfterMs;
      logger.warn(
        { event: "aws_home.events_failed", room: room.id, reason, count: entries.length, given_up: isOver },
        isOver ? "events were refused for a day, and are given up" : "events were not accepted; they are put again",
      );
      if (!isOver) {
        await store.settle(room.name, receiver, holder, { outcome: "failed", retryMs });
        return false;
      }
    }
    return store.settle(room.name, receiver, holder, { outcome: "delivered", through: last.seq });
  }
}

/** By the SDK, with the credentials that it finds. It is loaded with the first event. */
export function createPutEvents(): PutEvents {
  const clients = new Map<string, Promise<EventBridgeClient>>();

  function clientFor({ region, endpoint }: EventBusSettings): Promise<EventBridgeClient> {
    const name = `${region} ${endpoint}`;
    const client =
      clients.get(name) ??
      import("@aws-sdk/client-eventbridge").then(
        (sdk) =>
          new sdk.EventBridgeClient({
            region,
            ...(endpoint !== null && { endpoint }),
            maxAttempts: 2,
            requestHandler: { connectionTimeout: 2_000, requestTimeout: putWithinMs, throwOnRequestTimeout: true },
          }),
      );
    clients.set(name, client);
    return client;
  }

  return async (bus, entries) => {
    const { PutEventsCommand } = await import("@aws-sdk/client-eventbridge");
    const client = await clientFor(bus);
    const command = new PutEventsCommand({
      Entries: entries.map(({ type, detail, atMs }) => ({
        Source: source,
        DetailType: type,
        Detail: JSON.stringify(detail),
        EventBusName: bus.name,
        Time: new Date(atMs),
      })),
    });
    const never = new AbortController().signal;
    const answer = await withDeadline(putWithinMs, never, (abortSignal) => client.send(command, { abortSignal }));
    const refused = answer.Entries?.find(({ ErrorCode }) => ErrorCode !== undefined);
    if (refused !== undefined || (answer.FailedEntryCount ?? 0) > 0) {
      throw new Error(`the bus refused an event: ${refused?.ErrorCode ?? "it does not say why"}`);
    }
  };
}
