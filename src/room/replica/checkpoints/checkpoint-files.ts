/** The files of checkpoints as earlier processes left them. */
import { existsSync, readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { z } from "zod";
import { SetupError } from "../../../lib/errors.ts";
import { codeOf, describeFile, describeSystemError } from "../../../lib/system-errors.ts";
import type { Lapse, RoomMemory } from "../../../store/contract/room-store.ts";
import { type Ahead, nothing, readAhead } from "../write-ahead.ts";

/** What one process wrote about a room. */
export interface Checkpoint {
  readonly incarnation: string;
  /** The store's flow clock at the time of the sync. */
  readonly flowMs: number;
  readonly memory: RoomMemory;
  /**
   * Positions up to here may have been handed out since: a bound, and no evidence, for the case that the last thing
   * written was lost with the machine.
   */
  readonly reserved: number;
}

/** With what the process wrote ahead of it. */
export interface CompleteCheckpoint extends Checkpoint {
  readonly admitted: Lapse;
}

const count = z.int().min(0);
const checkpointSchema = z.object({
  incarnation: z.string(),
  flowMs: z.number(),
  reserved: count,
  memory: z.looseObject({
    edition: count,
    queued: count,
    serving: count,
    expiredThrough: count,
    gaps: z.array(z.object({ from: count, to: count })),
    version: count,
    basePhase: z.string(),
    holds: z.array(z.string()),
    scheduleMarkMs: z.number(),
    idleEndedMs: z.number(),
    settings: z.looseObject({ effective: z.looseObject({}), file: z.looseObject({}), live: z.looseObject({}) }),
    claimMs: z.number(),
    stock: z.object({ left: count.nullable(), asOfMs: z.number(), mark: z.number() }).optional(),
    joinsPerSecondPeak: z.number(),
    counts: z.record(z.string(), z.number()),
    liveLapses: z.array(z.object({ untilMs: z.number(), count })),
    log: z.object({ last: count, sealed: z.object({ seq: count, hash: z.string() }) }).optional(),
  }),
});
const fileSchema = z.record(z.string(), checkpointSchema);

/** @throws ZodError for what is no checkpoint */
export const readCheckpoint = (value: unknown) => checkpointSchema.parse(value) as unknown as Checkpoint;

/**
 * Positions that the process gave out since it wrote the checkpoint were handed out, and so were all before them: it
 * syncs each incarnation of the store first.
 */
function withAhead(checkpoint: Checkpoint, ahead: Ahead): CompleteCheckpoint {
  const { memory, reserved } = checkpoint;
  const { edition, position, admitted } = ahead;
  const complete = { ...checkpoint, admitted, flowMs: Math.max(checkpoint.flowMs, ahead.flowMs) };
  if (edition < memory.edition) return complete;
  if (edition === memory.edition) {
    const queued = Math.max(memory.queued, position);
    return { ...complete, memory: { ...memory, queued }, reserved: Math.max(reserved, queued) };
  }
  const line = { edition, queued: position, serving: 0, expiredThrough: 0, gaps: [], draws: [] };
  return { ...complete, memory: { ...memory, ...line }, reserved: position };
}

/** @throws SetupError: without the directory it is unknown what was handed out. */
function listFolder(directory: string): string[] {
  try {
    return readdirSync(directory);
  } catch (error) {
    throw new SetupError(describeFile(codeOf(error), directory, "reading the checkpoints"), { cause: error });
  }
}

interface Left {
  readonly files: Map<string, Record<string, CompleteCheckpoint>>;
  readonly faults: string[];
  /** All that anything was left of. */
  readonly rooms: Set<string>;
}

/** What earlier processes left in a directory. @throws SetupError when it cannot be looked into */
export function readCheckpoints(directory: string): Left {
  const left: Left = { files: new Map(), faults: [], rooms: new Set() };
  if (!existsSync(directory)) return left;
  for (const name of listFolder(directory)) {
    if (name.endsWith(".last")) for (const room of readAhead(join(directory, name)).keys()) left.rooms.add(room);
    if (!name.endsWith(".json")) continue;
    try {
      const parsed = fileSchema.parse(JSON.parse(readFileSync(join(directory, name), "utf8")));
      const ahead = readAhead(join(directory, name.replace(/json$/, "last")));
      const checkpoints = Object.entries(parsed as unknown as Record<string, Checkpoint>);
      const entries = checkpoints.map(
        ([room, checkpoint]) => [room, withAhead(checkpoint, ahead.get(room) ?? nothing)] as const,
      );
      left.files.set(name, Object.fromEntries(entries));
      for (const [room] of entries) left.rooms.add(room);
    } catch (error) {
      const file = join(directory, name);
      const reason =
        error instanceof z.ZodError ? z.prettifyError(error) : (describeSystemError(error) ?? String(error));
      left.faults.push(`${file} is not used: ${reason}`);
    }
  }
  return left;
}
