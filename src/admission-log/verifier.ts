import { type ChainHead, chainHash, startOfChain } from "./chain.ts";
import { type LogLine, readLine } from "./lines.ts";

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

export interface LogFault {
  /** In the file, from 1. */
  readonly line: number;
  readonly reason: string;
}

export interface Verification {
  readonly room: string | null;
  /** Rows that were read, the base line aside. */
  readonly rows: number;
  readonly first: number | null;
  readonly last: ChainHead | null;
  /** The row before the first: what was before it is no part of the file. */
  readonly base: ChainHead | null;
  readonly missing: readonly MissingRows[];
  /** The first line at which the chain breaks. */
  readonly fault: LogFault | null;
  readonly heads: readonly { readonly head: ChainHead; readonly result: HeadResult }[];
}
type HeadResult = "matches" | "differs" | "not_in_file";

/** Checks an exported log line by line. What it keeps does not grow with the file. */
export class LogVerifier {
  readonly #heads: Map<ChainHead, HeadResult>;
  readonly #missing: MissingRows[] = [];
  #lines = 0;
  #rows = 0;
  #room: string | null = null;
  #base: ChainHead | null = null;
  #previous: ChainHead | null = null;
  #first: number | null = null;
  #fault: LogFault | null = null;

  /** @param heads that were noted earlier */
  constructor(heads: readonly ChainHead[] = []) {
    this.#heads = new Map(heads.map((head) => [head, "not_in_file"]));
  }

  /** Takes the next line, and answers what it says; null for one that says nothing. */
  take(text: string): LogLine | null {
    this.#lines++;
    if (text.trim() === "") return null;
    const read = readLine(text);
    if (read === null) {
      this.#fail("this is no line of an admission log");
      return null;
    }
    const { line, hash } = read;
    if (line.kind === "base") this.#begin({ ...line, hash });
    else {
      if (this.#previous === null) {
        this.#fail("the file does not begin with a line of the kind base: its beginning is missing");
        this.#previous = { seq: line.seq - 1, hash: "" };
      } else this.#check(this.#previous, read);
      this.#rows++;
      this.#first ??= line.seq;
    }
    this.#previous = { seq: line.seq, hash };
    this.#compare(this.#previous);
    return line;
  }

  result(): Verification {
    return {
      room: this.#room,
      rows: this.#rows,
      first: this.#first,
      last: this.#previous,
      base: this.#base,
      missing: this.#missing,
      fault: this.#fault ?? (this.#lines === 0 ? { line: 1, reason: "the file is empty" } : null),
      heads: [...this.#heads].map(([head, result]) => ({ head, result })),
    };
  }

  #begin({ room, seq, hash }: LogLine & { kind: "base" }): void {
    if (this.#previous !== null) this.#fail("another log begins here: check each file by itself");
    if (seq === 0 && hash !== startOfChain(room).hash) this.#fail("this is not how the log of this room begins");
    this.#room = room;
    this.#base ??= { seq, hash };
  }

  #check(previous: ChainHead, { line, text, hash }: { line: LogLine; text: string; hash: string }): void {
    const after = line.kind === "recovery" ? line.after : null;
    if (chainHash(after?.hash ?? previous.hash, text) !== hash) {
      this.#fail(brokenReason(previous.seq, line.seq));
    } else if (line.seq <= previous.seq) this.#fail(brokenReason(previous.seq, line.seq));
    else if (after !== null && !isBehind(after, previous)) {
      this.#fail(`row ${line.seq} goes on from another row ${after.seq} than this file has`);
    }
    if (after !== null) this.#compare(after);
    if (line.seq <= previous.seq + 1) return;
    const recovery = line.kind === "recovery" ? { seq: line.seq, at: line.at, heard: line.heard } : null;
    this.#missing.push({ from: previous.seq + 1, to: line.seq - 1, recovery });
  }

  #compare({ seq, hash }: ChainHead): void {
    for (const [head, result] of this.#heads) {
      if (head.seq === seq && result !== "differs") this.#heads.set(head, head.hash === hash ? "matches" : "differs");
    }
  }

  #fail(reason: string): void {
    this.#fault ??= { line: this.#lines, reason };
  }
}

/** A head that others remembered is a later row than the store had kept, or the very same. */
function isBehind(after: ChainHead, previous: ChainHead): boolean {
  return after.seq > previous.seq || (after.seq === previous.seq && after.hash === previous.hash);
}

function brokenReason(previous: number, seq: number): string {
  if (seq > previous + 1) {
    const gone = seq === previous + 2 ? `row ${previous + 1} was` : `rows ${previous + 1} to ${seq - 1} were`;
    return `row ${seq} does not follow row ${previous}: ${gone} removed or moved`;
  }
  if (seq <= previous) return `row ${seq} stands behind row ${previous}: it was inserted or moved`;
  return `row ${seq} does not follow row ${previous}: it was altered, or the line before it was, together with its hash`;
}
