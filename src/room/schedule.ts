import type { BasePhase, Schedule } from "../store/contract/room-store.ts";

/** The phases in which each time of the schedule that is still to come will change something: it moves a room forward only. */
export const phasesBefore: { readonly [Time in keyof Schedule]: readonly BasePhase[] } = {
  prequeueAtMs: ["idle"],
  opensAtMs: ["idle", "prequeue"],
  endsAtMs: ["idle", "prequeue", "open"],
};
