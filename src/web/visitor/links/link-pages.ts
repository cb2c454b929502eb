import type { Context } from "koa";
import { acceptsJsonOnly } from "../../../lib/request.ts";
import { moveLinkValidMs, numberOf, type Ticket, type WaitingRoom } from "../../../room/index.ts";
import type { Notice, NoticeAction, NoticeCode } from "../../pages/index.ts";
import { ofRoom } from "../pages/gate-notices.ts";
import type { PageResponder } from "../pages/page-responder.ts";

/** How the pages of links that are used once are answered; to programs with a description where that is an error. */
const answers = {
  bypass: { status: 200 },
  bypass_held: { status: 503, description: "the limit lets nobody in just now; the link is as good as before" },
  bypass_full: { status: 503, description: "the site is full just now; the link is as good as before" },
  bypass_in: { status: 200 },
  bypass_later: { status: 503, description: "nobody can be let in just now; try again in a moment" },
  bypass_unreadable: { status: 409, description: "the ticket cannot be read here, and is left as it is" },
  bypass_void: { status: 410, description: "the link was used, is older than three minutes, or is none" },
  move_here: { status: 200 },
  move_replaces: { status: 200 },
  move_void: { status: 410, description: "the link was used, is older than ten minutes, or is none" },
  moved_here: { status: 200 },
  ticket_unreadable: { status: 409, description: "the ticket cannot be read here, and is left as it is" },
} as const satisfies Partial<Record<NoticeCode, { readonly status: number; readonly description?: string }>>;

/** Where a link leads, the parameter with its token, where its button sends that, and the button's labels. */
const kinds = {
  bypass: { path: "bypass", parameter: "link", form: "bypass", label: "enter", anew: "enter_anew", said: {} },
  move: {
    path: "move",
    parameter: "place",
    form: "move/here",
    label: "move_here",
    anew: "join_again",
    said: { durationMs: moveLinkValidMs },
  },
} as const;

/** A link that can be used yet, with its token. */
export interface UsableLink<Link> {
  readonly link: Link;
  readonly token: string;
}

export interface LinkAnswer {
  /** The page has a button for it; undefined where it is of no use any more. */
  readonly usable?: UsableLink<{ readonly expiresMs: number }>;
  /** The place that pressing the button gives up; null where it cannot be read. */
  readonly place?: Pick<Ticket, "edition" | "position" | "entry"> | null;
  /** Milliseconds after which it is worth another try. */
  readonly retryMs?: number;
  /** Whether nobody enters before that. */
  readonly isHold?: boolean;
}

/** What the two kinds of links that are used once have in common: their addresses, and their answers to people and programs. */
export function createLinkPages<Link>(
  kind: keyof typeof kinds,
  links: { read(room: string, token: string): Link | undefined },
  responder: Pick<PageResponder, "page">,
) {
  const { path, parameter, form, label, anew, said } = kinds[kind];
  const addressOf = ({ id }: WaitingRoom, token: string) => `/rooms/${id}/${path}?${parameter}=${token}`;

  /** A button that gives up a place gives up no other than the one that the page speaks of, and comes back to the link's page. */
  function actionOf(room: WaitingRoom, token: string, place: LinkAnswer["place"]): NoticeAction {
    const base = `/rooms/${room.id}`;
    if (place === undefined) return { kind: "post", action: `${base}/${form}`, label, fields: { [parameter]: token } };
    const named = place && { edition: String(place.edition), position: String(numberOf(place)) };
    return {
      kind: "post",
      action: `${base}/rejoin`,
      label: anew,
      fields: { return: addressOf(room, token), ...named },
    };
  }

  return {
    addressOf,

    /** Null for anything that is not a link of the room, whatever its age. */
    read(room: WaitingRoom, token: unknown): UsableLink<Link> | null {
      if (typeof token !== "string") return null;
      const link = links.read(room.id, token);
      return link === undefined ? null : { link, token };
    },

    answer(
      ctx: Context,
      room: WaitingRoom,
      code: keyof typeof answers,
      { usable, place, retryMs, isHold = false }: LinkAnswer = {},
    ): void {
      const { status, description }: { status: number; description?: string } = answers[code];
      if (retryMs !== undefined) ctx.set("Retry-After", String(Math.ceil(retryMs / 1_000)));
      const notice: Notice = {
        code,
        ...ofRoom(room),
        ...said,
        ...(isHold && { durationMs: retryMs }),
        ...(usable && { untilMs: usable.link.expiresMs, action: actionOf(room, usable.token, place) }),
      };
      responder.page(ctx, status, notice, {
        ...(description === undefined ? { room: room.id } : { error: code, error_description: description }),
        ...(usable && { expires_at: new Date(usable.link.expiresMs).toISOString() }),
      });
      // With no-referrer, browsers without Sec-Fetch-Site would not say whence the button's request comes.
      if (usable === undefined || acceptsJsonOnly(ctx.headers)) ctx.set("Referrer-Policy", "no-referrer");
    },
  };
}
