import type { Logger } from "../../lib/logger.ts";
import { repeat } from "../../lib/repeat.ts";
import type { Send, SendResult } from "../../lib/send.ts";
import type { CloudEvent, Line } from "../../operate/events/cloud-event.ts";
import type { EventHub } from "../../operate/events/event-hub.ts";
import { isAmong } from "../../operate/events/event-types.ts";
import { logFault } from "../../operate/events/log-fault.ts";
import type { Delivery, EventStore } from "../../store/contract/room-store.ts";
import type { Webhook } from "./content.ts";
import { createDeadLetters, type Letter } from "./dead-letters.ts";
import { DeliveryCounts } from "./delivery-counts.ts";
import { missedEvent } from "./missed.ts";
import { createSender, unreadableRetryMs } from "./sender.ts";
import type { Webhooks } from "./webhooks.ts";

const everyMs = 1_000;
const eventsPerTurn = 100;
/** Receivers are slow: this many streams of one webhook are sent concurrently. The bound is per webhook, so that none blocks another. */
const linesAtOnceMax = 8;
/** Deadline for recording an accepted delivery, well within a lease. If the process dies before, the event is sent again. */
const recordWithinMs = 250;
/** A stream without new events is checked again after this time, since a store that lost data may have lost its cursors. */
const doneForMs = 30_000;
const longestRetryMs = 300_000;
const retryAfterMaxMs = 3_600_000;
/** An event of this age that is refused once more is given up. */
const abandonAfterMs = 86_400_000;

const missedType = "usher.webhook.events_missed";

interface LineState {
  /** Up to where there is nothing to do, and until when that counts. */
  doneThrough: number;
  doneUntilMs: number;
  /** When it is looked at again. */
  notBeforeMs: number;
}

export type Deliveries = ReturnType<typeof createDeliveries>;

/** Sends events to webhooks. Every process does so; the store says whose turn it is. */
export function createDeliveries({
  store,
  hub,
  webhooks,
  send,
  holder,
  nowMs,
  logger,
}: {
  readonly store: EventStore;
  readonly hub: Pick<EventHub, "lines" | "lastOf" | "subscribe" | "asCloudEvent">;
  readonly webhooks: Webhooks;
  readonly send: Send;
  /** Names this process among all that there ever are. */
  readonly holder: string;
  /** By the clock of this machine, which receivers compare with theirs. */
  readonly nowMs: () => number;
  readonly logger: Logger;
}) {
  /** By webhook and line. */
  const lineStates = new Map<string, LineState>();
  const underWay = new Map<string, Promise<void>>();
  /** By webhook: how many of its lines are under way, and which is looked at next. */
  const places = new Map<string, { taken: number; next: number }>();
  const counts = new DeliveryCounts();
  const sender = createSender({ webhooks, send, nowMs, logger });
  const stopping = new AbortController();
  let stopLooking: (() => Promise<void>) | undefined;
  let unsubscribe = () => {};

  function look(): void {
    const { lines } = hub;
    const { all } = webhooks;
    const ids = new Set(all.map(([id]) => id));
    for (const id of places.keys()) if (!ids.has(id)) drop(id);
    for (const [id, webhook] of all) if (webhook.enabled) lookAt(id, webhook, lines);
  }

  /** Of a webhook that is no more, maybe since another process has removed it. */
  function drop(id: string): void {
    for (const key of lineStates.keys()) if (key.startsWith(`${id} `)) lineStates.delete(key);
    counts.forget(id);
    sender.forget(id);
    places.delete(id);
  }

  /** Lines take turns, so that none waits for those that always have more. */
  function lookAt(id: string, webhook: Webhook, lines: readonly Line[]): void {
    const place = places.get(id) ?? { taken: 0, next: 0 };
    places.set(id, place);
    const first = place.next;
    for (let index = 0; index < lines.length && place.taken < linesAtOnceMax; index++) {
      const at = (first + index) % lines.length;
      const line = lines[at];
      if (line !== undefined && isFor(webhook, line) && begin(id, webhook, line, place)) place.next = at + 1;
    }
  }

  /** Answers whether it takes a place. */
  function begin(id: string, webhook: Webhook, line: Line, place: { taken: number }): boolean {
    const key = `${id} ${line.name}`;
    const last = hub.lastOf(line.name);
    const state = lineStates.get(key) ?? { doneThrough: -1, doneUntilMs: 0, notBeforeMs: 0 };
    lineStates.set(key, state);
    const isDone = last !== null && last <= state.doneThrough && nowMs() < state.doneUntilMs;
    const isIdle = last === null || isDone || nowMs() < state.notBeforeMs;
    if (isIdle || underWay.has(key) || stopping.signal.aborted) return false;
    // Another process may be able to, so this one takes no lease.
    if (!sender.canOpen(id, webhook)) {
      state.notBeforeMs = nowMs() + unreadableRetryMs;
      return false;
    }
    place.taken++;
    const turn = deliver(id, webhook, line, state)
      .catch((error: unknown) => {
        state.notBeforeMs = nowMs() + everyMs;
        logFault(logger)(error);
      })
      .finally(() => {
        underWay.delete(key);
        place.taken--;
        lookSoon();
      });
    underWay.set(key, turn);
    return true;
  }

  /** It may be switched off, changed or removed while its events are sent. */
  function isAsItWas(id: string, webhook: Webhook): boolean {
    return webhooks.all.some(([otherId, now]) => otherId === id && now === webhook);
  }

  /** One turn: some events, in order. Where there are more the next turn follows at once. */
  async function deliver(id: string, webhook: Webhook, line: Line, state: LineState): Promise<void> {
    const last = hub.lastOf(line.name) ?? 0;
    const from = webhook.created_ms * 10 - 1;
    const taken = await store.take(line.name, { webhook: id, holder, from, limit: eventsPerTurn });
    if (taken.result !== "waiting") counts.front(id, line.name, null);
    if (taken.result === "done") beDoneThrough(last);
    // What others send may be theirs no more: their process is gone.
    if (taken.result === "busy") state.notBeforeMs = nowMs() + Math.min(taken.waitMs, 2_000);
    if (taken.result === "waiting") state.notBeforeMs = nowMs() + taken.waitMs;
    if (taken.result !== "taken") return;
    let { attempts } = taken;
    /** Up to here all was accepted, or is not for this webhook. */
    let through = 0;
    let recordedMs = performance.now();
    const recordProgress = async (): Promise<boolean> => {
      const isMine = through === 0 || (await store.settle(line.name, id, holder, { outcome: "delivered", through }));
      through = 0;
      recordedMs = performance.now();
      return isMine;
    };
    for (const [cloudEvent, event] of toSend(id, line, taken)) {
      counts.front(id, line.name, event.atMs);
      // Missed events are reported whatever types the webhook is subscribed to.
      const isMissed = cloudEvent.type === missedType;
      const upTo = isMissed ? event.seq - 1 : event.seq;
      if (!isMissed && !isAmong(cloudEvent.type, webhook.types)) {
        through = upTo;
        continue;
      }
      if (performance.now() - recordedMs >= recordWithinMs && !(await recordProgress())) return;
      if (!isAsItWas(id, webhook)) {
        await recordProgress();
        return;
      }
      const result = await sender.sendTo(id, webhook, cloudEvent, stopping.signal);
      if (result.isAccepted) {
        counts.count(id, isMissed ? "missed" : "delivered");
        through = upTo;
        attempts = 0;
        continue;
      }
      if (!(await recordProgress())) return;
      if (stopping.signal.aborted) {
        await store.settle(line.name, id, holder, { outcome: "released" });
        return;
      }
      counts.count(id, "failed");
      if (taken.nowMs - event.atMs < abandonAfterMs) {
        await refused(id, line, cloudEvent, attempts + 1, result, state);
        return;
      }
      if (!(await abandon(id, line, cloudEvent, upTo, attempts + 1, result))) return;
      attempts = 0;
    }
    if (!(await recordProgress())) return;
    counts.front(id, line.name, null);
    if (taken.events.length < eventsPerTurn) beDoneThrough(last);

    function beDoneThrough(seq: number): void {
      state.doneThrough = seq;
      state.doneUntilMs = nowMs() + doneForMs;
    }
  }

  /** Before the first event, what came between it and the one before, where the store has forgotten that. */
  function toSend(id: string, line: Line, { events, missedAfter }: Delivery & { result: "taken" }) {
    const all = events.map((event) => [hub.asCloudEvent(line, event), event] as const);
    const next = events[0];
    if (missedAfter === null || next === undefined) return all;
    const missed = missedEvent(id, line, missedAfter, next);
    logger.error(
      { event: "webhook.events_missed", webhook: id, event_id: missed.id, ...missed.data },
      "events were forgotten before they could be delivered; the receiver is told so",
    );
    return [[missed, next] as const, ...all];
  }

  async function refused(
    id: string,
    line: Line,
    cloudEvent: CloudEvent,
    attempts: number,
    { reason, retryAfterMs }: SendResult,
    state: { notBeforeMs: number },
  ): Promise<void> {
    const backOffMs = Math.min(longestRetryMs, 1_000 * 2 ** Math.min(attempts - 1, 20));
    const retryMs = Math.max(backOffMs, Math.min(retryAfterMs ?? 0, retryAfterMaxMs));
    await store.settle(line.name, id, holder, { outcome: "failed", retryMs });
    state.notBeforeMs = nowMs() + retryMs;
    logger.warn(
      { event: "webhook.failed", webhook: id, event_id: cloudEvent.id, attempts, reason, retry_ms: retryMs },
      "an event was not accepted; it is sent again, and those behind it in its room wait",
    );
  }

  /** Answers whether it is still this process's turn. */
  function abandon(
    id: string,
    line: Line,
    cloudEvent: CloudEvent,
    through: number,
    attempts: number,
    result: SendResult,
  ) {
    const reason = result.reason ?? "";
    const letter: Letter = { webhook: id, event: cloudEvent, reason, attempts, at_ms: nowMs() };
    counts.count(id, "given_up");
    logger.error(
      { event: "webhook.given_up", webhook: id, event_id: cloudEvent.id, reason },
      "an event is a dead letter now",
    );
    return store.settle(line.name, id, holder, { outcome: "given_up", through, letter: JSON.stringify(letter) });
  }

  let isLookDue = false;
  /** News of many rooms come together, once a minute those of all. */
  function lookSoon(): void {
    if (isLookDue || stopping.signal.aborted) return;
    isLookDue = true;
    setImmediate(() => {
      isLookDue = false;
      look();
    });
  }

  return {
    /** Sends a made-up event now, once. */
    async test(id: string, issuer: string, time: string): Promise<SendResult> {
      const common = { specversion: "1.0", datacontenttype: "application/json" } as const;
      const about = { source: issuer, type: "usher.webhook.test", subject: `webhooks/${id}`, time };
      return sender.sendTo(id, webhooks.find(id), {
        ...common,
        id: `test.${id}.${nowMs()}`,
        ...about,
        data: { webhook: id },
      });
    },
    deadLetters: createDeadLetters({ store, hub, webhooks, sender }),
    /** The webhook is no more. */
    async forget(id: string): Promise<void> {
      await Promise.all(hub.lines.map(({ name }) => store.forgetWebhook(name, id)));
      drop(id);
    },
    /** What this process has sent, of the webhooks that there are. */
    figures: () => counts.figures(webhooks.all, nowMs()),
    start() {
      unsubscribe = hub.subscribe(lookSoon);
      stopLooking = repeat(everyMs, async () => {
        await webhooks.recordFileWebhooks().catch(logFault(logger));
        await webhooks.reseal().catch(logFault(logger));
        look();
        return everyMs;
      });
    },
    /** What is under way is left to another process. */
    async stop() {
      unsubscribe();
      stopping.abort();
      await stopLooking?.();
      await Promise.all(underWay.values());
    },
  };
}

function isFor({ rooms }: Webhook, { room }: Line): boolean {
  if (rooms === null) return true;
  return room !== null && rooms.includes(room);
}
