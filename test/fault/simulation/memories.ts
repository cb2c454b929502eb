/**
 * Who knows what: the store, what was saved of it, each process, and its checkpoints on disk. After a loss this tells what somebody who
 * reached the store still knew, so that the room must know it, from what nobody can know any more.
 */

/**
 * `entry`: a number was handed out. `admission`: it was given. `end`: it was ended before its time. Marks on disk have the numbers alone.
 */
export type FactKind = "entry" | "admission" | "end";

interface Fact {
  readonly kind: FactKind;
  /** By name of the process. */
  readonly processes: Set<string>;
  /** Of those, the ones that have it from a tick, and so write it down with their next checkpoints. */
  readonly toBeWritten: Set<string>;
  readonly checkpoints: Set<string>;
  isInStore: boolean;
  isSaved: boolean;
}

export class Memories {
  readonly #facts = new Map<string, Fact>();

  /** The store did it, or was told of it by a ticket. */
  learn(kind: FactKind, name: string): void {
    const key = `${kind} ${name}`;
    const known = this.#facts.get(key);
    if (known !== undefined) known.isInStore = true;
    else {
      const nobody = { processes: new Set<string>(), toBeWritten: new Set<string>(), checkpoints: new Set<string>() };
      this.#facts.set(key, { kind, ...nobody, isInStore: true, isSaved: false });
    }
  }

  /** The store's answer to what it did has reached the process. */
  heard(process: string, kind: FactKind, name: string): void {
    this.#facts.get(`${kind} ${name}`)?.processes.add(process);
  }

  /** The answer to a tick has reached the process, and there is nothing more to hear. */
  heardAll(process: string): void {
    for (const fact of this.#facts.values()) {
      if (!fact.isInStore) continue;
      fact.processes.add(process);
      fact.toBeWritten.add(process);
    }
  }

  /** The store was told what the process remembers. */
  offered(process: string): void {
    for (const fact of this.#facts.values()) fact.isInStore ||= fact.processes.has(process);
  }

  /** The process has written its checkpoints. */
  wrote(process: string): void {
    for (const { kind, toBeWritten, checkpoints } of this.#facts.values()) {
      if (kind === "entry" && toBeWritten.has(process)) checkpoints.add(process);
    }
  }

  /** The process has ended. In good order it has written down all that it knew. */
  ended(process: string, how: "orderly" | "killed"): void {
    for (const { kind, processes, toBeWritten, checkpoints } of this.#facts.values()) {
      if (how === "orderly" && kind === "entry" && processes.has(process)) checkpoints.add(process);
      processes.delete(process);
      toBeWritten.delete(process);
    }
  }

  /** The process has begun, and has read the checkpoints of all. */
  began(process: string): void {
    for (const { processes, checkpoints } of this.#facts.values()) if (checkpoints.size > 0) processes.add(process);
  }

  saved(): void {
    for (const fact of this.#facts.values()) fact.isSaved = fact.isInStore;
  }

  lost(as: "empty" | "saved"): void {
    for (const fact of this.#facts.values()) fact.isInStore = as === "saved" && fact.isSaved;
  }

  /** Whether the store knows it, or must, since somebody has told it. */
  isInStore(kind: FactKind, name: string): boolean {
    return this.#facts.get(`${kind} ${name}`)?.isInStore === true;
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
