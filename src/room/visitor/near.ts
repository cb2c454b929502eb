/** Whose turn is near: by the estimate that every visitor is shown, and by the people ahead where there is none. */
import type { RoomState } from "../../store/contract/room-store.ts";
import { peopleAhead } from "../line.ts";
import { paceOf, secondsBehind } from "./pace.ts";

/** The long end of the estimate. */
const nearSec = 180;
const nearPeople = 10;

/** The last position whose turn is near. @param queued the last one that is asked about. Default: the last that was handed out */
export function nearThrough(state: RoomState, queued = state.queued): number {
  const pace = paceOf(state);
  const isNear = (position: number) => {
    const ahead = peopleAhead(state, position);
    const wait = secondsBehind(pace, ahead);
    return wait === null ? ahead <= nearPeople : wait[1] <= nearSec;
  };
  // The wait grows with the position.
  let near = state.serving;
  let beyond = Math.max(queued, near) + 1;
  while (beyond - near > 1) {
    const middle = Math.floor((near + beyond) / 2);
    if (isNear(middle)) near = middle;
    else beyond = middle;
  }
  return near;
}
