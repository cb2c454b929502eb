import { commitmentOf, publishedMs, roundOfDraw, seedOf } from "../../draw/index.ts";
import type { BeaconValue, Draw, RoomState } from "../../store/contract/room-store.ts";
import type { SyncedRoom } from "../replica/synced-room.ts";
import type { DrawSource } from "./draw-source.ts";

interface AskedRound {
  readonly round: number;
  value: BeaconValue | null;
  isUnderWay: boolean;
}

/** Commits to the seeds of draws, and draws them when it is time; every process may, and one does. */
export class DrawKeeper {
  readonly #room: Pick<SyncedRoom, "id" | "state" | "run" | "events">;
  readonly #source: DrawSource;
  /** The round that was asked for last, and its value once there is one. */
  #asked: AskedRound | null = null;
  /** Draws for which it was reported that this process cannot draw them. */
  readonly #faults = new Set<string>();
  /** What this process has committed to. */
  readonly #committed = new Set<string>();

  constructor(room: Pick<SyncedRoom, "id" | "state" | "run" | "events">, source: DrawSource) {
    this.#room = room;
    this.#source = source;
  }

  /**
   * Commits or draws what is due by the last synced state. Answers whether the room may have changed.
   *
   * @throws StoreUnavailableError
   * @throws RoomRecoveringError
   */
  async keep(): Promise<boolean> {
    const { state } = this.#room;
    if (state === null || state.edition === 0) return false;
    const closed = state.draws.find(({ stage }) => stage === "closed");
    if (closed !== undefined) return this.#draw(state, closed);
    const taking = state.draws.find((draw) => isTakingEntries(draw) && this.#secretOf(draw) === undefined);
    if (taking !== undefined) this.#reportFault(state, taking);
    return wantsCommitment(state) ? this.#commit(state) : false;
  }

  async #commit(state: RoomState): Promise<boolean> {
    const { id: room } = this.#room;
    const source = this.#source;
    const { edition, draws } = state;
    const coming = draws.findLast(({ stage }) => stage === "committed");
    const [key] = source.keys();
    if (key === undefined || (coming !== undefined && this.#isBound(edition, coming))) return false;
    const id = coming?.id ?? (draws.at(-1)?.id ?? 0) + 1;
    const { chain } = source.beacon;
    this.#committed.add(this.#commitmentNow(edition, id));
    const commitment = commitmentOf({ room, edition, id }, seedOf(key.secret, { room, edition, id }));
    await this.#room.run("commitDraw", { edition, id, keyId: key.kid, commitment, chain });
    return true;
  }

  /**
   * Whether the commitment stands. Before the first entry, a seed that this process cannot make, or a beacon other than
   * the configured one, is replaced: once, lest processes that disagree replace each other's in turn.
   */
  #isBound(edition: number, draw: Draw): boolean {
    if (draw.commitment === "") return false;
    if (draw.first > 0) return true;
    const isOwn = this.#secretOf(draw) !== undefined && draw.chain?.hash === this.#source.beacon.chain.hash;
    return isOwn || this.#committed.has(this.#commitmentNow(edition, draw.id));
  }

  /** What this process would commit to by now, in short. */
  #commitmentNow(edition: number, id: number): string {
    return [edition, id, this.#source.keys()[0]?.kid, this.#source.beacon.chain.hash].join(" ");
  }

  async #draw(state: RoomState, draw: Draw): Promise<boolean> {
    const { edition } = state;
    const name = { room: this.#room.id, edition, id: draw.id };
    const secret = this.#secretOf(draw);
    const seed = secret && seedOf(secret, name);
    if (seed === undefined || commitmentOf(name, seed) !== draw.commitment) {
      this.#reportFault(state, draw);
      return false;
    }
    const beacon = draw.usesBeacon ? this.#beaconValue(state, draw) : null;
    return this.#room.run("fixDraw", { edition, id: draw.id, seed, beacon });
  }

  /** Null as long as it is not known; the store decides how long that may be. */
  #beaconValue({ nowMs }: RoomState, { closesMs, chain }: Draw): BeaconValue | null {
    if (chain === null) return null;
    const round = roundOfDraw(chain, closesMs);
    const asked: AskedRound = this.#asked?.round === round ? this.#asked : { round, value: null, isUnderWay: false };
    this.#asked = asked;
    if (asked.value === null && !asked.isUnderWay && nowMs >= publishedMs(chain, round)) {
      asked.isUnderWay = true;
      void this.#source.beacon.fetch(round, chain).then((value) => {
        asked.value = value;
        asked.isUnderWay = false;
      });
    }
    return asked.value;
  }

  #secretOf({ keyId }: Draw): Uint8Array | undefined {
    return this.#source.keys().find(({ kid }) => kid === keyId)?.secret;
  }

  #reportFault({ edition }: RoomState, { id, keyId }: Draw): void {
    const name = `${edition}.${id}`;
    if (this.#faults.has(name)) return;
    this.#faults.add(name);
    this.#room.events.emit("draw.key_unknown", { room: this.#room.id, edition, draw: id, key: keyId });
  }
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
