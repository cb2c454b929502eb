import { Readable } from "node:stream";
import type { Context } from "koa";
import type { LogExtent, WaitingRoom } from "../../room/index.ts";
import { readNumber } from "./page.ts";

/** Answers the log as lines of JSON, read from the store as the client takes them. */
export async function tellLog(ctx: Context, room: WaitingRoom): Promise<void> {
  const from = readNumber(ctx, "from", 0, Number.MAX_SAFE_INTEGER);
  const chunks = await room.log.lines(from);
  ctx.type = "application/x-ndjson";
  // One chunk is made while another is on its way, no more.
  ctx.body = Readable.from(chunks, { objectMode: true, highWaterMark: 1 });
}

export function logExtentJson({ first, last, rows, sealed }: LogExtent) {
  return { first, last, rows, sealed };
}
