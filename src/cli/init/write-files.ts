import { randomUUID } from "node:crypto";
import { link, mkdir, rename, rm, writeFile } from "node:fs/promises";
import { dirname } from "node:path";
import { CommandError, reasonOf } from "../terminal.ts";

export interface NewFile {
  readonly path: string;
  readonly text: string;
  /** Of the file, less what the process masks. */
  readonly mode: number;
}

/**
 * Each is whole or not there; one that is there already is only replaced where that is wanted.
 *
 * @throws CommandError
 */
export async function writeFiles(files: readonly NewFile[], replaces: boolean): Promise<void> {
  const drafts: string[] = [];
  try {
    for (const { path, text, mode } of files) {
      await mkdir(dirname(path), { recursive: true });
      const draft = `${path}.${randomUUID()}.draft`;
      drafts.push(draft);
      await writeFile(draft, text, { flag: "wx", mode, flush: true });
    }
    for (const [index, { path }] of files.entries()) {
      // A link fails where there is a file, a renaming does not.
      await (replaces ? rename : link)(drafts[index] ?? "", path);
    }
  } catch (error) {
    const reason = reasonOf(error);
    const path = error instanceof Error && "dest" in error ? error.dest : files[0]?.path;
    if (reason === "EEXIST") throw new CommandError(`${path} is there already: choose another --out, or --replace it`);
    throw new CommandError(`the files cannot be written (${reason})`);
  } finally {
    for (const draft of drafts) await rm(draft, { force: true });
  }
}
