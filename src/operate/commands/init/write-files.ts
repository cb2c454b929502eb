import { mkdir, writeFile } from "node:fs/promises";
import { dirname } from "node:path";
import { type DraftFile, draftOf } from "../../../lib/draft-file.ts";
import { reasonOf } from "../../../lib/reason.ts";
import { CommandError } from "../terminal.ts";

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
  const drafts: DraftFile[] = [];
  try {
    for (const { path, text, mode } of files) {
      await mkdir(dirname(path), { recursive: true });
      const draft = draftOf(path);
      drafts.push(draft);
      await writeFile(draft.path, text, { flag: "wx", mode, flush: true });
    }
    for (const draft of drafts) draft.put(replaces);
  } catch (error) {
    const reason = reasonOf(error);
    const path = error instanceof Error && "dest" in error ? error.dest : files[0]?.path;
    if (reason === "EEXIST") throw new CommandError(`${path} is there already: choose another --out, or --replace it`);
    throw new CommandError(`the files cannot be written (${reason})`);
  } finally {
    for (const draft of drafts) draft.drop();
  }
}
