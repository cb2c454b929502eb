import type { Context } from "koa";
import type { Notice, NoticeAction } from "../../../pages/index.ts";
import type { BypassLink, WaitingRoom } from "../../../room/index.ts";
import type { PageResponder } from "../page-responder.ts";
import { answerLink, type GivenLink, type GivenUp, giveUpAction, type LinkPage } from "./link-pages.ts";

/** What a bypass link is answered with, where it does not lead on at once. */
export type BypassPage =
  | "bypass"
  | "bypass_held"
  | "bypass_full"
  | "bypass_in"
  | "bypass_later"
  | "bypass_unreadable"
  | "bypass_void";

const kinds: Record<BypassPage, LinkPage> = {
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
  readonly link?: GivenLink<BypassLink>;
  /** Milliseconds after which it is worth another try. */
  readonly retryMs?: number;
  readonly place?: GivenUp;
}

/** The pages of bypass links, and the same for programs. */
export function createBypassPages(responder: Pick<PageResponder, "page">) {
  return (ctx: Context, room: WaitingRoom, code: BypassPage, answer: BypassAnswer = {}): void => {
    const { link: given, retryMs, place } = answer;
    if (retryMs !== undefined) ctx.set("Retry-After", String(Math.ceil(retryMs / 1_000)));
    const notice: Notice = {
      code,
      values: { room: room.title },
      message: room.message,
      timeZone: room.timeZone,
      ...(given !== undefined && {
        untilMs: given.link.expiresMs,
        action: place === undefined ? enter(room, given.token) : enterAnew(room, given.token, place),
      }),
    };
    answerLink(ctx, responder, room, kinds[code], notice, given?.link);
  };
}

function enter({ id }: WaitingRoom, link: string): NoticeAction {
  return { kind: "post", action: `/rooms/${id}/bypass`, label: "enter", fields: { link } };
}

function enterAnew(room: WaitingRoom, link: string, place: GivenUp): NoticeAction {
  return giveUpAction(room, `/rooms/${room.id}/bypass?link=${link}`, "enter_anew", place);
}
