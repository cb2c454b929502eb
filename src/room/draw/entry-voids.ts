import { rowLength, rowsWith } from "../../core/ports/lists.ts";
import { addressBlock } from "../../lib/address-block.ts";
import { UsherError } from "../../lib/errors.ts";
import type { Draw, EntryVoid, Gap, RoomState } from "../../store/contract/room-store.ts";
import type { SyncedRoom } from "../replica/synced-room.ts";
import { type BlockRows, numbersOf, textOfNumber } from "./block-rows.ts";
import { comingDraw, voidedEntriesOf } from "./entries.ts";

/** Rows that are asked for at once. */
const pageRows = 20_000;
/** Entries whose blocks are counted; those behind are not. */
const countedMax = 5_000_000;
/** Entries may come faster than they are looked through; then again. */
const maxTries = 5;
/** Blocks that an error names. */
const namedMax = 5;

export interface BlockCount {
  readonly block: string;
  readonly entries: number;
}

/** The blocks that have the most entries of the draw that takes entries. */
export interface BlockCounts {
  readonly draw: Draw;
  /** Entries so far, voided ones among them; and of how many the address is known. */
  readonly entries: number;
  readonly withAddress: number;
  readonly addresses: readonly BlockCount[];
  readonly networks: readonly BlockCount[];
}

export interface Voiding {
  readonly draw: number;
  readonly blocks: readonly string[];
  readonly reason: string;
}

export type EntryVoids = ReturnType<typeof createEntryVoids>;

/** Entries by the blocks of addresses that they came from, for operators: who has very many of them, and that they are void. */
export function createEntryVoids(room: SyncedRoom, rows: BlockRows) {
  /** Calls with each page of rows, and the number of its first. Answers up to which number there are entries. */
  async function scanPages(draw: number, take: (page: string, first: number) => void): Promise<number> {
    let from = 1;
    for (;;) {
      const page = await room.store.entryBlocks(room.name, from, pageRows);
      if (page.draw !== draw || page.rows === "") return page.draw === draw || page.draw === 0 ? page.queued : 0;
      take(page.rows, page.first);
      from = page.first + page.rows.length / rowLength;
      if (from > page.queued || from - page.first < 1) return page.queued;
    }
  }

  async function find(draw: number, blocks: readonly string[]) {
    const numbers: Gap[] = [];
    const missing = new Set(blocks);
    let through = 0;
    await scanPages(draw, (page, first) => {
      for (const block of missing) if (rowsWith(page, [block]).length > 0) missing.delete(block);
      for (const index of rowsWith(page, blocks)) {
        const number = first + index;
        const last = numbers.at(-1);
        if (last?.to === number - 1) numbers[numbers.length - 1] = { from: last.from, to: number };
        else numbers.push({ from: number, to: number });
      }
      through = first + page.length / rowLength - 1;
    });
    return { numbers, through, missing: [...missing] };
  }

  async function sync(): Promise<void> {
    await room.catchUp();
    room.replica.keep();
  }

  return {
    /** How many entries some blocks have. @throws StoreUnavailableError */
    async count(draw: number, blocks: readonly string[]): Promise<number> {
      return voidedEntriesOf(await find(draw, blocks));
    },

    /** How many entries a void of these blocks would take out. @throws UsherError `bad_request`, StoreUnavailableError */
    async countEntries(draw: number, blocks: readonly string[]): Promise<number> {
      const found = await find(draw, blocks);
      if (found.missing.length > 0) throw unknownBlocks(found.missing);
      return voidedEntriesOf(found);
    },

    /** The draw that takes entries. @throws UsherError `conflict` where there is none */
    async taking(): Promise<Draw> {
      await room.refresh();
      const draw = room.state === null ? undefined : comingDraw(room.state);
      if (draw === undefined || draw.first === 0) throw new UsherError("conflict", notTaking(room.state));
      return draw;
    },

    /** Counts the entries of each block, by address and by network. @param most so many of each, those with the most entries */
    async counts(draw: Draw, most: number): Promise<BlockCounts> {
      const entries = Math.max(0, (room.state?.queued ?? 0) - draw.first + 1);
      const size = Math.min(countedMax, entries + pageRows);
      const found = { address: new Float64Array(size), network: new Float64Array(size) };
      let withAddress = 0;
      await scanPages(draw.id, (page) => {
        const networks = numbersOf(page, "network");
        for (const [index, address] of numbersOf(page, "address").entries()) {
          if (address < 0 || withAddress === size) continue;
          found.address[withAddress] = address;
          found.network[withAddress] = networks[index] ?? -1;
          withAddress++;
        }
      });
      const top = (part: keyof typeof found) => mostOf(found[part].subarray(0, withAddress).sort(), most);
      return { draw, entries, withAddress, addresses: top("address"), networks: top("network") };
    },

    /** The blocks of an address, as entries have them; null where it is none, or this process lacks the draw's key. */
    blocksOf(draw: Draw, address: string) {
      const block = addressBlock(address);
      return block === null ? null : rows.blocksOf(draw, block);
    },

    /**
     * Voids the entries of some blocks.
     *
     * @param requestId makes it safe to repeat as long as the edition lasts; null for none
     * @throws UsherError `bad_request`, `conflict`, `idempotency_key_reused`
     */
    async void({ draw: id, blocks, reason }: Voiding, requestId: string | null, admin: string): Promise<EntryVoid> {
      const { state } = room;
      const draw = state?.draws.find((candidate) => candidate.id === id);
      if (state === null || draw === undefined) throw new UsherError("conflict", notTaking(state));
      const reference = rows.referenceFor(draw, requestId);
      for (let tries = 0; tries < maxTries; tries++) {
        // A void that is repeated after the closing gets its first answer, and no block has entries any more.
        const isTaking = comingDraw(state)?.id === id;
        const { missing, ...found } = await find(id, blocks);
        if (isTaking && missing.length > 0) throw unknownBlocks(missing);
        const request = { edition: state.edition, draw: id, reference, reason, blocks, ...found };
        const answer = await room.run("voidEntries", request);
        if (answer.result === "behind") continue;
        if (answer.result !== "voided") throw refusalOf(answer.result, room.state);
        const detail = { reference, reason, blocks: blocks.length, entries: voidedEntriesOf(answer.void) };
        room.emit("room.admin_step", { step: "void_entries", detail, admin });
        await sync();
        return answer.void;
      }
      throw new UsherError("conflict", "entries come faster than they can be looked through; try again");
    },

    /** Takes a void back. @throws UsherError `conflict`, `not_found` */
    async restore(reference: string, admin: string): Promise<EntryVoid> {
      const { state } = room;
      const request = { edition: state?.edition ?? 0, reference };
      const answer = await room.run("restoreEntries", request);
      if (answer.result === "unknown")
        throw new UsherError("not_found", `there is no void ${reference} in this edition`);
      if (answer.result !== "restored") throw refusalOf(answer.result, state);
      const detail = { reference, entries: voidedEntriesOf(answer.void) };
      room.emit("room.admin_step", { step: "restore_entries", detail, admin });
      await sync();
      return answer.void;
    },
  };
}

function unknownBlocks(blocks: readonly string[]): UsherError {
  const names = blocks.slice(0, namedMax).join(", ");
  const message = `blocks: the draw has no entry from ${names}${blocks.length > namedMax ? " and others" : ""}: GET …/draw/blocks lists those that it has`;
  return new UsherError("bad_request", message);
}

function refusalOf(result: "closed" | "conflict" | "too_many", state: RoomState | null): UsherError {
  if (result === "closed") return new UsherError("conflict", notTaking(state));
  if (result === "conflict") {
    return new UsherError("idempotency_key_reused", "this Idempotency-Key was used for another request");
  }
  const most = "200 voids, 1,000 blocks and 5,000 stretches of numbers in an edition";
  return new UsherError("conflict", `this would be more than ${most}: void a whole network, or less`);
}

function notTaking(state: RoomState | null): string {
  const last = state?.draws.at(-1);
  return last !== undefined && last.first > 0
    ? `the draw is ${last.stage}: who takes part is fixed, and nothing can be voided or given back any more`
    : "no draw takes entries now: voids are possible from the prequeue until the entries are closed";
}

/** @param sorted hashes as numbers, ascending */
function mostOf(sorted: Float64Array, most: number): BlockCount[] {
  const top: { number: number; entries: number }[] = [];
  for (let at = 0; at < sorted.length; ) {
    const number = sorted[at] as number;
    let end = at + 1;
    while (end < sorted.length && sorted[end] === number) end++;
    const entries = end - at;
    if (top.length < most || entries > (top.at(-1)?.entries ?? 0)) {
      const place = top.findIndex((block) => block.entries < entries);
      top.splice(place < 0 ? top.length : place, 0, { number, entries });
      if (top.length > most) top.pop();
    }
    at = end;
  }
  return top.map(({ number, entries }) => ({ block: textOfNumber(number), entries }));
}
