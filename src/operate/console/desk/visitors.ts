/** How it stands with one visitor, asked as a script would ask it. */
import type { AdminAnswers } from "../../client/index.ts";
import { type Api, take } from "../api/api.ts";
import { linkOf, type TimedLink } from "./bypass-control.tsx";

export type Visitor = AdminAnswers["Visitor"];
export type NumberKind = "position" | "entry";

/** What goes into an address. */
export interface Ref {
  readonly ref: string;
  readonly by?: NumberKind;
}

/**
 * A ticket never goes into an address: addresses are logged, and a ticket lets its holder enter. A ticket has three dots, a `sub`
 * one, so what was copied around a ticket does not matter.
 *
 * @returns null for a ticket
 */
export function readRef(written: string): Ref | null {
  return written.split(".").length > 2 ? null : { ref: written };
}

/** Whether a number may be both; what is meant is asked for then. */
export function isNumber({ ref }: Ref): boolean {
  return /^[1-9]\d{0,14}$/.test(ref);
}

/** @param ref null for a ticket @throws ProblemError */
export function findVisitor({ ask }: Api, room: string, ref: Ref | null, written: string): Promise<Visitor> {
  if (ref === null) {
    return take(
      ask.POST("/admin/rooms/{room}/visitors/find", { params: { path: { room } }, body: { ticket: written } }),
    );
  }
  return take(ask.GET("/admin/rooms/{room}/visitors/{ref}", { params: paramsOf(room, ref) }));
}

/**
 * By what a link can go that shows the same; null where nobody was found. A ticket does not go into a link: of a place in line its
 * number tells as much, of an admission the `sub`.
 */
export function refOfLink({ sub, place, admission }: Visitor, by: Ref | null): Ref | null {
  if (sub === null && place === null) return null;
  if (by !== null) return by;
  if (admission === null && place?.state === "entered" && place.entry !== null) {
    return { ref: String(place.entry), by: "entry" };
  }
  if (admission === null && place?.position) return { ref: String(place.position), by: "position" };
  return sub === null ? null : { ref: sub };
}

/** @throws ProblemError */
export function makeDebugLink({ ask }: Api, room: string, ref: Ref): Promise<TimedLink> {
  return linkOf(ask.POST("/admin/rooms/{room}/visitors/{ref}/debug-link", { params: paramsOf(room, ref), body: {} }));
}

function paramsOf(room: string, { ref, by }: Ref) {
  return { path: { room, ref }, query: by === undefined ? {} : { by } };
}
