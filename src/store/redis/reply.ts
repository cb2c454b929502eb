/** A reply of a script: texts, numbers and lists. Reading one that is not as agreed is a programming error. */
export class Reply {
  readonly #parts: readonly unknown[];

  constructor(reply: unknown) {
    if (!Array.isArray(reply)) throw new TypeError(`a script answered ${typeof reply} where a list was agreed`);
    this.#parts = reply;
  }

  text(index: number): string {
    const part = this.#parts[index];
    if (typeof part !== "string" && typeof part !== "number") throw new TypeError(`no text at ${index} of a reply`);
    return String(part);
  }

  number(index: number): number {
    const number = Number(this.text(index));
    if (!Number.isFinite(number)) throw new TypeError(`no number at ${index} of a reply`);
    return number;
  }

  list(index: number): Reply {
    return new Reply(this.#parts[index]);
  }

  lists(): Reply[] {
    return this.#parts.map((part) => new Reply(part));
  }

  texts(): string[] {
    return this.#parts.map((_, index) => this.text(index));
  }
}
