import type { Readable } from "node:stream";

/** A stream that goes on until it is told to end. */
interface OpenStream extends Readable {
  end(): void;
}

const streamsMax = 100;
/** Of one reader, so that none takes them all. */
const streamsPerReaderMax = 20;

/** The streams of one kind that a process has open, which are bounded: of all readers, and of one. */
export function createBoundedStreams<Stream extends OpenStream>() {
  const readers = new Map<Stream, string>();
  return {
    get count() {
      return readers.size;
    },
    get all(): Iterable<Stream> {
      return readers.keys();
    },
    /** Null where as many are open as may be. @param reader names whoever may have several */
    open(reader: string, make: () => Stream): Stream | null {
      const openCount = [...readers.values()].filter((other) => other === reader).length;
      if (readers.size >= streamsMax || openCount >= streamsPerReaderMax) return null;
      const stream = make();
      readers.set(stream, reader);
      stream.once("close", () => readers.delete(stream));
      return stream;
    },
    /** Ends all of them: their readers come again, to another process maybe. */
    close(): void {
      for (const stream of readers.keys()) stream.end();
    },
  };
}
