import { hash } from "node:crypto";
import { setTimeout } from "node:timers/promises";
import type { Context } from "koa";
import { z } from "zod";
import { html, seeOtherAnswer } from "../../../lib/described-route.ts";
import { type Refusal, seeOther } from "../../../oidc/index.ts";
import {
  type Admission,
  type BypassLink,
  type ClaimAnswer,
  claimedTicket,
  type Ticket,
  type WaitingRoom,
  withoutOldPlace,
} from "../../../room/index.ts";
import { readSameOriginForm } from "../../middleware/read-body.ts";
import type { Continuation } from "../../room-sites.ts";
import { linkAnswer } from "../answers.ts";
import { keepTicket, readTicket, type VisitorParts } from "../parts.ts";
import type { RoomRoutes } from "../room-routes.ts";
import { handOver, sendOn } from "./hand-over.ts";
import { createLinkPages, type UsableLink } from "./link-pages.ts";

export type BypassParts = Pick<
  VisitorParts,
  "issuer" | "sitesOf" | "bypassLinks" | "cookies" | "cookieBound" | "tokens" | "responder" | "random" | "joinAddressOf"
> & { readonly steps: Pick<VisitorParts["steps"], "identify"> };

/** Milliseconds that a held visitor waits for the answer before a page explains the delay. */
const patienceMs = 8_000;
/** While the store is away. */
const awayRetryMs = 2_000;

const deferredPages = { limit: "bypass_held", capacity: "bypass_full", recovery: "bypass_later" } as const;

const linkPage = { status: 200, schema: linkAnswer, types: html, description: "The page of the link." };

/** The routes of links past the line. */
export function addBypassRoutes({ page }: RoomRoutes, parts: BypassParts): void {
  const bypass = createBypass(parts);
  page(
    "GET",
    "/bypass",
    () => ({
      summary: "Shows a bypass link's page, which uses nothing up.",
      query: z.object({ link: z.string() }),
      answers: [linkPage, { ...seeOtherAnswer, description: "To sign in first, in a room with `identity`." }],
      errors: ["bypass_void"],
    }),
    bypass.show,
  );
  page(
    "POST",
    "/bypass",
    () => ({
      summary: "Lets the visitor in by a bypass link.",
      form: z.object({ link: z.string() }),
      answers: [linkPage, seeOtherAnswer],
      errors: [
        "bypass_full",
        "bypass_held",
        "bypass_later",
        "bypass_unreadable",
        "bypass_void",
        "in_use",
        "store_unavailable",
        "too_many_logins",
      ],
    }),
    bypass.claim,
  );
}

/**
 * An operator's link that lets one person in ahead of the line. Chats and mail scanners open links, so opening it uses nothing up.
 *
 * @param pause resolves after so many milliseconds
 */
export function createBypass(parts: BypassParts, pause: (ms: number) => Promise<unknown> = setTimeout) {
  const { issuer, sitesOf, bypassLinks, cookies, cookieBound, tokens, responder, random, joinAddressOf, steps } = parts;
  const { read, answer } = createLinkPages("bypass", bypassLinks, responder);

  return {
    /** `GET …/bypass?link=…`: the page with the button. */
    show(ctx: Context, room: WaitingRoom) {
      const usable = read(room, ctx.query.link);
      if (usable === null || room.nowMs > usable.link.expiresMs) return answer(ctx, room, "bypass_void");
      const visitor = steps.identify(ctx, room);
      if ("page" in visitor) return lead(ctx, room, visitor, usable);
      // A visitor who presses the button twice, or again because no answer came, stays the same visitor.
      const hasTicket = readTicket(ctx, room, cookies).kind !== "none";
      if (!hasTicket) {
        const places = cookieBound(ctx, room.id);
        const returnTo = `/rooms/${room.id}/bypass?link=${usable.token}`;
        if (places !== null)
          return responder.notice(ctx, { status: 200, code: "too_many_places", room, places, returnTo });
        keepTicket(ctx, room, cookies, room.visitorWithoutPlace(visitor.name));
      }
      answer(ctx, room, "bypass", { usable });
    },

    /** `POST …/bypass`: the button. */
    async claim(ctx: Context, room: WaitingRoom): Promise<void> {
      const usable = read(room, (await readSameOriginForm(ctx, issuer)).get("link"));
      if (usable === null) return answer(ctx, room, "bypass_void");
      const visitor = steps.identify(ctx, room);
      if ("page" in visitor) return lead(ctx, room, visitor, usable);
      const presented = readTicket(ctx, room, cookies);
      if (presented.kind === "unknown_key") return answer(ctx, room, "bypass_unreadable", { usable, place: null });
      const visitorTicket =
        presented.kind === "ticket"
          ? holderOf(room, presented.ticket, usable.link)
          : room.visitorWithoutPlace(visitor.name);
      if (await isOfUnknownEdition(room, visitorTicket)) {
        return answer(ctx, room, "bypass_unreadable", { usable, place: visitorTicket });
      }
      const way = continuationOf(room, usable.link);
      // Each hand-over is a login of its own; one at a site names itself when it comes.
      const login = way?.by === "token" ? Buffer.from(random.bytes(6)).toString("base64url") : null;
      const { ticket, result } = await claimPatiently(
        ctx,
        room,
        withoutOldPlace(room, visitorTicket),
        login,
        usable.link,
      );
      if (result.result !== "admitted") return refuse(ctx, room, usable, ticket, result);
      keepTicket(ctx, room, cookies, { ...claimedTicket(room, ticket, result.admission), restarts: 0 });
      await leadOn(ctx, room, result.admission, way, login);
    },
  };

  /**
   * The visitor whom the link lets in. The key of a bound ticket may be lost, so none is asked for. Instead the holder enters as a new
   * visitor, the same for each use of this link: a copied ticket gives no access to the admission of the visitor it names.
   */
  function holderOf(room: WaitingRoom, ticket: Ticket, { id }: BypassLink): Ticket {
    if (room.deviceBinding === "none" || ticket.device === undefined) return ticket;
    return room.visitorWithoutPlace(hash("sha256", `${id} ${ticket.sub}`, "base64url").slice(0, 22));
  }

  /** The link lets a person in, and its room wants to know whom: they come back to it. */
  function lead(ctx: Context, room: WaitingRoom, refusal: Refusal, { token }: UsableLink<BypassLink>): void {
    const page = refusal.page(`/rooms/${room.id}/bypass?link=${token}`);
    if ("redirect" in page) seeOther(ctx, page.redirect);
    else responder.notice(ctx, { ...page, room });
  }

  async function isOfUnknownEdition(room: WaitingRoom, ticket: Ticket): Promise<boolean> {
    if (ticket.position === 0 || !room.isAhead(ticket)) return false;
    await room.verifyAhead(ticket);
    return room.state !== null && ticket.edition > room.state.edition && room.availability === "ready";
  }

  /** Claims, and repeats a held claim while the whole wait stays within `patienceMs`. */
  async function claimPatiently(
    ctx: Context,
    room: WaitingRoom,
    presented: Ticket,
    login: string | null,
    link: BypassLink,
  ): Promise<{ ticket: Ticket; result: ClaimAnswer }> {
    let ticket = presented;
    let leftMs = patienceMs;
    for (;;) {
      const result = await room.claim(ticket, login, { bypass: link, address: joinAddressOf(ctx) });
      if (result.result === "old_edition" && ticket.position > 0) {
        ticket = { ...ticket, edition: 0, position: 0, entry: null, joinedMs: 0 };
        continue;
      }
      const isWorthwhile = result.result === "held" && result.by !== "recovery" && result.retryMs <= leftMs;
      if (!isWorthwhile) return { ticket, result };
      leftMs -= result.retryMs;
      await pause(result.retryMs);
      // A visitor who has closed the connection is not let in.
      if (ctx.res.closed) return { ticket, result };
    }
  }

  function refuse(ctx: Context, room: WaitingRoom, usable: UsableLink<BypassLink>, place: Ticket, result: ClaimAnswer) {
    switch (result.result) {
      case "void":
        return answer(ctx, room, "bypass_void");
      case "newer_edition":
        return answer(ctx, room, "bypass_unreadable", { usable, place });
      case "exhausted":
        return responder.notice(ctx, { status: 429, code: "too_many_logins", room });
      case "too_many_addresses":
        return responder.notice(ctx, { status: 429, code: "in_use", room });
      case "held":
        return answer(ctx, room, deferredPages[result.by], {
          usable,
          retryMs: result.retryMs,
          isHold: result.by === "recovery",
        });
      default: {
        const isHold = result.result === "recovering";
        // A hold may follow the recovery.
        const retryMs = isHold ? Math.max(result.remainingMs, room.holdLeftMs) : awayRetryMs;
        answer(ctx, room, "bypass_later", { usable, retryMs, isHold });
      }
    }
  }

  /** The lists may have changed since the link was made; then it leads where visitors go otherwise. */
  function continuationOf(room: WaitingRoom, { target }: BypassLink): Continuation | null {
    const { continueTo } = sitesOf(room.id);
    return (target === null ? null : continueTo(target)) ?? continueTo(undefined);
  }

  async function leadOn(
    ctx: Context,
    room: WaitingRoom,
    admission: Admission,
    way: Continuation | null,
    login: string | null,
  ): Promise<void> {
    if (way === null) return answer(ctx, room, "bypass_in");
    if (login === null) return sendOn(ctx, way.address);
    await handOver(ctx, tokens, room, admission, { login, target: way.address });
  }
}
