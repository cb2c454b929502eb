import { usualRate } from "../../lib/address-buckets.ts";
import type { SyncedRoom } from "../replica/synced-room.ts";
import type { JoinLimits } from "./join-limits.ts";

export type Passers = ReturnType<typeof createPassers>;

/**
 * New visitors of a room that everybody passes. Each leaves an admission in the store, so they are counted by address as joins usually
 * are, however few may join: a crowded address is let through. Their buckets are their own: what came before a sale takes no place of it.
 */
export function createPassers(room: Pick<SyncedRoom, "name" | "settings">, limits: Pick<JoinLimits, "of">) {
  return {
    /** Milliseconds until a visitor from there may pass; 0 for now. @param address null: it is not counted */
    take(address: string | null): number {
      const { joinsPerAddress: limit, rehearsal } = room.settings;
      if (address === null || limit === null || rehearsal === true) return 0;
      const perMinute = Math.max(usualRate.perMinute, limit.perMinute);
      const burst = Math.max(usualRate.burst, limit.burst);
      return limits.of(`${room.name} pass`, { ...limit, perMinute, burst }, null).take(address)?.retryMs ?? 0;
    },
  };
}
