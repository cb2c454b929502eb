import type { Context } from "koa";
import type { Notice, NoticeAction } from "../../../pages/index.ts";
import { type MoveLink, moveLinkValidMs, type WaitingRoom } from "../../../room/index.ts";
import type { PageResponder } from "../page-responder.ts";
import { answerLink, type GivenLink, type GivenUp, giveUpAction, type LinkPage } from "./link-pages.ts";

/** What a link that carries a place is answered with, where it does not lead on at once. */
export type MovePage = "move_here" | "move_replaces" | "move_void" | "moved_here" | "ticket_unreadable";

const kinds: Record<MovePage, LinkPage> = {
  move_here: { status: 200, description: null },
  move_replaces: { status: 200, description: null },
  move_void: { status: 410, description: "the link was used, is older than ten minutes, or is none" },
  moved_here: { status: 200, description: null },
  ticket_unreadable: { status: 409, description: "the ticket cannot be read here, and is left as it is" },
};

export interface MoveAnswer {
  /** With its token: the page has a button. */
  readonly link?: GivenLink<MoveLink>;
  readonly place?: GivenUp;
}

/** The pages of links that carry a place, and the same for programs. */
export function createMovePages(responder: Pick<PageResponder, "page">) {
  return (ctx: Context, room: WaitingRoom, code: MovePage, { link: given, place }: MoveAnswer = {}): void => {
    const notice: Notice = {
      code,
      values: { room: room.title },
      message: room.message,
      durationMs: moveLinkValidMs,
      ...(given !== undefined && {
        action: place === undefined ? bringHere(room, given.token) : joinAnew(room, given.token, place),
      }),
    };
    answerLink(ctx, responder, room, kinds[code], notice, given?.link);
  };
}

/** Where the page of a link stands. */
export function moveAddress({ id }: Pick<WaitingRoom, "id">, token: string): string {
  return `/rooms/${id}/move?place=${token}`;
}

function bringHere({ id }: WaitingRoom, token: string): NoticeAction {
  return { kind: "post", action: `/rooms/${id}/move/here`, label: "move_here", fields: { place: token } };
}

function joinAnew(room: WaitingRoom, token: string, place: GivenUp): NoticeAction {
  return giveUpAction(room, moveAddress(room, token), "join_again", place);
}
