import { claim as claimPlace } from "../../core/claim.ts";
import type { ClaimRequest, ClaimResult } from "../contract/room-store.ts";
import { toAdmission } from "./admissions.ts";
import type { GroupData, RoomData } from "./data.ts";
import { drawIdOf, numberOf } from "./places.ts";

/** A claim as the contract has it, and its answer. */
export function claim(room: RoomData, group: GroupData | null, request: ClaimRequest): ClaimResult {
  const answer = claimPlace(room, group, {
    ...request,
    number: numberOf(request),
    drawId: drawIdOf(request),
    isSilent: request.isSilent ?? false,
  });
  const { result, isNew, record, held, rank } = answer;
  if (record !== null) {
    const admission = toAdmission(room, record);
    return result === "admitted" ? { result, isNew, admission } : ({ result, admission } as ClaimResult);
  }
  return held === null ? ({ result } as ClaimResult) : { result: "held", retryMs: held.retryMs, rank, by: held.by };
}
