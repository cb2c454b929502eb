import { z } from "zod";
import type { DeepReadonly } from "../../lib/json.ts";
import {
  type Change,
  type ContentKind,
  differences,
  readerOf,
  recordedChanges,
  withChanges,
} from "../../registry/index.ts";

/** What a webhook is sent: the event itself, or what an incoming webhook of Slack takes. */
export const WEBHOOK_FORMATS = ["cloudevents", "slack"] as const;

const timeMs = z.number().min(0);

const webhook = z.strictObject({
  url: z.string().max(2_048),
  /** Null for all, and for what is of no room. */
  rooms: z.array(z.string().max(32)).min(1).max(1_000).nullable(),
  types: z.array(z.string().max(64)).min(1).max(50),
  format: z.enum(WEBHOOK_FORMATS),
  enabled: z.boolean(),
  note: z.string().max(200).nullable(),
  /** What it is signed with, newest first, encrypted; and until when, null for good. */
  secrets: z
    .array(z.strictObject({ sealed: z.string().max(1_024), created_ms: timeMs, expires_ms: timeMs.nullable() }))
    .min(1)
    .max(3),
  created_by: z.string().max(256),
  created_ms: timeMs,
  updated_ms: timeMs,
});

const content = z.strictObject({
  format: z.literal(1),
  /** By id. */
  webhooks: z.record(z.string(), webhook),
  changes: recordedChanges.optional(),
  /** When those of the configuration were seen first, by id: they get events from then on. */
  of_file: z.record(z.string().max(64), timeMs).optional(),
});

/** The webhooks of an installation. Shared as JSON. */
export type WebhooksContent = DeepReadonly<z.infer<typeof content>>;
export type Webhook = WebhooksContent["webhooks"][string];

export const webhooksContent: ContentKind<WebhooksContent> = {
  empty: { format: 1, webhooks: {} },
  read: readerOf(content),
};

/** The content with a note of the webhooks that were made, changed or removed. That a secret is sealed anew is no news. */
export function withWebhookChanges(
  before: WebhooksContent,
  after: WebhooksContent,
  version: number,
  nowMs: number,
): WebhooksContent {
  const news = differences(unsealed(before), unsealed(after)).map(
    ([id, what]): Change => ({ kind: "webhook", id, what }),
  );
  return withChanges(after, news, version, nowMs);
}

function unsealed({ webhooks }: WebhooksContent) {
  return Object.fromEntries(
    Object.entries(webhooks).map(([id, { secrets, ...others }]) => {
      return [id, { ...others, secrets: secrets.map(({ created_ms, expires_ms }) => [created_ms, expires_ms]) }];
    }),
  );
}
