/** What a feature answers to programs that know another waiting room, and wait here in its words. */
import type { Context } from "koa";
import type { Admission, AwayAdmission, ReportedPlace, WaitingRoom } from "../../room/index.ts";

/** By the id of the room. */
export type Programs = Map<string, ProgramsOfRoom>;

export interface ProgramsOfRoom {
  /** More members of the JSON by which the gate tells a visitor to wait; null where the request is none of such a program. */
  members(ctx: Context, waiting: WaitingProgram): object | null;
  /** Lets a program wait at the address of a site, or enter there; null: it is refused as everybody is. */
  atSite(visit: SiteVisit): Promise<{ readonly admission: Admission | AwayAdmission } | SiteAnswer | null>;
}

export interface WaitingProgram {
  readonly room: WaitingRoom;
  /** Null: it has none. */
  readonly place: ReportedPlace | null;
  /** Milliseconds after which to ask again. */
  readonly retryMs: number;
  /** Of the wire, where there is one: `room_full`, say. */
  readonly error: string | null;
}

/** A request to a site by somebody without an admission, who may take a place with it. */
export interface SiteVisit {
  readonly ctx: Context;
  readonly room: WaitingRoom;
  /** The visitor's ticket, in a cookie of the site. */
  readonly ticket: SiteCookie;
  /** The page of the room that leads to the address that was asked for. */
  readonly enter: string;
}

/** A cookie of a site, which its proxy brings to the browser. */
export interface SiteCookie {
  readonly value: string | undefined;
  set(value: string, maxAgeSec: number): void;
}

/** What a program is told at the address of a site. */
export interface SiteAnswer {
  /** HTTP status that the program expects. */
  readonly status: number;
  readonly body: object;
  readonly retryMs: number | null;
}
