import { closeSync, openSync, readSync } from "node:fs";
import { open } from "node:fs/promises";

/** A file has more bytes than the reader takes, or no end: a device, a pipe. */
export class FileTooLargeError extends Error {
  override name = "FileTooLargeError";
  readonly code: string;

  constructor(path: string, bytesMax: number) {
    const code = `it has more than ${bytesMax} bytes`;
    super(`${path}: ${code}`);
    // Named as system errors are.
    this.code = code;
  }
}

const chunkBytes = 65_536;

/** Reads a file whose size nobody knows: what its name says of it may change, and a device says 0. @throws FileTooLargeError, and as `readFile` */
export async function readFileUpTo(path: string, bytesMax: number): Promise<Buffer> {
  const file = await open(path, "r");
  try {
    const chunks: Buffer[] = [];
    for (let size = 0; ; ) {
      const { bytesRead, buffer } = await file.read(Buffer.allocUnsafe(chunkBytes), 0, chunkBytes, null);
      if (bytesRead === 0) return Buffer.concat(chunks);
      size += bytesRead;
      if (size > bytesMax) throw new FileTooLargeError(path, bytesMax);
      chunks.push(buffer.subarray(0, bytesRead));
    }
  } finally {
    await file.close();
  }
}

/** The same at once. */
export function readFileUpToSync(path: string, bytesMax: number): Buffer {
  const file = openSync(path, "r");
  try {
    const chunks: Buffer[] = [];
    for (let size = 0; ; ) {
      const buffer = Buffer.allocUnsafe(chunkBytes);
      const bytesRead = readSync(file, buffer, 0, chunkBytes, null);
      if (bytesRead === 0) return Buffer.concat(chunks);
      size += bytesRead;
      if (size > bytesMax) throw new FileTooLargeError(path, bytesMax);
      chunks.push(buffer.subarray(0, bytesRead));
    }
  } finally {
    closeSync(file);
  }
}
