import type { Logger } from "../../lib/logger.ts";
import type { Send, SendResult } from "../../lib/send.ts";
import type { CloudEvent } from "../../operate/events/cloud-event.ts";
import type { Webhook } from "./content.ts";
import { messageOf } from "./message.ts";
import type { Webhooks } from "./webhooks.ts";

/** Interval between log lines about a secret that cannot be decrypted. */
const unreadableLogEveryMs = 60_000;
/** A process that cannot decrypt a secret leaves the deliveries to other processes for this time. */
export const unreadableRetryMs = 60_000;
const unreadable = "this process cannot open the secret: does it have the ticket keys of the others?";

export type Sender = ReturnType<typeof createSender>;

/** Sends an event to a webhook once, signed with its secrets. */
export function createSender({
  webhooks,
  send,
  nowMs,
  logger,
}: {
  readonly webhooks: Webhooks;
  readonly send: Send;
  /** By the clock of this machine, which receivers compare with theirs. */
  readonly nowMs: () => number;
  readonly logger: Logger;
}) {
  /** By webhook: time of the last log line about its secret. */
  const complainedMs = new Map<string, number>();

  return {
    /** Whether this process can sign for the webhook. Logs if it can't. */
    canOpen(id: string, webhook: Webhook): boolean {
      if (webhooks.secretsOf(id, webhook).length > 0) return true;
      if (nowMs() >= (complainedMs.get(id) ?? 0) + unreadableLogEveryMs) {
        complainedMs.set(id, nowMs());
        const event = { event: "webhook.secret_unreadable", webhook: id, reason: unreadable };
        logger.error(event, "events are left to others");
      }
      return false;
    },
    async sendTo(id: string, webhook: Webhook, event: CloudEvent, signal?: AbortSignal): Promise<SendResult> {
      const secrets = webhooks.secretsOf(id, webhook);
      if (secrets.length > 0) return send(messageOf(webhook, secrets, event, nowMs()), signal);
      return { isAccepted: false, status: null, answer: "", reason: unreadable, retryAfterMs: null, durationMs: 0 };
    },
    /** The webhook is no more. */
    forget: (id: string) => void complainedMs.delete(id),
  };
}
