import type { Context } from "koa";
import type { Clock } from "../../../lib/clock.ts";
import type { Random } from "../../../lib/random.ts";
import { type AdmissionTokens, seeOther, type VisitorCookies } from "../../../oidc/index.ts";
import {
  type Admission,
  type BypassLink,
  type ClaimAnswer,
  claimedTicket,
  type Ticket,
  type WaitingRoom,
  withoutOldPlace,
} from "../../../room/index.ts";
import { readForm } from "../../middleware/read-body.ts";
import { requireSameOrigin } from "../../middleware/same-origin.ts";
import type { BypassServiceOf } from "../bypass-service.ts";
import type { Continuation } from "../continuation.ts";
import type { JoinAddress } from "../join-address.ts";
import type { PageResponder } from "../page-responder.ts";
import { createBypassPages } from "./bypass-pages.ts";
import { handOver } from "./hand-over.ts";
import type { GivenLink } from "./link-pages.ts";

export interface BypassOptions {
  readonly issuer: string;
  readonly bypassServiceOf: BypassServiceOf;
  readonly cookies: VisitorCookies;
  readonly tokens: AdmissionTokens;
  readonly responder: PageResponder;
  readonly clock: Clock;
  readonly random: Random;
  /** Under which address a login is counted; null: it is not. */
  readonly joinAddressOf: JoinAddress;
  /** Resolves after so many milliseconds. */
  readonly pause: (ms: number) => Promise<unknown>;
}

/** Milliseconds that a held visitor waits for the answer before a page explains the delay. */
const patienceMs = 8_000;
/** While the store is away. */
const awayRetryMs = 2_000;

const heldPages = { limit: "bypass_held", capacity: "bypass_full", recovery: "bypass_later" } as const;

/** An operator's link that lets one person in ahead of the line. Chats and mail scanners open links, so opening it uses nothing up. */
export function createBypass(options: BypassOptions) {
  const { issuer, bypassServiceOf, cookies, tokens, responder, clock, random, joinAddressOf, pause } = options;
  const answer = createBypassPages(responder);

  return {
    /** `GET …/bypass?link=…`: the page with the button. */
    show(ctx: Context, room: WaitingRoom): void {
      const given = readLink(room, ctx.query.link);
      if (given === null || nowOf(room) > given.link.expiresMs) {
        answer(ctx, room, "bypass_void");
        return;
      }
      // A visitor who presses the button twice, or again because no answer came, stays the same visitor.
      if (presentedBy(ctx, room).kind === "none") keep(ctx, room, room.visitorWithoutPlace());
      answer(ctx, room, "bypass", { link: given });
    },

    /** `POST …/bypass`: the button. */
    async claim(ctx: Context, room: WaitingRoom): Promise<void> {
      requireSameOrigin(ctx, issuer);
      const given = readLink(room, new URLSearchParams(await readForm(ctx)).get("link"));
      if (given === null) return answer(ctx, room, "bypass_void");
      const presented = presentedBy(ctx, room);
      if (presented.kind === "unknown_key") return answer(ctx, room, "bypass_unreadable", { link: given, place: null });
      const known = presented.kind === "ticket" ? presented.ticket : room.visitorWithoutPlace();
      if (await isOfUnknownEdition(room, known)) {
        return answer(ctx, room, "bypass_unreadable", { link: given, place: known });
      }
      const way = continuationOf(room, given.link);
      // Each hand-over is a login of its own; one at a site names itself when it comes.
      const login = way?.by === "token" ? Buffer.from(random.bytes(6)).toString("base64url") : null;
      const { ticket, result } = await claimPatiently(ctx, room, {
        ticket: withoutOldPlace(room, known),
        login,
        link: given.link,
      });
      if (result.result !== "admitted") return refuse(ctx, room, given, ticket, result);
      keep(ctx, room, { ...claimedTicket(room, ticket, result.admission), restarts: 0 });
      await leadOn(ctx, room, result.admission, way, login);
    },
  };

  function nowOf(room: WaitingRoom): number {
    return room.storeNowMs ?? clock.now();
  }

  function readLink(room: WaitingRoom, token: unknown): GivenLink<BypassLink> | null {
    if (typeof token !== "string") return null;
    const link = bypassServiceOf(room.id).links.read(room.id, token);
    return link === undefined ? null : { link, token };
  }

  function presentedBy(ctx: Context, room: WaitingRoom) {
    return room.read(cookies.readTicket(ctx.req, room.id));
  }

  function keep(ctx: Context, room: WaitingRoom, ticket: Ticket): void {
    cookies.setTicket(ctx.res, room.id, room.encode(ticket));
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
    { ticket, login, link }: { ticket: Ticket; login: string | null; link: BypassLink },
  ): Promise<{ ticket: Ticket; result: ClaimAnswer }> {
    let asking = ticket;
    let leftMs = patienceMs;
    for (;;) {
      const result = await room.claim(asking, login, { bypass: link, address: joinAddressOf(ctx) });
      if (result.result === "old_edition" && asking.position > 0) {
        asking = { ...asking, edition: 0, position: 0, entry: null, joinedMs: 0 };
        continue;
      }
      const isWorthwhile = result.result === "held" && result.by !== "recovery" && result.retryMs <= leftMs;
      if (!isWorthwhile) return { ticket: asking, result };
      leftMs -= result.retryMs;
      await pause(result.retryMs);
      // A visitor who has closed the connection is not let in.
      if (ctx.res.closed) return { ticket: asking, result };
    }
  }

  function refuse(
    ctx: Context,
    room: WaitingRoom,
    link: GivenLink<BypassLink>,
    ticket: Ticket,
    result: ClaimAnswer,
  ): void {
    switch (result.result) {
      case "void":
        answer(ctx, room, "bypass_void");
        break;
      case "newer_edition":
        answer(ctx, room, "bypass_unreadable", { link, place: ticket });
        break;
      case "exhausted":
        responder.notice(ctx, { status: 429, code: "too_many_logins", room });
        break;
      case "too_many_addresses":
        responder.notice(ctx, { status: 429, code: "in_use", room });
        break;
      case "held":
        answer(ctx, room, heldPages[result.by], { link, retryMs: result.retryMs });
        break;
      default: {
        const retryMs = result.result === "recovering" ? result.remainingMs : awayRetryMs;
        answer(ctx, room, "bypass_later", { link, retryMs });
      }
    }
  }

  /** The lists may have changed since the link was made; then it leads where visitors go otherwise. */
  function continuationOf(room: WaitingRoom, { target }: BypassLink): Continuation | null {
    const { continuations } = bypassServiceOf(room.id);
    return (target === null ? null : continuations.to(room.id, target)) ?? continuations.usual(room.id);
  }

  async function leadOn(
    ctx: Context,
    room: WaitingRoom,
    admission: Admission,
    way: Continuation | null,
    login: string | null,
  ): Promise<void> {
    if (way === null) return answer(ctx, room, "bypass_in");
    if (login !== null) {
      return handOver(ctx, tokens, { room, admission, login, target: way.address, nowMs: nowOf(room) });
    }
    ctx.set("Referrer-Policy", "no-referrer");
    seeOther(ctx, way.address);
  }
}
