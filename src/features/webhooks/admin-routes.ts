import { hash } from "node:crypto";
import { z } from "zod";
import { flag, formatTime, list, oneOf, text } from "../../config/index.ts";
import type { Clock } from "../../lib/clock-and-random.ts";
import { receiverFault } from "../../lib/receiver-address.ts";
import type { SendResult } from "../../lib/send.ts";
import { type AdminRoute, routesAbout } from "../../operate/admin-api/admin-router.ts";
import {
  badRequest,
  nextCursor,
  nothing,
  object,
  opaqueCursor,
  pageOf,
  pageQuery,
  pageSize,
  rotation,
  timeOrNone,
  timeOrNull,
  timeText,
  wrongCursor,
} from "../../operate/admin-api/bodies.ts";
import { refuseUnknownType, typesWanted } from "../../operate/admin-api/events/event-stream.ts";
import { inverseOf } from "../../operate/audit/index.ts";
import type { EventTypes } from "../../operate/events/event-types.ts";
import type { IssuerRegistry } from "../../registry/index.ts";
import type { WaitingRooms } from "../../room/index.ts";
import { WEBHOOK_FORMATS, type Webhook } from "./content.ts";
import { readPlace } from "./dead-letters.ts";
import type { Deliveries } from "./deliveries.ts";
import type { Webhooks } from "./webhooks.ts";

const choice = {
  url: text("the https address of a receiver", 2_048),
  rooms: list(text("the id of a room", 32), 1_000, 1).nullish(),
  types: typesWanted.nullish(),
  format: oneOf("format", WEBHOOK_FORMATS).optional(),
  enabled: flag().optional(),
  note: text("what the webhook is for", 200).nullish(),
};
const newWebhook = object(choice);
const changedWebhook = object({ ...choice, url: choice.url.optional() });

const webhookAnswer = z
  .object({
    id: z.string(),
    source: z.enum(["file", "admin_api"]),
    url: z.string(),
    rooms: z.array(z.string()).nullable(),
    types: z.array(z.string()),
    format: z.enum(WEBHOOK_FORMATS),
    enabled: z.boolean(),
    note: z.string().nullable(),
    secrets: z.array(z.object({ created_at: timeOrNone, expires_at: timeOrNone })),
    created_by: z.string().nullable(),
    created_at: timeOrNone,
    changed_at: timeOrNone,
  })
  .meta({ id: "Webhook" });
const createdWebhook = z.object({ ...webhookAnswer.shape, secret: z.string() });
const attempt = z
  .object({
    delivered: z.boolean(),
    status: z.int().nullable(),
    answer: z.string(),
    reason: z.string().nullable(),
    duration_ms: z.number(),
  })
  .meta({ id: "DeliveryAttempt" });
const deadLetter = z
  .object({
    id: z.string(),
    event: z.record(z.string(), z.unknown()),
    reason: z.string(),
    attempts: z.int(),
    given_up_at: timeText,
  })
  .meta({ id: "DeadLetter" });
const terms = { tag: "Events", role: "admin" } as const;

/** Webhooks, while the program runs. They may be of no room, so only an admin of all rooms manages them. */
export function webhookRoutes(options: {
  readonly webhooks: Webhooks;
  readonly deliveries: Deliveries;
  /** Hosts that need not be public. */
  readonly allowedHosts: readonly string[];
  readonly eventTypes: EventTypes;
  readonly rooms: WaitingRooms;
  readonly issuers: readonly IssuerRegistry[];
  readonly clock: Clock;
}): AdminRoute[] {
  const { webhooks, deliveries, allowedHosts, eventTypes, rooms, issuers, clock } = options;
  // Behind a load balancer, what was made at one process is asked for at another.
  const route = routesAbout("/webhooks", () => webhooks.registry.refresh().catch(() => undefined));

  return [
    route(
      "GET",
      "",
      {
        ...terms,
        summary: "Lists the webhooks.",
        query: object(pageQuery),
        answers: z.object({
          webhooks: z.array(webhookAnswer),
          /** All that there are to choose from. */
          event_types: z.array(z.string()),
          next_cursor: nextCursor,
        }),
      },
      ({ query }) => {
        const { page, next_cursor } = pageOf(webhooks.all, query);
        return {
          webhooks: page.map(([id, webhook]) => viewOf(id, webhook)),
          event_types: [...eventTypes.all],
          next_cursor,
        };
      },
    ),
    route(
      "POST",
      "",
      {
        ...terms,
        summary: "Makes a webhook, and shows its secret this once.",
        body: newWebhook,
        bodyMax: 65_536,
        status: 201,
        answers: createdWebhook,
        errors: ["conflict"],
      },
      async ({ ctx, principal, notes, body }) => {
        check(body);
        const usual = {
          rooms: null,
          types: eventTypes.usual,
          format: "cloudevents",
          enabled: true,
          note: null,
        } as const;
        const { id, secret } = await webhooks.create({ ...usual, ...chosen(body), url: body.url }, principal.id);
        notes.created(auditedOf(webhooks.find(id)));
        ctx.set("Location", `/admin/webhooks/${id}`);
        return { ...viewOf(id, webhooks.find(id)), secret };
      },
    ),
    route("GET", "/:webhook", { ...terms, summary: "Shows a webhook.", answers: webhookAnswer }, ({ ctx }) => {
      const id = String(ctx.params.webhook);
      return viewOf(id, webhooks.find(id));
    }),
    route(
      "PATCH",
      "/:webhook",
      {
        ...terms,
        summary: "Changes a webhook; null gives a member its usual value back.",
        body: changedWebhook,
        bodyMax: 65_536,
        answers: webhookAnswer,
        errors: ["conflict"],
      },
      async ({ ctx, principal, notes, body }) => {
        check(body);
        const id = String(ctx.params.webhook);
        const reset = {
          ...(body.rooms === null && { rooms: null }),
          ...(body.types === null && { types: eventTypes.usual }),
          ...(body.note === null && { note: null }),
        };
        const before = auditedOf(webhooks.find(id));
        notes.changing(before);
        await webhooks.update(id, (webhook) => ({ ...webhook, ...chosen(body), ...reset }), principal.id);
        const after = auditedOf(webhooks.find(id));
        // The address is not in the row, so no row leads back to it.
        const isWhole = before.url === after.url;
        const path = `/webhooks/${id}`;
        notes.changed(before, after, isWhole ? { method: "PATCH", path, body: inverseOf(before, after) } : null);
        return viewOf(id, webhooks.find(id));
      },
    ),
    route(
      "DELETE",
      "/:webhook",
      {
        ...terms,
        summary: "Removes a webhook, and all that waits for it.",
        status: 204,
        answers: nothing,
        errors: ["conflict"],
      },
      async ({ ctx, principal, notes }) => {
        const id = String(ctx.params.webhook);
        notes.removed(auditedOf(webhooks.find(id)));
        await webhooks.remove(id, principal.id);
        await deliveries.forget(id);
      },
    ),
    route(
      "POST",
      "/:webhook/test",
      { ...terms, summary: "Sends a test event now, and tells what the receiver answered.", answers: attempt },
      async ({ ctx }) => {
        const [{ issuer } = { issuer: "" }] = issuers;
        return attemptJson(await deliveries.test(String(ctx.params.webhook), issuer, formatTime(clock.now())));
      },
    ),
    route(
      "POST",
      "/:webhook/secret",
      {
        ...terms,
        summary: "Gives a webhook a new secret, and shows it this once; the one before signs, too, for `overlap`.",
        body: rotation,
        answers: z.object({ id: z.string(), secret: z.string(), previous_secret_expires_at: timeText.nullable() }),
        errors: ["conflict"],
      },
      async ({ ctx, principal, body: { overlap } }) => {
        const id = String(ctx.params.webhook);
        const { secret, previousExpiresMs } = await webhooks.rotate(id, overlap, principal.id);
        return { id, secret, previous_secret_expires_at: timeOrNull(previousExpiresMs) };
      },
    ),
    route(
      "GET",
      "/:webhook/dead-letters",
      {
        ...terms,
        summary:
          "Lists events that were given up, by room and oldest first. A page may be short though there are more.",
        query: object({ limit: pageSize, cursor: opaqueCursor }),
        answers: z.object({ dead_letters: z.array(deadLetter), next_cursor: nextCursor }),
      },
      async ({ ctx, query }) => {
        const cursor = cursorOf(query.cursor);
        const page = await deliveries.deadLetters.page(String(ctx.params.webhook), { limit: query.limit, cursor });
        const letters = page.letters.map(({ id, event, reason, attempts, atMs }) => {
          return { id, event: { ...event }, reason, attempts, given_up_at: formatTime(atMs) };
        });
        return { dead_letters: letters, next_cursor: page.nextCursor };
      },
    ),
    route(
      "POST",
      "/:webhook/dead-letters/:letter/replay",
      { ...terms, summary: "Sends a dead letter again; one that is accepted is gone.", answers: attempt },
      async ({ ctx }) => {
        const { webhook, letter } = ctx.params;
        return attemptJson(await deliveries.deadLetters.replay(String(webhook), String(letter)));
      },
    ),
  ];

  function viewOf(id: string, webhook: Webhook) {
    const { url, rooms, types, format, enabled, note, secrets, created_by, created_ms, updated_ms } = webhook;
    const choice = { url, rooms: rooms === null ? null : [...rooms], types: [...types], format, enabled, note };
    if (webhooks.isOfFile(id)) {
      const ofFile = webhooks.secretsOf(id, webhook).map(() => ({ created_at: null, expires_at: null }));
      const unknown = { created_by: null, created_at: null, changed_at: null };
      return { id, source: "file" as const, ...choice, secrets: ofFile, ...unknown };
    }
    return {
      id,
      source: "admin_api" as const,
      ...choice,
      secrets: secrets.map((secret) => ({
        created_at: formatTime(secret.created_ms),
        expires_at: timeOrNull(secret.expires_ms),
      })),
      created_by,
      created_at: formatTime(created_ms),
      changed_at: formatTime(updated_ms),
    };
  }

  /** @throws UsherError `bad_request` */
  function check({ url, rooms: wanted, types }: z.output<typeof changedWebhook>): void {
    const fault = url === undefined ? null : receiverFault(url, allowedHosts);
    if (fault !== null) throw badRequest([{ path: ["url"], message: fault }]);
    refuseUnknownType(types ?? [], "types", eventTypes);
    const unknown = (wanted ?? []).find((id) => rooms.get(id) === undefined);
    if (unknown !== undefined) throw badRequest([{ path: ["rooms"], message: `there is no room ${unknown}` }]);
  }
}

/** As a row of the audit says it. Who knows an address may send to it, as with Slack: of the rest of it there is a hash. */
function auditedOf({ url, rooms, types, format, enabled, note }: Webhook) {
  const { origin } = new URL(url);
  const digest = hash("sha256", url).slice(0, 12);
  return { url: `${origin} (SHA-256 ${digest}…)`, rooms, types, format, enabled, note };
}

/** @throws UsherError `bad_request` */
function cursorOf(text: unknown) {
  const place = text === undefined ? null : readPlace(String(text));
  if (place === null && text !== undefined) throw wrongCursor();
  return place;
}

/** Without what says nothing. */
function chosen<T extends object>(body: T): { [Name in keyof T]?: NonNullable<T[Name]> } {
  return Object.fromEntries(Object.entries(body).filter(([, value]) => value != null)) as never;
}

function attemptJson({ isAccepted, status, answer, reason, durationMs }: SendResult) {
  return { delivered: isAccepted, status, answer, reason, duration_ms: durationMs };
}
