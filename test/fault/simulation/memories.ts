/**
 * Who knows what: the store, what was saved of it, each process, and its checkpoints on disk. After a loss this tells what somebody who
 * reached the store still knew, so that the room must know it, from what nobody can know any more.
 */

/**
 * `entry`: a number was handed out. `admission`: it was given. `end`: it was ended before its time. Checkpoints on disk have the
 * numbers, and count the admissions.
 */
export type FactKind = "entry" | "admission" | "end";

interface Fact {
  readonly kind: FactKind;
  /** By name of the process. */
  readonly processes: Set<string>;
  /** Those that count it among the live admissions, known to them or not. */
  readonly counting: Set<string>;
  /** Of `processes` the ones that have it from a tick, and so write it down with their next checkpoints. */
  readonly toBeWritten: Set<string>;
  readonly checkpoints: Set<string>;
  isInStore: boolean;
  isSaved: boolean;
  /** Whether the store counts it, known to it or not. */
  isCounted: boolean;
  isSavedCount: boolean;
}

interface LastPosition {
  readonly edition: number;
  readonly position: number;
}

export class Memories {
  readonly #facts = new Map<string, Fact>();
  /** The last position that a process knows to have been handed out, and that it has written; by its name. */
  readonly #last = new Map<string, LastPosition>();
  readonly #lastWritten = new Map<string, LastPosition>();
  readonly #isDiskLost: (process: string) => boolean;

  /** @param isDiskLost whether nothing that the process writes stays */
  constructor(isDiskLost: (process: string) => boolean) {
    this.#isDiskLost = isDiskLost;
  }

  /** The store did it, or was told of it by a ticket. */
  learn(kind: FactKind, name: string): void {
    const key = `${kind} ${name}`;
    const known = this.#facts.get(key) ?? {
      kind,
      processes: new Set<string>(),
      counting: new Set<string>(),
      toBeWritten: new Set<string>(),
      checkpoints: new Set<string>(),
      isInStore: true,
      isSaved: false,
      isCounted: true,
      isSavedCount: false,
    };
    known.isInStore = true;
    known.isCounted = true;
    this.#facts.set(key, known);
  }

  /** The store's answer to what it did has reached the process. Of an admission the process writes down at once that there is one more. */
  heard(process: string, kind: FactKind, name: string): void {
    const fact = this.#facts.get(`${kind} ${name}`);
    if (fact === undefined) return;
    fact.processes.add(process);
    fact.counting.add(process);
    if (kind === "admission" && !this.#isDiskLost(process)) fact.checkpoints.add(process);
  }

  /** The process has learned that positions up to this one were handed out; those that it gave out itself it writes down at once. */
  heardOfPosition(process: string, last: LastPosition, isOwn: boolean): void {
    const known = this.#last.get(process);
    if (known !== undefined && (known.edition - last.edition || known.position - last.position) >= 0) return;
    this.#last.set(process, last);
    if (isOwn && !this.#isDiskLost(process)) this.#lastWritten.set(process, last);
  }

  /** Whether a process that runs knows that the position was handed out. */
  isHandedOut({ edition, position }: LastPosition): boolean {
    return [...this.#last.values()].some((last) => (last.edition - edition || last.position - position) >= 0);
  }

  /** The answer to a tick has reached the process, and there is nothing more to hear. */
  heardAll(process: string): void {
    for (const fact of this.#facts.values()) {
      if (fact.isCounted) fact.counting.add(process);
      else fact.counting.delete(process);
      if (!fact.isInStore) continue;
      fact.processes.add(process);
      fact.toBeWritten.add(process);
    }
  }

  /** The store was told what the process remembers. It counts by that while it recovers. */
  offered(process: string, isRecovering: boolean): void {
    for (const fact of this.#facts.values()) {
      fact.isInStore ||= fact.processes.has(process);
      fact.isCounted ||= fact.isInStore || (isRecovering && fact.counting.has(process));
    }
  }

  /** The process has written its checkpoints. */
  wrote(process: string): void {
    const last = this.#last.get(process);
    if (last !== undefined) this.#lastWritten.set(process, last);
    for (const { kind, counting, toBeWritten, checkpoints } of this.#facts.values()) {
      if (kind === "entry" && toBeWritten.has(process)) checkpoints.add(process);
      if (kind !== "admission") continue;
      if (counting.has(process)) checkpoints.add(process);
      else checkpoints.delete(process);
    }
  }

  /** The process has ended. In good order it has written down all that it knew. */
  ended(process: string, how: "orderly" | "killed"): void {
    if (how === "orderly") this.wrote(process);
    this.#last.delete(process);
    for (const { kind, processes, counting, toBeWritten, checkpoints } of this.#facts.values()) {
      const isToStay = (kind === "entry" && processes.has(process)) || (kind === "admission" && counting.has(process));
      if (how === "orderly" && isToStay) checkpoints.add(process);
      processes.delete(process);
      counting.delete(process);
      toBeWritten.delete(process);
    }
  }

  /** The process has begun, and has read the checkpoints of all. */
  began(process: string): void {
    const last = this.#lastWritten.get(process);
    if (last !== undefined) this.#last.set(process, last);
    for (const { kind, processes, counting, checkpoints } of this.#facts.values()) {
      if (checkpoints.size > 0) (kind === "admission" ? counting : processes).add(process);
    }
  }

  saved(): void {
    for (const fact of this.#facts.values()) {
      fact.isSaved = fact.isInStore;
      fact.isSavedCount = fact.isCounted;
    }
  }

  lost(as: "empty" | "saved"): void {
    for (const fact of this.#facts.values()) {
      fact.isInStore = as === "saved" && fact.isSaved;
      fact.isCounted = as === "saved" && fact.isSavedCount;
    }
  }

  /** Whether the store knows it, or must, since somebody has told it. */
  isInStore(kind: FactKind, name: string): boolean {
    return this.#facts.get(`${kind} ${name}`)?.isInStore === true;
  }

  /** Whether the store counts the admission among the live ones, or must. */
  isCounted(admission: string): boolean {
    return this.#facts.get(`admission ${admission}`)?.isCounted === true;
  }

  has(kind: FactKind, name: string): boolean {
    return this.#facts.has(`${kind} ${name}`);
  }

  /** What the store knows, or must, of a kind. */
  *inStore(kind: FactKind): Generator<string> {
    const prefix = `${kind} `;
    for (const [key, fact] of this.#facts) if (fact.kind === kind && fact.isInStore) yield key.slice(prefix.length);
  }
}
