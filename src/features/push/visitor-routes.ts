import type { Context } from "koa";
import { z } from "zod";
import { AddressBuckets } from "../../lib/address-buckets.ts";
import { javaScript } from "../../lib/described-route.ts";
import { UsherError } from "../../lib/errors.ts";
import type { VisitorSite } from "../../operate/feature.ts";
import type { WaitingRoom } from "../../room/index.ts";
import { readJson } from "../../web/middleware/read-body.ts";
import type { RouteTable } from "../../web/middleware/router.ts";
import { referrerOf } from "../../web/visitor/pages/page-request.ts";
import { type SentScript, sendScript } from "../../web/visitor/pages/send-file.ts";
import { createRoomRoutes, type Presented } from "../../web/visitor/room-routes.ts";
import { later } from "../../web/visitor/status.ts";
import { createTickets } from "../../web/visitor/tickets.ts";
import { createWaysBack } from "../../web/visitor/way-back.ts";
import { readSent, subscriptionBytesMax, writeSubscription } from "./subscription.ts";
import type { Vapid } from "./vapid.ts";

/** How visitors are notified: by which key, by which push services, and by which program in their browser. */
interface PushParts {
  readonly vapid: Vapid;
  readonly services: readonly string[];
  readonly worker: SentScript;
}

/** From one address, at each process: a carrier's visitors in an opening's first minute. */
const rate = { perMinute: 300, burst: 600 };
/** After which a room may notify others again that notifies as many as it can. */
const fullRetryMs = 60_000;

const pushAnswer = z.object({ public_key: z.string() });

/** Visitors who want to be notified of their turn though their phone sleeps (Web Push). */
export function pushRoutes(site: VisitorSite, parts: PushParts): RouteTable {
  const { table, page, script, ofHolder } = createRoomRoutes(site.rooms, createTickets(site).presented);
  const text = z.string();
  const push = createPush(site, parts);
  script(
    "GET",
    "/push",
    () => ({
      summary: "Tells the key that browsers subscribe with to be notified, in a room with `push: true`.",
      answers: [{ status: 200, schema: pushAnswer, description: "The uncompressed point of P-256, base64url." }],
      errors: ["not_found"],
    }),
    push.tellKey,
  );
  ofHolder(
    "POST",
    "/tickets/me/push",
    () => ({
      summary: "Keeps where to notify the visitor of the turn, in place of what was kept before.",
      body: z.object({
        endpoint: text,
        keys: z.object({ p256dh: text, auth: text }),
        language: text.optional(),
        public_key: text.optional(),
      }),
      answers: [{ status: 204, description: "Kept." }],
      errors: ["conflict", "not_found", "room_full", "too_many_from_address"],
    }),
    push.subscribe,
  );
  ofHolder(
    "DELETE",
    "/tickets/me/push",
    () => ({
      summary: "The visitor is not notified any more.",
      answers: [{ status: 204, description: "Done." }],
      errors: ["not_found", "too_many_from_address"],
    }),
    push.unsubscribe,
  );
  page(
    "GET",
    "/push/worker.js",
    () => ({
      summary: "The service worker of the waiting page, in a room with `push: true`.",
      answers: [{ status: 200, types: javaScript, description: "A service worker." }],
      errors: ["not_found"],
    }),
    push.worker,
  );
  return table;
}

function createPush({ issuer, sitesOf, joinAddressOf, clock }: VisitorSite, push: PushParts) {
  const waysBack = createWaysBack(sitesOf);
  const addresses = new AddressBuckets(clock);

  return {
    /** `GET …/push`: the key that browsers subscribe with. */
    tellKey(ctx: Context, room: WaitingRoom): void {
      refuseElsewhere(room);
      ctx.set("Cache-Control", "no-store");
      ctx.body = { public_key: push.vapid.current.publicKey } satisfies z.output<typeof pushAnswer>;
    },

    /**
     * `GET …/push/worker.js`: the service worker of the waiting page. Its scope is the folder that it lies in, where no page is. A browser
     * looks for a new one each time.
     */
    worker(ctx: Context, room: WaitingRoom): void {
      refuseElsewhere(room);
      ctx.set("Cache-Control", "no-cache");
      ctx.set("Content-Security-Policy", "default-src 'none'; connect-src 'self'");
      ctx.set("Referrer-Policy", "same-origin");
      sendScript(ctx, push.worker);
    },

    /** `POST …/tickets/me/push`: keeps where to notify the visitor. Idempotent. */
    async subscribe(ctx: Context, room: WaitingRoom, { ticket }: Presented): Promise<void> {
      refuseElsewhere(room);
      count(ctx, room);
      const sent = readSent(await readJson(ctx, subscriptionBytesMax), push.services);
      const { endpoint, keys, language = "", public_key: publicKey } = sent;
      const key = publicKey === undefined ? push.vapid.current : push.vapid.find(publicKey);
      if (key === null) throw new UsherError("bad_request", "public_key: subscribe anew, with the key of GET …/push");
      const address = referrerOf(ctx, issuer);
      const cameBy = waysBack.cameBy(room.id, address);
      const text = writeSubscription({
        endpoint,
        ...keys,
        language,
        kid: key.kid,
        address: waysBack.address(room.id, cameBy) ?? address ?? "",
        client: cameBy !== null && "client" in cameBy ? cameBy.client : null,
      });
      const answer = await room.pushes.keep(ticket, text);
      if (answer === "over") {
        throw new UsherError("conflict", "there is nothing to notify of: this place is not waiting for its turn");
      }
      if (answer === "full") throw later("this room can notify nobody else", fullRetryMs, "room_full");
      ctx.status = 204;
    },

    /** `DELETE …/tickets/me/push`. */
    async unsubscribe(ctx: Context, room: WaitingRoom, { ticket }: Presented): Promise<void> {
      refuseElsewhere(room);
      count(ctx, room);
      await room.pushes.drop(ticket.sub);
      ctx.status = 204;
    },
  };

  /** @throws UsherError `too_many_from_address` */
  function count(ctx: Context, { id }: WaitingRoom): void {
    const block = joinAddressOf(ctx);
    const waitMs = block === null ? 0 : addresses.of(id, rate).take(block);
    if (waitMs > 0) throw later("too many such requests came from this address", waitMs, "too_many_from_address");
  }
}

/** @throws UsherError `not_found` */
function refuseElsewhere({ pushes }: WaitingRoom): void {
  if (!pushes.areOffered) throw new UsherError("not_found", "this room notifies nobody: see its setting push");
}
