/** What is known of a visitor's way so far. */
import type { LogRow, RoomState } from "../../store/contract/room-store.ts";
import type { VisitorEvent } from "./finding.ts";
import { expiredAtMs, type Judged, toWallMs, type VisitorFacts } from "./reasons.ts";

export function historyOf(
  facts: Omit<VisitorFacts, "pausedSinceMs">,
  { state: stands, reason }: Judged,
): VisitorEvent[] {
  const { room, state, ticket, admission } = facts;
  const events: VisitorEvent[] = [];
  const add = (
    event: VisitorEvent["event"],
    atMs: number | null,
    isExact = true,
    detail: VisitorEvent["detail"] = null,
  ) => events.push({ event, atMs, isExact, detail });
  const [first] = ticket.requests;
  if (first !== undefined) add("arrived", first.firstSeenMs);
  // By another clock where the store has begun anew since; then it may be in the future.
  if (ticket.joinedMs > 0 && ticket.joinedMs <= state.claimMs) add("joined", toWallMs(state, ticket.joinedMs), false);
  const move = ticket.position > 0 ? room.replica.moveOf(ticket) : undefined;
  if (move !== undefined) add("moved", move.movedMs);
  const isOfEdition = ticket.position > 0 && ticket.edition === state.edition;
  const servedMs = isOfEdition ? room.replica.advances.servedMs(ticket.position) : null;
  if (servedMs !== null) add("served", toWallMs(state, Math.max(servedMs, ticket.joinedMs)), false);
  if (reason.code === "claim_expired") add("expired", expiredAtMs(facts), false);
  const entered = admission ?? ticket.claim;
  if (entered !== null) add("admitted", entered.admittedMs, true, entered.via);
  if (entered !== null && stands !== "admitted") addEnd();
  return events.toSorted((a, b) => (a.atMs ?? Number.POSITIVE_INFINITY) - (b.atMs ?? Number.POSITIVE_INFINITY));

  /** When an admission was ended early is not kept. */
  function addEnd() {
    const end = admission === null ? "expired" : (admission.ended ?? "expired");
    add("ended", end === "expired" ? (entered?.expiresMs ?? null) : null, true, end);
  }
}

/** The last rows of a room's log, oldest first. */
export interface RecentLog {
  readonly rows: readonly LogRow[];
  /** Whether nothing older is kept. */
  readonly isWhole: boolean;
}

/** When the room has come into the phase in which it is, now (ms); null where the rows do not reach back so far. */
export function phaseSinceMs({ rows, isWhole }: RecentLog, state: RoomState): number | null {
  let sinceMs: number | null = null;
  for (const row of rows.toReversed()) {
    if (row.kind === "off" || row.kind === "recovery") return null;
    if (row.kind !== "state") continue;
    if (row.phase !== state.phase || row.reason !== state.phaseReason) return sinceMs;
    sinceMs = row.atMs;
  }
  return isWhole ? sinceMs : null;
}

/** The row of the admission for a place; the log does not say whose. */
export function admissionRowOf({ rows }: RecentLog, edition: number, position: number) {
  return rows.findLast((row) => row.kind === "admission" && row.edition === edition && row.position === position) as
    | Extract<LogRow, { kind: "admission" }>
    | undefined;
}
