/**
 * Up to where a reader of events has come, in each line, as one text: the `Last-Event-ID` of server-sent events. Events of all lines have
 * numbers that are no less than ten times the time; so of lines that it does not name, all before `floor` was read. The text has an end: it names the
 * lines that moved last, and a reader that comes back with it has events of the others again, from `floor` on.
 */
export class Positions {
  #floor: number;
  readonly #lines: Map<string, number>;

  constructor(floor: number, lines: ReadonlyMap<string, number> = new Map()) {
    this.#floor = floor;
    this.#lines = new Map(lines);
  }

  /** Null for a text that is none. */
  static read(text: string): Positions | null {
    if (text.length > lengthMax || !/^\d{1,15}(?:;[a-z0-9~*-]{1,64}=\d{1,15})*$/.test(text)) return null;
    const [floor = "", ...lines] = text.split(";");
    const entries = lines.map((line): [string, number] => {
      const at = line.indexOf("=");
      return [line.slice(0, at), Number(line.slice(at + 1))];
    });
    return new Positions(Number(floor), new Map(entries));
  }

  of(line: string): number {
    return this.#lines.get(line) ?? this.#floor;
  }

  moveTo(line: string, seq: number): void {
    if (seq <= this.of(line)) return;
    // So that those that moved last are last.
    this.#lines.delete(line);
    this.#lines.set(line, seq);
  }

  /** All events up to here were read, of all lines. */
  raise(floor: number): void {
    if (floor <= this.#floor) return;
    this.#floor = floor;
    for (const [line, seq] of this.#lines) if (seq <= floor) this.#lines.delete(line);
  }

  toString(): string {
    let text = "";
    for (const [line, seq] of [...this.#lines].reverse()) {
      const longer = `;${line}=${seq}${text}`;
      if (longer.length > lengthMax - floorLengthMax) break;
      text = longer;
    }
    return `${this.#floor}${text}`;
  }
}

/** Characters, since each event carries it: some thirty rooms that had news within the last second. */
const lengthMax = 1_024;
const floorLengthMax = 15;
