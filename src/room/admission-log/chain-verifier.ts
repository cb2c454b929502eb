import { type LogLine, readLine } from "./lines.ts";
import type { ChainHead, ChainRecipe } from "./recipe.ts";

/** Numbers that no row of the file has. */
export interface MissingRows {
  readonly from: number;
  readonly to: number;
  /**
   * The row that says so: rows up to `heard` are lost, of those behind it nobody knows whether there were any. Null where none does:
   * the store has lost rows.
   */
  readonly recovery: { readonly seq: number; readonly at: string; readonly heard: number } | null;
}

export interface Verification {
  /** Null for an audit, and where the file does not say. */
  readonly room: string | null;
  readonly isAudit: boolean;
  /** Rows that were read, the base line aside. */
  readonly rows: number;
  readonly first: number | null;
  readonly last: ChainHead | null;
  /** The row before the first: what was before it is no part of the file. */
  readonly base: ChainHead | null;
  readonly missing: readonly MissingRows[];
  /** The first line at which the chain breaks, from 1, and why. */
  readonly fault: { readonly line: number; readonly reason: string } | null;
  readonly heads: readonly { readonly head: ChainHead; readonly result: HeadResult }[];
}
type HeadResult = "matches" | "differs" | "not_in_file";

/** Checks an exported log line by line. What it keeps does not grow with the file. */
export class ChainVerifier {
  readonly #recipe: ChainRecipe;
  readonly #heads: { readonly head: ChainHead; result: HeadResult }[];
  readonly #missing: MissingRows[] = [];
  readonly #found: { -readonly [Name in keyof Verification]: Verification[Name] };
  #lines = 0;

  /** @param heads recorded earlier, to be found again in the chain */
  constructor(recipe: ChainRecipe, heads: readonly ChainHead[] = []) {
    this.#recipe = recipe;
    this.#heads = heads.map((head) => ({ head, result: "not_in_file" }));
    const [missing, compared] = [this.#missing, this.#heads];
    this.#found = {
      room: null,
      isAudit: false,
      rows: 0,
      first: null,
      last: null,
      base: null,
      missing,
      fault: null,
      heads: compared,
    };
  }

  /** Takes the next line, and answers what it says; null for one that says nothing. */
  take(text: string): LogLine | null {
    this.#lines++;
    if (text.trim() === "") return null;
    const read = readLine(text);
    if (read === null) {
      this.#fail("this is no line of an admission log or an audit");
      return null;
    }
    const { line, hash } = read;
    const found = this.#found;
    if (line.kind === "base") this.#begin({ ...line, hash });
    else {
      if (found.last === null)
        this.#fail("the file does not begin with a line of the kind base: its beginning is missing");
      else this.#check(found.last, read);
      found.rows++;
      found.first ??= line.seq;
    }
    found.last = { seq: line.seq, hash };
    this.#compare(found.last);
    return line;
  }

  result(): Verification {
    if (this.#lines === 0) return { ...this.#found, fault: { line: 1, reason: "the file is empty" } };
    return this.#found;
  }

  #begin({ seq, hash, ...of }: LogLine & { kind: "base" }): void {
    if (this.#found.last !== null) this.#fail("another log begins here: check each file by itself");
    const start = "room" in of ? this.#recipe.startOfChain(of.room) : this.#recipe.startOfAudit();
    const whose = "room" in of ? "the log of this room" : "an audit";
    if (seq === 0 && hash !== start.hash) this.#fail(`this is not how ${whose} begins`);
    this.#found.room = "room" in of ? of.room : null;
    this.#found.isAudit = !("room" in of);
    this.#found.base ??= { seq, hash };
  }

  #check(previous: ChainHead, { line, text, hash }: { line: LogLine; text: string; hash: string }): void {
    const after = line.kind === "recovery" ? line.after : null;
    const isNext = this.#recipe.chainHash(after?.hash ?? previous.hash, text) === hash && line.seq > previous.seq;
    if (!isNext) this.#fail(brokenReason(previous.seq, line.seq));
    else if (after !== null && !isBehind(after, previous)) {
      this.#fail(`row ${line.seq} goes on from another row ${after.seq} than this file has`);
    }
    if (after !== null) this.#compare(after);
    if (line.seq <= previous.seq + 1) return;
    const recovery = line.kind === "recovery" ? { seq: line.seq, at: line.at, heard: line.heard } : null;
    this.#missing.push({ from: previous.seq + 1, to: line.seq - 1, recovery });
  }

  #compare({ seq, hash }: ChainHead): void {
    for (const expected of this.#heads) {
      const { head, result } = expected;
      if (head.seq === seq && result !== "differs") expected.result = head.hash === hash ? "matches" : "differs";
    }
  }

  #fail(reason: string): void {
    this.#found.fault ??= { line: this.#lines, reason };
  }
}

/** A head that others remembered is a later row than the store had kept, or the very same. */
function isBehind(after: ChainHead, previous: ChainHead): boolean {
  return after.seq > previous.seq || (after.seq === previous.seq && after.hash === previous.hash);
}

function brokenReason(previous: number, seq: number): string {
  if (seq > previous + 1) {
    const missing = seq === previous + 2 ? `row ${previous + 1} was` : `rows ${previous + 1} to ${seq - 1} were`;
    return `row ${seq} does not follow row ${previous}: ${missing} removed or moved`;
  }
  if (seq <= previous) return `row ${seq} stands behind row ${previous}: it was inserted or moved`;
  return `row ${seq} does not follow row ${previous}: it was altered, or the line before it was, together with its hash`;
}
