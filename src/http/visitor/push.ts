import type { Context } from "koa";
import type { z } from "zod";
import { AddressBuckets } from "../../lib/address-buckets.ts";
import { UsherError } from "../../lib/errors.ts";
import { readSent, subscriptionBytesMax, writeSubscription } from "../../push/index.ts";
import type { WaitingRoom } from "../../room/index.ts";
import { readJson } from "../middleware/read-body.ts";
import type { pushAnswer } from "./answers.ts";
import { referrerOf } from "./own-addresses.ts";
import type { VisitorParts } from "./parts.ts";
import { later } from "./status.ts";
import type { Presented } from "./tickets.ts";
import { createWaysBack } from "./way-back.ts";

type PushParts = Pick<VisitorParts, "issuer" | "sitesOf" | "joinAddressOf" | "clock" | "push">;

/** From one address, at each process: a carrier's visitors in an opening's first minute. */
const rate = { perMinute: 300, burst: 600 };
/** After which a room may notify others again that notifies as many as it can. */
const fullRetryMs = 60_000;

/** Visitors who want to be notified of their turn though their phone sleeps (Web Push). */
export function createPush({ issuer, sitesOf, joinAddressOf, clock, push }: PushParts) {
  const waysBack = createWaysBack(sitesOf);
  const addresses = new AddressBuckets(clock);

  return {
    /** `GET …/push`: the key that browsers subscribe with. */
    tellKey(ctx: Context, room: WaitingRoom): void {
      refuseElsewhere(room);
      ctx.set("Cache-Control", "no-store");
      ctx.body = { public_key: push.vapid.current.publicKey } satisfies z.output<typeof pushAnswer>;
    },

    /** `POST …/tickets/me/push`: keeps where to notify the visitor. Idempotent. */
    async subscribe(ctx: Context, room: WaitingRoom, { ticket }: Presented): Promise<void> {
      refuseElsewhere(room);
      count(ctx, room);
      const { endpoint, keys, language = "" } = readSent(await readJson(ctx, subscriptionBytesMax), push.services);
      const address = referrerOf(ctx, issuer);
      const cameBy = waysBack.cameBy(room.id, address);
      const text = writeSubscription({
        ...{ endpoint, ...keys, language },
        kid: push.vapid.current.kid,
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
