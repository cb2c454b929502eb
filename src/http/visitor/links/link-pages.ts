import type { Context } from "koa";
import { acceptsJsonOnly } from "../../../oidc/index.ts";
import type { Notice, NoticeAction } from "../../../pages/index.ts";
import { numberOf, type Ticket, type WaitingRoom } from "../../../room/index.ts";
import type { PageResponder } from "../page-responder.ts";

/** How a page of a link is answered. */
export interface LinkPage {
  readonly status: number;
  /** For programs; null where the answer is no error. */
  readonly description: string | null;
}

/** A link that can be used yet, with its token. */
export interface GivenLink<Link> {
  readonly link: Link;
  readonly token: string;
}

/** A place that pressing a button gives up; null where it cannot be read. */
export type GivenUp = Pick<Ticket, "edition" | "position" | "entry"> | null;

/**
 * The page of a link that is used once, and the same for programs.
 *
 * @param link what programs are told of it; undefined where it is of no use any more, and the page has no button
 */
export function answerLink(
  ctx: Context,
  responder: Pick<PageResponder, "page">,
  room: WaitingRoom,
  { status, description }: LinkPage,
  notice: Notice,
  link: { readonly expiresMs: number } | undefined,
): void {
  if (!acceptsJsonOnly(ctx.req)) {
    responder.page(ctx, status, notice);
    // With no-referrer, browsers without Sec-Fetch-Site would not say whence the button's request comes.
    if (link === undefined) ctx.set("Referrer-Policy", "no-referrer");
    return;
  }
  ctx.status = status;
  ctx.set({ "Cache-Control": "no-store", "Referrer-Policy": "no-referrer" });
  ctx.body = {
    ...(description === null ? { room: room.id } : { error: notice.code, error_description: description }),
    ...(link !== undefined && { expires_at: new Date(link.expiresMs).toISOString() }),
  };
}

/** The button that gives up no place but the one that the page speaks of, and comes back to the page of the link. */
export function giveUpAction(
  { id }: WaitingRoom,
  returnTo: string,
  label: NoticeAction["label"],
  place: GivenUp,
): NoticeAction {
  const fields = {
    return: returnTo,
    ...(place !== null && { edition: String(place.edition), position: String(numberOf(place)) }),
  };
  return { kind: "post", action: `/rooms/${id}/rejoin`, label, fields };
}
