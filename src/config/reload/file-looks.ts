/**
 * Looks at files now and then, instead of asking the system to tell: that misses changes on network volumes and
 * where a link is replaced, as Kubernetes does with mounted secrets.
 */
import { stat } from "node:fs/promises";
import { type Repeated, repeat } from "./repeat.ts";
import type { Timers } from "./timers.ts";

const LOOK_MS = 2_000;
const SETTLE_MS = 500;

export interface ReloadedFile {
  /** Absolute path. */
  readonly path: string;
  /** Reads it. Called when it is another one than before, and has stayed so for a moment. */
  read(): Promise<void>;
}

/** @param afterwards runs at the end of every look */
export function createFileLooks(timers: Timers, files: readonly ReloadedFile[], afterwards: () => void): Repeated {
  const looks = files.map(createLook);
  return repeat(
    timers,
    () => LOOK_MS,
    async () => {
      let haveSettled = true;
      for (const look of looks) haveSettled = (await look()) && haveSettled;
      afterwards();
      return haveSettled ? LOOK_MS : SETTLE_MS;
    },
  );
}

/** Half of a file may be a valid secret, so one that has changed is read when two looks in a row saw the same. */
function createLook({ path, read }: ReloadedFile): () => Promise<boolean> {
  let readAs: string | null = null;
  let seenAs: string | null = null;
  return async () => {
    const signature = await signatureOf(path);
    if (signature !== readAs && signature !== seenAs) {
      seenAs = signature;
      return false;
    }
    if (signature !== readAs) {
      readAs = signature;
      await read();
    }
    seenAs = signature;
    return true;
  };
}

/** Another one whenever the file, or that which a link leads to, may have another content. */
async function signatureOf(path: string): Promise<string> {
  try {
    const { dev, ino, size, mtimeNs, ctimeNs } = await stat(path, { bigint: true });
    return [dev, ino, size, mtimeNs, ctimeNs].join(":");
  } catch (error) {
    return error instanceof Error && "code" in error ? String(error.code) : "unknown error";
  }
}
