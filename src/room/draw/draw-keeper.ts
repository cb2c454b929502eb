import type { BeaconValue, Draw, RoomState } from "../../store/contract/room-store.ts";
import { commitmentOf, publishedMs, roundOfDraw, seedOf } from "../draw-recipe/index.ts";
import type { SyncedRoom } from "../replica/synced-room.ts";
import { type DrawSource, secretOf } from "./draw-source.ts";

/**
 * Commits to the seeds of draws, and draws them when it is time; every process may, and one does.
 *
 * @returns commits or draws what is due by the last synced state, and answers whether the room may have changed; throws
 *   StoreUnavailableError and RoomRecoveringError
 */
export function createDrawRounds(room: SyncedRoom, source: DrawSource): () => Promise<boolean> {
  /** The round that was asked for last, and its value once there is one. */
  let fetched: { readonly round: number; value: BeaconValue | null; isUnderWay: boolean } | null = null;
  /** Draws for which it was reported that this process cannot draw them. */
  const faults = new Set<string>();
  /** What this process has committed to. */
  const committed = new Set<string>();

  async function commit({ edition, draws }: RoomState): Promise<boolean> {
    const coming = draws.findLast(({ stage }) => stage === "committed");
    const [key] = source.keys();
    if (key === undefined || (coming !== undefined && isBound(edition, coming))) return false;
    const id = coming?.id ?? (draws.at(-1)?.id ?? 0) + 1;
    committed.add(commitmentNow(edition, id));
    const name = { room: room.id, edition, id };
    const commitment = commitmentOf(name, seedOf(key.secret, name));
    await room.run("commitDraw", { edition, id, keyId: key.kid, commitment, chain: source.beacon().chain });
    return true;
  }

  /**
   * Whether the commitment stands. Before the first entry, a seed that this process cannot make, or a beacon other than
   * the configured one, is replaced: once, lest processes that disagree replace each other's in turn.
   */
  function isBound(edition: number, draw: Draw): boolean {
    if (draw.commitment === "") return false;
    if (draw.first > 0) return true;
    const isDrawable = secretOf(source, draw) !== undefined && draw.chain?.hash === source.beacon().chain.hash;
    return isDrawable || committed.has(commitmentNow(edition, draw.id));
  }

  /** What this process would commit to by now, in short. */
  function commitmentNow(edition: number, id: number): string {
    return [edition, id, source.keys()[0]?.kid, source.beacon().chain.hash].join(" ");
  }

  async function drawNow(state: RoomState, draw: Draw): Promise<boolean> {
    const { edition } = state;
    const name = { room: room.id, edition, id: draw.id };
    const secret = secretOf(source, draw);
    const seed = secret && seedOf(secret, name);
    if (seed === undefined || commitmentOf(name, seed) !== draw.commitment) {
      reportFault(edition, draw);
      return false;
    }
    return room.run("fixDraw", {
      edition,
      id: draw.id,
      seed,
      beacon: draw.usesBeacon ? beaconValue(state, draw) : null,
    });
  }

  /** Null as long as it is not known; the store decides how long that may be. */
  function beaconValue({ nowMs }: RoomState, { closesMs, chain }: Draw): BeaconValue | null {
    if (chain === null) return null;
    const round = roundOfDraw(chain, closesMs);
    if (fetched?.round !== round) fetched = { round, value: null, isUnderWay: false };
    const wanted = fetched;
    if (wanted.value === null && !wanted.isUnderWay && nowMs >= publishedMs(chain, round)) {
      wanted.isUnderWay = true;
      void source
        .beacon()
        .fetch(round, chain)
        .then((value) => {
          wanted.value = value;
          wanted.isUnderWay = false;
        });
    }
    return wanted.value;
  }

  function reportFault(edition: number, { id, keyId }: Draw): void {
    const name = `${edition}.${id}`;
    if (!faults.has(name)) room.emit("draw.key_unknown", { edition, draw: id, key: keyId });
    faults.add(name);
  }

  return async () => {
    const { state } = room;
    if (state === null || state.edition === 0) return false;
    const closed = state.draws.find(({ stage }) => stage === "closed");
    if (closed !== undefined) return drawNow(state, closed);
    const taking = state.draws.find((draw) => isTakingEntries(draw) && secretOf(source, draw) === undefined);
    if (taking !== undefined) reportFault(state.edition, taking);
    return wantsCommitment(state) ? commit(state) : false;
  };
}

/** Committed to for good: its key is needed when the doors open. */
function isTakingEntries({ stage, first, commitment }: Draw): boolean {
  return (stage === "committed" || stage === "closing") && first > 0 && commitment !== "";
}

/** Whether a prequeue is under way, or to come without another step of an operator. */
function wantsCommitment({ basePhase, draws, nowMs, settings }: RoomState): boolean {
  const { draw, schedule } = settings.effective;
  if (basePhase === "prequeue") return draws.some(({ stage, first }) => stage === "committed" && first > 0);
  if (draw?.order !== "random" || (basePhase !== "idle" && basePhase !== "ended")) return false;
  return schedule.prequeueAtMs !== null && schedule.prequeueAtMs > nowMs;
}
