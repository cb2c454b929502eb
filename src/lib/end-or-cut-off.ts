import type { Readable } from "node:stream";

/**
 * Ends a stream whose reader keeps up, and cuts off any other: a stream closes when its end is read, so the end of one that nobody
 * reads would never come, and the stream would go on counting as open.
 */
export function endOrCutOff(stream: Readable): void {
  if (stream.readableFlowing === true && stream.readableLength === 0) stream.push(null);
  else stream.destroy();
}
