import type { BeaconOutcome, DrawRecord } from "../../draw/index.ts";
import type { Draw, RoomState } from "../../store/contract/room-store.ts";

/** What fixes the order of a draw that is drawn: the record alone, whatever beacon this process would use. */
export function toDrawRecord({ room, edition }: RoomState, draw: Draw): DrawRecord {
  const { id, first, last, seed } = draw;
  const gaps = draw.gaps.map(({ from, to }) => [from, to] as const);
  return { room, edition, id, seed, first, last, gaps, beacon: beaconOf(draw) };
}

function beaconOf({ usesBeacon, chain, beacon }: Draw): BeaconOutcome {
  if (!usesBeacon) return null;
  return beacon === null
    ? "fallback"
    : { chain: chain?.hash ?? "", round: beacon.round, randomness: beacon.randomness };
}
