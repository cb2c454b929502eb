import { closeSync, constants, mkdirSync, openSync, readFileSync, writeSync } from "node:fs";
import { dirname } from "node:path";

/** The last position of an edition that a process gave out. */
export interface LastPosition {
  readonly edition: number;
  readonly position: number;
}

/** What one process gave out last in each room, on disk before any ticket of it is signed. */
export interface LastPositions {
  /** One small write in place. @throws when it cannot be written */
  note(room: string, edition: number, position: number): void;
  close(): void;
}

/** Each room has a line of this length, so that one write replaces it, and needs no new space on a full disk. */
const lineLength = 64;
const linesAtFirst = 64;
const linePattern = /^([a-z0-9~-]{1,41}) (\d{1,12}) (\d{1,16}) *$/;

/** What a file of earlier says, by room; a line that is not whole says nothing. */
export function readLastPositions(path: string): Map<string, LastPosition> {
  return new Map(readLines(path).flatMap(({ room, last }) => (last === null ? [] : [[room, last]])));
}

function readLines(path: string): { room: string; last: LastPosition | null }[] {
  let text: string;
  try {
    text = readFileSync(path, "latin1");
  } catch {
    return [];
  }
  const count = Math.floor(text.length / lineLength);
  return Array.from({ length: count }, (_, index) => {
    const line = text.slice(index * lineLength, (index + 1) * lineLength - 1);
    const [, room = "", edition, position] = linePattern.exec(line) ?? [];
    return { room, last: room === "" ? null : { edition: Number(edition), position: Number(position) } };
  });
}

/** The file is made, or gone on with, when the first position is noted. */
export function createLastPositions(path: string): LastPositions {
  const lines = new Map<string, number>();
  let file: number | null = null;

  function open(): number {
    for (const [index, { room }] of readLines(path).entries()) if (room !== "") lines.set(room, index);
    mkdirSync(dirname(path), { recursive: true, mode: 0o700 });
    const opened = openSync(path, constants.O_RDWR | constants.O_CREAT, 0o600);
    if (lines.size === 0) writeSync(opened, `${" ".repeat(lineLength - 1)}\n`.repeat(linesAtFirst), 0, "latin1");
    return opened;
  }

  return {
    note(room, edition, position) {
      file ??= open();
      const index = lines.get(room) ?? lines.size;
      lines.set(room, index);
      const line = `${room} ${edition} ${position}`.padEnd(lineLength - 1);
      writeSync(file, `${line}\n`, index * lineLength, "latin1");
    },
    close() {
      if (file !== null) closeSync(file);
      file = null;
    },
  };
}
