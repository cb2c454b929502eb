import { StoreUnavailableError, UsherError } from "../../lib/errors.ts";
import type { Logger } from "../../lib/logger.ts";
import { repeat } from "../../lib/repeat.ts";
import type { EventStore } from "../../store/contract/room-store.ts";
import type { CloudEvent, Line } from "../cloud-event.ts";
import type { EventHub } from "../event-hub.ts";
import { isAmong } from "../types.ts";
import type { Webhook } from "./content.ts";
import { messageOf } from "./message.ts";
import type { Send, SendResult } from "./send.ts";
import type { Webhooks } from "./webhooks.ts";

export interface DeliveriesOptions {
  readonly store: EventStore;
  readonly hub: EventHub;
  readonly webhooks: Webhooks;
  readonly send: Send;
  /** Names this process among all that there ever are. */
  readonly holder: string;
  /** By the clock of this machine, which receivers compare with theirs. */
  readonly nowMs: () => number;
  readonly logger: Logger;
}

/** An event that was given up. */
export interface DeadLetterView {
  readonly id: string;
  readonly event: CloudEvent;
  readonly reason: string;
  readonly attempts: number;
  readonly atMs: number;
}

interface Letter {
  readonly webhook: string;
  readonly event: CloudEvent;
  readonly reason: string;
  readonly attempts: number;
  readonly at_ms: number;
}

const everyMs = 1_000;
const eventsPerTurn = 20;
/** Receivers are slow; so many are waited for at one time. */
const atOnceMax = 20;
const longestRetryMs = 300_000;
const retryAfterMaxMs = 3_600_000;
/** An event of this age that is refused once more is given up. */
export const givenUpAfterMs = 86_400_000;
const lettersPerLine = 1_000;

export type Deliveries = ReturnType<typeof createDeliveries>;

/** Sends events to webhooks. Every process does so; the store says whose turn it is. */
export function createDeliveries({ store, hub, webhooks, send, holder, nowMs, logger }: DeliveriesOptions) {
  /** By webhook and line: up to where there is nothing to do, and when it is looked at again. */
  const known = new Map<string, { doneThrough: number; notBeforeMs: number }>();
  const underWay = new Map<string, Promise<void>>();
  const stopping = new AbortController();
  let stopLooking: (() => Promise<void>) | undefined;
  let unsubscribe = () => {};

  function look(): void {
    const { lines } = hub;
    for (const [id, webhook] of webhooks.all) {
      if (!webhook.enabled) continue;
      for (const line of lines) if (isFor(webhook, line)) begin(id, webhook, line);
    }
  }

  function begin(id: string, webhook: Webhook, line: Line): void {
    const key = `${id} ${line.name}`;
    const last = hub.lastOf(line.name);
    const state = known.get(key) ?? { doneThrough: -1, notBeforeMs: 0 };
    known.set(key, state);
    const isIdle = last === null || last <= state.doneThrough || nowMs() < state.notBeforeMs;
    if (isIdle || underWay.has(key) || underWay.size >= atOnceMax || stopping.signal.aborted) return;
    const turn = deliver(id, webhook, line, state)
      .catch((error: unknown) => {
        state.notBeforeMs = nowMs() + everyMs;
        if (!(error instanceof StoreUnavailableError)) logger.error({ event: "events.failed", err: error });
      })
      .finally(() => underWay.delete(key));
    underWay.set(key, turn);
  }

  async function deliver(
    id: string,
    webhook: Webhook,
    line: Line,
    state: { doneThrough: number; notBeforeMs: number },
  ): Promise<void> {
    const last = hub.lastOf(line.name) ?? 0;
    const from = webhook.created_ms * 10 - 1;
    const taken = await store.take(line.name, { webhook: id, holder, from, limit: eventsPerTurn });
    if (taken.result === "done") state.doneThrough = last;
    // What others send may be theirs no more: their process is gone.
    if (taken.result === "busy") state.notBeforeMs = nowMs() + Math.min(taken.waitMs, 2_000);
    if (taken.result === "waiting") state.notBeforeMs = nowMs() + taken.waitMs;
    if (taken.result !== "taken") return;
    let { attempts } = taken;
    let skipped = 0;
    for (const event of taken.events) {
      const told = hub.asCloudEvent(line, event);
      if (!isAmong(told.type, webhook.types)) {
        skipped = event.seq;
        continue;
      }
      const result = await sendTo(id, webhook, told, stopping.signal);
      if (stopping.signal.aborted && !result.isAccepted) {
        if (skipped > 0) await store.settle(line.name, id, holder, { outcome: "delivered", through: skipped });
        await store.settle(line.name, id, holder, { outcome: "released" });
        return;
      }
      if (!result.isAccepted && taken.nowMs - event.atMs < givenUpAfterMs) {
        if (skipped > 0) await store.settle(line.name, id, holder, { outcome: "delivered", through: skipped });
        await refused(id, line, told, attempts + 1, result, state);
        return;
      }
      if (!(await settled(id, line, told, event.seq, attempts + 1, result))) return;
      attempts = 0;
      skipped = 0;
    }
    if (skipped > 0) await store.settle(line.name, id, holder, { outcome: "delivered", through: skipped });
  }

  async function refused(
    id: string,
    line: Line,
    told: CloudEvent,
    attempts: number,
    { reason, retryAfterMs }: SendResult,
    state: { notBeforeMs: number },
  ): Promise<void> {
    const backOffMs = Math.min(longestRetryMs, 1_000 * 2 ** Math.min(attempts - 1, 20));
    const retryMs = Math.max(backOffMs, Math.min(retryAfterMs ?? 0, retryAfterMaxMs));
    await store.settle(line.name, id, holder, { outcome: "failed", retryMs });
    state.notBeforeMs = nowMs() + retryMs;
    logger.warn(
      { event: "webhook.failed", webhook: id, event_id: told.id, attempts, reason, retry_ms: retryMs },
      "an event was not accepted; it is sent again, and those behind it in its room wait",
    );
  }

  /** Answers whether it is still this process's turn. */
  function settled(id: string, line: Line, told: CloudEvent, through: number, attempts: number, result: SendResult) {
    if (result.isAccepted) return store.settle(line.name, id, holder, { outcome: "delivered", through });
    const reason = result.reason ?? "";
    const letter: Letter = { webhook: id, event: told, reason, attempts, at_ms: nowMs() };
    logger.error(
      { event: "webhook.given_up", webhook: id, event_id: told.id, reason },
      "an event is a dead letter now",
    );
    return store.settle(line.name, id, holder, { outcome: "given_up", through, letter: JSON.stringify(letter) });
  }

  async function sendTo(id: string, webhook: Webhook, event: CloudEvent, signal?: AbortSignal): Promise<SendResult> {
    const secrets = webhooks.secretsOf(id, webhook);
    if (secrets.length > 0) return send(messageOf(webhook, secrets, event, nowMs()), signal);
    const reason = "this process cannot open the secret: does it have the ticket keys of the others?";
    return { isAccepted: false, status: null, answer: "", reason, retryAfterMs: null, durationMs: 0 };
  }

  async function lettersOf(webhook: string): Promise<(DeadLetterView & { line: string; seq: number })[]> {
    const pages = await Promise.all(
      hub.lines.map(async ({ name }) => {
        const letters = await store.deadLetters(name, 0, lettersPerLine);
        return letters.flatMap(({ seq, text }) => {
          const { event, reason, attempts, at_ms: atMs, webhook: of } = JSON.parse(text) as Letter;
          return of === webhook ? [{ id: `${name}.${seq}`, line: name, seq, event, reason, attempts, atMs }] : [];
        });
      }),
    );
    return pages.flat().sort((a, b) => a.atMs - b.atMs || a.seq - b.seq);
  }

  return {
    /** Sends a made-up event now, once. */
    async test(id: string, issuer: string, time: string): Promise<SendResult> {
      const common = { specversion: "1.0", datacontenttype: "application/json" } as const;
      const about = { source: issuer, type: "usher.webhook.test", subject: `webhooks/${id}`, time };
      return sendTo(id, webhooks.find(id), { ...common, id: `test.${id}.${nowMs()}`, ...about, data: { webhook: id } });
    },
    /** Oldest first. */
    async deadLetters(id: string): Promise<readonly DeadLetterView[]> {
      webhooks.find(id);
      return lettersOf(id);
    },
    /** Sends a dead letter again, once; one that is accepted is gone. @throws UsherError `not_found` */
    async replay(id: string, letterId: string): Promise<SendResult> {
      const webhook = webhooks.find(id);
      const letter = (await lettersOf(id)).find((each) => each.id === letterId);
      if (letter === undefined) throw new UsherError("not_found", "there is no such dead letter of this webhook");
      const result = await sendTo(id, webhook, letter.event);
      if (result.isAccepted) await store.removeDeadLetter(letter.line, letter.seq);
      return result;
    },
    /** The webhook is no more. */
    async forget(id: string): Promise<void> {
      await Promise.all(hub.lines.map(({ name }) => store.forgetWebhook(name, id)));
      for (const key of known.keys()) if (key.startsWith(`${id} `)) known.delete(key);
    },
    start() {
      let isLookDue = false;
      // News of many rooms come together, once a minute those of all.
      unsubscribe = hub.subscribe(() => {
        if (isLookDue) return;
        isLookDue = true;
        setImmediate(() => {
          isLookDue = false;
          look();
        });
      });
      stopLooking = repeat(everyMs, async () => {
        await webhooks.reseal().catch(() => undefined);
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
