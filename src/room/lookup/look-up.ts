/**
 * Finds out how it stands with one visitor, for the people who help. A place in line is in the visitor's own hands: the store has a row
 * of those who were admitted or whose place was moved, no others. So a ticket says most, a bare number what its place would be, and a bare `sub`
 * whether there is an admission. Changes nothing.
 */
import type { Admission, RoomState } from "../../store/contract/room-store.ts";
import { isUndrawn, takesIn } from "../draw/entries.ts";
import { isInterruption } from "../replica/synced-room.ts";
import { type Ticket, ticketWithoutPlace } from "../tickets/ticket.ts";
import { describePlace } from "../visitor/place-status.ts";
import type { WaitingRoom } from "../waiting-room.ts";
import { type Finding, nothingFound, type VisitorState } from "./finding.ts";
import { admissionRowOf, historyOf, phaseSinceMs, type RecentLog } from "./history.ts";
import { judge, type VisitorFacts } from "./reasons.ts";

/** What a visitor is asked for by. `number`: a position or an entry number, whichever it can only be. */
export type VisitorRef =
  | { readonly by: "ticket"; readonly ticket: Ticket }
  | { readonly by: "sub"; readonly sub: string }
  | { readonly by: "position" | "entry" | "number"; readonly number: number };

const ofReturned: readonly VisitorState[] = ["entered", "waiting", "served", "expired", "left"];

/**
 * From the store, or while that is away from what this process knows. Null before the first sync; `ambiguous` for a number that is an
 * entry number and a position.
 */
export async function lookUpVisitor(room: WaitingRoom, ref: VisitorRef): Promise<Finding | "ambiguous" | null> {
  await room.catchUp();
  const { reportedState: state } = room;
  if (state === null) return null;
  if (ref.by === "ticket") return ofTicket(room, state, ref.ticket);
  if (ref.by === "sub") return ofSub(room, state, ref.sub);
  return ofNumber(room, state, ref);
}

async function ofTicket(room: WaitingRoom, state: RoomState, presented: Ticket): Promise<Finding> {
  const ticket = room.place(presented);
  if (room.isAhead(ticket)) {
    const reason = { code: "beyond_known", ticketEdition: ticket.edition, edition: state.edition } as const;
    return nothingFound(reason, ticket.sub);
  }
  const admission = await admissionOf(room, ticket.sub);
  const finding = await findingOf({ room, state, ticket, admission });
  // Leaving replaces the ticket in the browser: this may be an older copy.
  return { ...finding, mayAlsoBe: isInLine(finding.state) ? ["left"] : [] };
}

async function ofSub(room: WaitingRoom, state: RoomState, sub: string): Promise<Finding> {
  const admission = await admissionOf(room, sub);
  const moved = room.replica.movedTo(sub);
  const ticket = { ...ticketWithoutPlace(room.id, sub), edition: state.edition };
  if (admission === null && moved === undefined) return nothingFound({ code: "no_admission" }, sub);
  const { edition, position, entry = null } = admission ?? { edition: state.edition, position: moved?.number ?? 0 };
  const finding = await findingOf({
    room,
    state,
    ticket: room.place({ ...ticket, edition, position, entry }),
    admission,
  });
  if (finding.state === "admitted") return finding;
  // A visitor who comes back has the same `sub`, and a place that no store knows of.
  return { ...finding, mayAlsoBe: ofReturned.filter((state) => state !== finding.state) };
}

async function ofNumber(
  room: WaitingRoom,
  state: RoomState,
  { by, number }: Extract<VisitorRef, { number: number }>,
): Promise<Finding | "ambiguous"> {
  const { replica } = room;
  const { edition } = state;
  const nobody = ticketWithoutPlace(room.id, "");
  const ofNumberItself: Ticket = { ...nobody, edition, position: number };
  const draw = state.draws.find((candidate) => candidate.stage !== "cancelled" && takesIn(candidate, number));
  const isToCome = draw !== undefined && isUndrawn(draw);
  if (replica.isAhead(ofNumberItself)) return nothingFound({ code: "not_handed_out", last: state.queued });
  if (draw === undefined && by === "entry") return nothingFound({ code: "not_an_entry" });
  if (isToCome && by === "position") return nothingFound({ code: "not_drawn" });
  if (draw !== undefined && !isToCome && by === "number") return "ambiguous";
  if (state.gaps.some(({ from, to }) => number >= from && number <= to)) return nothingFound({ code: "nobodys_place" });
  // Of which entry a position was drawn is known of admissions alone: as of no entry, no move is found.
  const isDrawn = draw !== undefined && by === "position";
  const placed = isDrawn ? { ...ofNumberItself, entry: { number: 0, draw: draw.id } } : room.place(ofNumberItself);
  const admission = replica.admissionAt(edition, placed.position) ?? null;
  const sub = admission?.sub ?? replica.holderOf(placed) ?? "";
  const ticket = { ...placed, sub, ...(admission && { entry: admission.entry ?? null }) };
  const finding = await findingOf({ room, state, ticket, admission });
  return admission === null ? withDoubts(room, state, finding) : finding;
}

/** Of a bare number: nobody has its ticket at hand. */
async function withDoubts(room: WaitingRoom, state: RoomState, finding: Finding): Promise<Finding> {
  const { place } = finding;
  if (place === null || (finding.state !== "served" && finding.state !== "expired")) {
    return { ...finding, mayAlsoBe: isInLine(finding.state) ? ["left"] : [] };
  }
  const row = admissionRowOf(await recentLog(room), state.edition, place.position);
  if (row === undefined) {
    if (finding.state === "served") return { ...finding, mayAlsoBe: ["expired", "left"] };
    const reason = { code: "passed_by" } as const;
    return { ...finding, reason, history: [], mayAlsoBe: ["served", "left"] };
  }
  const { atMs, via } = row;
  const reason = { code: "admission_ended", end: null, expiresAtMs: null, admittedAtMs: atMs, via } as const;
  const admitted = { event: "admitted", atMs, isExact: true, detail: via } as const;
  return { ...finding, state: "expired", mayAlsoBe: ["left"], reason, history: [admitted] };
}

async function findingOf(visitor: Omit<VisitorFacts, "place" | "pausedSinceMs">): Promise<Finding> {
  const { room, state, ticket, admission } = visitor;
  const described = describePlace(state, room.replica, ticket);
  // 0: see `ofNumber`.
  const place = described.entry === 0 ? { ...described, entry: null } : described;
  const pausedSinceMs = async () => phaseSinceMs(await recentLog(room), state);
  const facts = { ...visitor, place };
  const judged = await judge({ ...facts, pausedSinceMs });
  const passes = judged.reason.code === "everybody_passes";
  return {
    ...judged,
    mayAlsoBe: [],
    sub: ticket.sub === "" ? null : ticket.sub,
    place: passes ? { ...place, state: "served" } : place,
    edition: ticket.edition === 0 ? null : ticket.edition,
    admission,
    history: historyOf(facts, judged),
  };
}

/** As the store has it, or as it was synced last: all live ones are. */
async function admissionOf(room: WaitingRoom, sub: string): Promise<Admission | null> {
  try {
    const found = await room.admissions.find(sub);
    // Of those that ended long ago only the store knows.
    if (found !== null && room.admissions.cached(sub) === null) room.replica.learnAdmissions([found]);
  } catch (error) {
    if (!isInterruption(error)) throw error;
  }
  return room.admissions.cached(sub)?.admission ?? null;
}

async function recentLog(room: WaitingRoom): Promise<RecentLog> {
  try {
    return await room.log.recent();
  } catch (error) {
    if (!isInterruption(error)) throw error;
    return { rows: [], isWhole: false };
  }
}

function isInLine(state: VisitorState): boolean {
  return state === "entered" || state === "waiting" || state === "served";
}
