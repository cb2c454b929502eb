import { z } from "zod";

const time = z.number().nullable().catch(null);
const figure = z.number().nullable().catch(null);
const name = z.string().max(200);
const sentences = z.array(z.string().max(1_000)).max(10).catch([]);

/**
 * What a process says of itself to all others, as JSON. Another build may say less, or more: what cannot be read is not known, and
 * the process is shown all the same.
 */
export const processSelf = z.object({
  /** Of the machine and port: that of a process that took the place of another is the same. */
  name: name.catch("?"),
  version: name.catch("?"),
  /** Of the program's sources; null where it was not built. */
  build: name.nullable().catch(null),
  node: name.catch("?"),
  started_ms: z.number().catch(0),
  state: z.enum(["starting", "ready", "not_ready", "stopping"]).catch("starting"),
  /** As of its readiness: they may name hosts and files. */
  faults: sentences,
  warnings: sentences,
  configuration: z.record(name, name).catch({}),
  /** By how much its clock is ahead of the store's, in milliseconds. */
  skew_ms: figure,
  /** Recent delay of its event loop, 99th percentile, in milliseconds. */
  loop_delay_ms: figure,
  memory_bytes: figure,
  /** Of the heap that Node.js gives it: a fraction. */
  heap_share: figure,
  requests_per_second: figure,
  /** The quickest of its last reports to the store. */
  store_latency_ms: figure,
  checkpoints_written_ms: time,
  /** Rooms whose settings in its file are not those in force. */
  drifting: z.array(name).max(20).catch([]),
  /** Secrets that cannot be reloaded, a sentence each: they may name hosts and files. */
  failing_secrets: sentences,
  /** By its name: what a feature reports of itself, for its own reading. */
  features: z.record(name, z.unknown()).catch({}),
});

export type ProcessSelf = z.output<typeof processSelf>;

/** Long texts of faults are cut here. The process's log has them whole. */
export function shortened(texts: readonly string[]): string[] {
  return texts.slice(0, 10).map((text) => (text.length > 1_000 ? `${text.slice(0, 999)}…` : text));
}

/** What a process said. */
export function readProcessSelf(text: string): ProcessSelf {
  return processSelf.parse(jsonOf(text));
}

function jsonOf(text: string): unknown {
  try {
    const value: unknown = JSON.parse(text);
    return typeof value === "object" && value !== null ? value : {};
  } catch {
    return {};
  }
}
