/**
 * What must hold of the admission log when a day is over: its chain verifies, with every head that processes have told; each
 * admission in it was made, and those that were made are in it. Only what a loss has taken is missing, and the log says so.
 */
import { type ChainHead, LogVerifier, readLine } from "../../../src/room/admission-log/index.ts";
import { numberOf } from "../../../src/room/tickets/ticket.ts";
import type { WaitingRoom } from "../../../src/room/waiting-room.ts";
import type { ClaimRequest, Admission as StoredAdmission } from "../../../src/store/contract/room-store.ts";

interface Made {
  readonly key: string;
  readonly index: number;
}

/** Admissions with these indices, from the first to before the last, were made since what the store has come back as. */
interface Loss {
  readonly from: number;
  readonly to: number;
}

type Break = (what: string, details: unknown) => void;

export class LogRules {
  readonly #made: Made[] = [];
  readonly #losses: Loss[] = [];
  readonly #heads = new Map<number, string>();
  readonly #break: Break;
  #saved = 0;

  constructor(onBroken: Break) {
    this.#break = onBroken;
  }

  admitted(request: ClaimRequest, { edition, position, via, admittedMs }: StoredAdmission): void {
    const number = numberOf({ position, entry: request.entry ?? null });
    const key = keyOf(edition, position, number, via, admittedMs);
    this.#made.push({ key, index: this.#made.length });
  }

  /** A process has told the head of the chain. */
  sealed(head: ChainHead): void {
    const known = this.#heads.get(head.seq) ?? head.hash;
    if (known !== head.hash) this.#break("a row of the log has two hashes", { head, known });
    this.#heads.set(head.seq, head.hash);
  }

  /** The store was saved. */
  saved(): void {
    this.#saved = this.#made.length;
  }

  /** The store has come back empty, or as it was saved last. */
  lost(as: "empty" | "saved"): void {
    this.#losses.push({ from: as === "empty" ? 0 : this.#saved, to: this.#made.length });
  }

  /** Judges the log as any process tells it, when nothing happens any more. */
  async judge(room: WaitingRoom): Promise<void> {
    const verifier = new LogVerifier();
    const found = new Map<string, number>();
    for await (const chunk of await room.log.lines(0)) {
      for (const text of chunk.split("\n").slice(0, -1)) {
        const line = verifier.take(text);
        if (line !== null) this.#compareHead(line.seq, readLine(text)?.hash);
        if (line?.kind !== "admission") continue;
        const { edition, position, number, via, at } = line;
        const key = keyOf(edition, position ?? 0, number ?? 0, via, Date.parse(at));
        found.set(key, (found.get(key) ?? 0) + 1);
      }
    }
    const { fault, missing, base } = verifier.result();
    if (fault !== null) this.#break("the log's chain is broken", fault);
    const unsaid = missing.find(({ recovery }) => recovery === null);
    if (unsaid !== undefined) this.#break("rows of the log are missing, and no row says so", unsaid);
    this.#compare(found, missing.length > 0, (base?.seq ?? 0) > 0);
  }

  #compareHead(seq: number, hash: string | undefined): void {
    const told = this.#heads.get(seq) ?? hash;
    if (told !== hash) this.#break("the log has another head than was told", { seq, told, hash });
  }

  /**
   * Several that bypassed the queue in the same millisecond cannot be told apart: rows are taken to be of those that no loss took, and
   * of the last ones, since the oldest rows are forgotten first.
   */
  #likeliestFirst(): Made[] {
    const latestFirst = this.#made.toReversed();
    const [kept, taken] = [false, true].map((isOfLoss) =>
      latestFirst.filter(({ index }) => this.#isOfLoss(index) === isOfLoss),
    );
    return [...(kept ?? []), ...(taken ?? [])];
  }

  #isOfLoss(index: number): boolean {
    return this.#losses.some(({ from, to }) => index >= from && index < to);
  }

  /** @param isTrimmed whether the oldest rows were forgotten in good order */
  #compare(found: Map<string, number>, saysLosses: boolean, isTrimmed: boolean): void {
    const lost: Made[] = [];
    let firstFound = this.#made.length;
    for (const made of this.#likeliestFirst()) {
      const count = found.get(made.key) ?? 0;
      if (count === 0) lost.push(made);
      else {
        found.set(made.key, count - 1);
        firstFound = Math.min(firstFound, made.index);
      }
    }
    for (const [key, count] of found) {
      if (count > 0) this.#break("the log has an admission that nobody got", { key, count });
    }
    const keptFrom = isTrimmed ? firstFound : 0;
    const unexplained = lost.find(({ index }) => index >= keptFrom && !this.#isOfLoss(index));
    if (unexplained !== undefined) this.#break("an admission is missing in the log", unexplained);
    if (lost.length > 0 && !saysLosses && !isTrimmed)
      this.#break("admissions are missing in the log, and it does not say so", lost[0]);
  }
}

function keyOf(edition: number, position: number, number: number, via: string, atMs: number): string {
  return [edition, position, number, via, atMs].join(" ");
}
