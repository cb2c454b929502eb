import type { BeaconValue, Draw } from "../../store/contract/room-store.ts";
import { type BeaconChain, quicknet } from "../draw-recipe/index.ts";
import type { RingKey } from "../tickets/ticket.ts";

/** A source of public random numbers. */
export interface Beacon {
  /** That draws are announced with which are committed to from now on. */
  readonly chain: BeaconChain;
  /** The value of a round of a chain that is published, its signature checked; null where it is not to be had now. Never rejects. */
  fetch(round: number, chain: BeaconChain): Promise<BeaconValue | null>;
}

/** Where nothing fetches public random numbers. */
export const noBeacon: Beacon = { chain: quicknet, fetch: async () => null };

/** What a room's draws are made of. */
export interface DrawSource {
  readonly issuer: string;
  /** The draw keys by now: of the first the next seeds are made. */
  readonly keys: () => readonly RingKey[];
  readonly beacon: () => Beacon;
}

/** Of the key with which a draw was committed to; undefined where nobody has it any more, or nothing is committed to. */
export function secretOf({ keys }: DrawSource, { keyId }: Draw): Uint8Array | undefined {
  return keys().find(({ kid }) => kid === keyId)?.secret;
}
