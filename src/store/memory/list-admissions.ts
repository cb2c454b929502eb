import type { Admission, WantedAdmissions } from "../contract/room-store.ts";
import { wantedSince } from "./admissions.ts";
import type { RoomData } from "./data.ts";
import type { Clocks } from "./wall-times.ts";

/** Looked at in one call, where only some are wanted. */
const looksMax = 1_000;

export function listAdmissions(
  room: RoomData,
  cursor: number,
  limit: number,
  { status, edition }: WantedAdmissions,
  clocks: Clocks,
) {
  const areAllWanted = status === undefined && edition === undefined;
  const isWanted = (admission: Admission) =>
    (status === undefined || (admission.ended ?? "live") === status) &&
    (edition === undefined || (admission.edition === edition.id) !== edition.isOthers);
  return wantedSince(room, cursor, { limit, looksMax: areAllWanted ? limit : looksMax }, isWanted, clocks);
}
