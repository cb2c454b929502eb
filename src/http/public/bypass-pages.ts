import type { Context } from "koa";
import { acceptsJsonOnly } from "../../oidc/index.ts";
import type { BypassLink, Ticket, WaitingRoom } from "../../waiting-room/index.ts";
import type { PageResponder } from "../page-responder.ts";
import type { Notice, NoticeAction } from "../pages/index.ts";

/** What a bypass link is answered with, where it does not lead on at once. */
export type BypassPage =
  | "bypass"
  | "bypass_held"
  | "bypass_full"
  | "bypass_in"
  | "bypass_later"
  | "bypass_unreadable"
  | "bypass_void";

interface Kind {
  readonly status: number;
  /** For programs; null where the answer is no error. */
  readonly description: string | null;
}

const kinds: Record<BypassPage, Kind> = {
  bypass: { status: 200, description: null },
  bypass_held: { status: 503, description: "the limit lets nobody in just now; the link is as good as before" },
  bypass_full: { status: 503, description: "the site is full just now; the link is as good as before" },
  bypass_in: { status: 200, description: null },
  bypass_later: { status: 503, description: "nobody can be let in just now; try again in a moment" },
  bypass_unreadable: { status: 409, description: "the ticket cannot be read here, and is left as it is" },
  bypass_void: { status: 410, description: "the link was used, is older than three minutes, or is none" },
};

export interface BypassAnswer {
  /** With its token: the page has the button. */
  readonly link?: { readonly link: BypassLink; readonly token: string };
  /** Milliseconds after which it is worth another try. */
  readonly retryMs?: number;
  /** The place that pressing the button gives up; null where it cannot be read. */
  readonly place?: Pick<Ticket, "edition" | "position"> | null;
}

/** The pages of bypass links, and the same for programs. */
export function createBypassPages(responder: Pick<PageResponder, "page">) {
  return (ctx: Context, room: WaitingRoom, code: BypassPage, { link, retryMs, place }: BypassAnswer = {}): void => {
    const { status, description } = kinds[code];
    if (retryMs !== undefined) ctx.set("Retry-After", String(Math.ceil(retryMs / 1_000)));
    if (acceptsJsonOnly(ctx.req)) {
      const expires_at = link === undefined ? {} : { expires_at: new Date(link.link.expiresMs).toISOString() };
      ctx.status = status;
      ctx.set({ "Cache-Control": "no-store", "Referrer-Policy": "no-referrer" });
      ctx.body = {
        ...(description === null ? { room: room.id } : { error: code, error_description: description }),
        ...expires_at,
      };
      return;
    }
    const notice: Notice = { code, values: { room: room.title }, message: room.message, timeZone: room.timeZone };
    if (link === undefined) {
      responder.page(ctx, status, notice);
      ctx.set("Referrer-Policy", "no-referrer");
      return;
    }
    // With no-referrer, browsers without Sec-Fetch-Site would not say whence the button's request comes.
    const action = place === undefined ? enter(room, link.token) : enterAnew(room, link.token, place);
    responder.page(ctx, status, { ...notice, action, untilMs: link.link.expiresMs });
  };
}

function enter({ id }: WaitingRoom, link: string): NoticeAction {
  return { kind: "post", action: `/rooms/${id}/bypass`, label: "enter", fields: { link } };
}

/** Gives up no place but the one that the page speaks of, and comes back to the page of the link. */
function enterAnew({ id }: WaitingRoom, link: string, place: BypassAnswer["place"]): NoticeAction {
  const fields = {
    return: `/rooms/${id}/bypass?link=${link}`,
    ...(place != null && { edition: String(place.edition), position: String(place.position) }),
  };
  return { kind: "post", action: `/rooms/${id}/rejoin`, label: "enter_anew", fields };
}
