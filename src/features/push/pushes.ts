import type { Clock, Random } from "../../lib/clock-and-random.ts";
import { createOutages } from "../../lib/outage.ts";
import { createRounds, type Rounds } from "../../lib/rounds.ts";
import type { Send } from "../../lib/send.ts";
import {
  isInterruption,
  type PushSettlement,
  type TakenPush,
  type WaitingRoom,
  type WaitingRooms,
} from "../../room/index.ts";
import { encrypt, plainBytesMax } from "./encryption.ts";
import { isEndpoint } from "./services.ts";
import { keysOf, readSubscription, type Subscription } from "./subscription.ts";
import type { Vapid } from "./vapid.ts";

/** A room, as far as its visitors are notified. */
export type NotifyingRoom = Pick<WaitingRoom, "id" | "title" | "pushes" | "settings">;

/** What a notification says. */
export interface PushWords {
  readonly title: string;
  readonly body: string;
  readonly language: string;
  readonly dir: string;
}

/** What became of a notification that the visitor's turn is near, or has come. */
export type PushOutcome = { readonly room: string; readonly sub: string; readonly stage: TakenPush["stage"] } & (
  | {
      /** A push service has accepted it; or the visitor's browser has unsubscribed. */
      readonly event: "push.sent" | "push.gone";
    }
  | {
      /** A push service could not be reached, or refused; unless `isOver`, it is tried again later. */
      readonly event: "push.failed";
      readonly attempt: number;
      readonly isOver: boolean;
      readonly reason: string;
    }
);

const roundMs = 1_000;
/** A room of which nobody is notified just now. */
const quietRoundMs = 3_000;
const perTake = 100;
const sideBySide = 20;
/** None is begun later, so that all are settled within their lease. */
const beginWithinMs = 15_000;
/** So long a message that says that it is near is worth its delivery. */
const nearTtlSec = 300;
const ttlSecMin = 60;
const firstRetryMs = 10_000;
const retryMsMax = 300_000;
/** For which a service that fails many is left alone, so that it delays no others. */
const restMs = 5_000;

/** Tells visitors who have subscribed that their turn is near, and that it has come. The store hands each notification to one process. */
export function createPushes(options: {
  readonly rooms: { readonly all: readonly NotifyingRoom[]; readonly events: Pick<WaitingRooms["events"], "emit"> };
  readonly report: (outcome: PushOutcome) => void;
  readonly vapid: Vapid;
  /** Hosts of push services; see services.ts. */
  readonly services: readonly string[];
  readonly send: Send;
  /** @param language tag of the page that the visitor subscribed from */
  readonly wordsFor: (room: NotifyingRoom, stage: TakenPush["stage"], language: string) => PushWords;
  readonly clock: Clock;
  readonly random: Pick<Random, "bytes" | "fraction">;
}): Rounds {
  const { rooms, vapid, services, send, wordsFor, clock, random } = options;
  /** What the store has not been told yet: it may be away. */
  const unsettled = new WeakMap<NotifyingRoom, PushSettlement[]>();
  /** By host. */
  const outages = createOutages(clock);

  /** Sends the notifications that are due. */
  async function look(room: NotifyingRoom, stopping: AbortSignal): Promise<number> {
    if (!room.pushes.areOffered) {
      unsettled.delete(room);
      return quietRoundMs;
    }
    let taken: readonly TakenPush[];
    do {
      const settled = unsettled.get(room) ?? [];
      try {
        taken = await room.pushes.take(settled, stopping.aborted ? 0 : perTake);
      } catch (error) {
        if (!isInterruption(error)) throw error;
        return roundMs;
      }
      const settlements = await notifyAll(room, taken, stopping);
      if (settlements.length === 0) unsettled.delete(room);
      else unsettled.set(room, settlements);
    } while (unsettled.has(room));
    return room.pushes.subscriptionCount === 0 ? quietRoundMs : roundMs;
  }

  async function notifyAll(room: NotifyingRoom, taken: readonly TakenPush[], stopping: AbortSignal) {
    const settlements: PushSettlement[] = [];
    const left = [...taken];
    const beganMs = clock.now();
    const work = async () => {
      for (let next = left.shift(); next !== undefined; next = left.shift()) {
        // What is not begun comes again with its lease.
        if (stopping.aborted || clock.now() - beganMs > beginWithinMs) return;
        settlements.push({ id: next.id, ...(await notify(room, next, stopping)) });
      }
    };
    await Promise.all(Array.from({ length: Math.min(sideBySide, left.length) }, work));
    return settlements;
  }

  type Outcome = Omit<PushSettlement, "id">;

  async function notify(room: NotifyingRoom, push: TakenPush, stopping: AbortSignal): Promise<Outcome> {
    const subscription = readSubscription(push.text);
    // The configuration may have changed since.
    if (subscription === null || !isEndpoint(subscription.endpoint, services)) {
      return over(room, push, "this is no push service that Usher sends to");
    }
    const authorization = await vapid.authorization(subscription.kid, subscription.endpoint);
    if (authorization === null) return over(room, push, "the key that the subscription was made with is gone");
    const { host } = new URL(subscription.endpoint);
    const outage = outages.of(host);
    const restsMs = outage.leftMs;
    const backoffMs = firstRetryMs * 2 ** (push.attempt - 1);
    if (restsMs > 0 && !push.isLast) return failed(push, Math.max(restsMs, backoffMs));
    const { stage } = push;
    const answer = await send(
      {
        url: subscription.endpoint,
        contentType: "application/octet-stream",
        headers: {
          authorization,
          "content-encoding": "aes128gcm",
          ttl: String(stage === "near" ? nearTtlSec : Math.max(ttlSecMin, claimSec(room))),
          // RFC 8030, section 5.3: what must be told at once.
          urgency: "high",
          // One replaces the other where it was not delivered.
          topic: room.id,
        },
        body: sealed(room, push, subscription),
      },
      stopping,
    );
    if (answer.isAccepted) {
      outage.end();
      options.report({ event: "push.sent", room: room.id, sub: push.sub, stage });
      return { outcome: "done", retryMs: 0 };
    }
    const { status, reason, retryAfterMs } = answer;
    if (status === 404 || status === 410) {
      options.report({ event: "push.gone", room: room.id, sub: push.sub, stage });
      return { outcome: "gone", retryMs: 0 };
    }
    const isRefused = status !== null && status >= 300 && status < 500 && status !== 408 && status !== 429;
    if (isRefused) return over(room, push, reason ?? "");
    if (stopping.aborted) return failed(push, 0);
    const retryMs = Math.min(retryMsMax, Math.max(retryAfterMs ?? 0, backoffMs));
    outage.fail(push.sub, Math.min(retryMsMax, retryAfterMs ?? restMs));
    report(room, push, push.isLast, reason ?? "");
    return failed(push, retryMs);
  }

  /** Nothing comes of it, however often it is tried. */
  function over(room: NotifyingRoom, push: TakenPush, reason: string): Outcome {
    report(room, push, true, reason);
    return { outcome: "gone", retryMs: 0 };
  }

  function failed({ isLast }: TakenPush, retryMs: number): Outcome {
    return isLast ? { outcome: "done", retryMs: 0 } : { outcome: "failed", retryMs };
  }

  function report({ id }: NotifyingRoom, { sub, stage, attempt }: TakenPush, isOver: boolean, reason: string): void {
    options.report({ event: "push.failed", room: id, sub, stage, attempt, isOver, reason });
  }

  function sealed(room: NotifyingRoom, { stage }: TakenPush, subscription: Subscription): Buffer {
    const { language, address, client } = subscription;
    const { title, body, dir, ...words } = wordsFor(room, stage, language);
    const said = { title, body, lang: words.language, dir, stage, address, client };
    let text = Buffer.from(JSON.stringify(said));
    // Without the address it leads to the room.
    if (text.length > plainBytesMax) text = Buffer.from(JSON.stringify({ ...said, address: "" }));
    // A private key of the curve is a number below its order: 31 bytes always are.
    const privateKey = Buffer.concat([Buffer.of(0), random.bytes(31)]);
    return encrypt(text, keysOf(subscription), { privateKey, salt: random.bytes(16) });
  }

  const onFailure = (room: NotifyingRoom, error: unknown) => rooms.events.emit("room.failed", { room: room.id, error });
  return createRounds({ rooms: () => rooms.all, random, look, onFailure });
}

function claimSec({ settings }: NotifyingRoom): number {
  return Math.ceil(settings.admission.claimWithinMs / 1_000);
}
