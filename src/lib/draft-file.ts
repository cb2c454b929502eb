import { randomUUID } from "node:crypto";
import { linkSync, renameSync, rmSync } from "node:fs";

/** A file on its way: written beside the one that it becomes, so that a reader or a crash never sees half of that. */
export interface DraftFile {
  /** Where it is written. */
  readonly path: string;
  /**
   * Puts it in place in one step.
   *
   * @throws `EEXIST` where a file is there that is not to be replaced
   */
  put(isReplacing: boolean): void;
  /** Removes what is left of it, if anything is and it can be. Never fails: it tidies up behind another failure. */
  drop(): void;
}

export function draftOf(path: string): DraftFile {
  const draft = `${path}.${randomUUID()}.draft`;
  return {
    path: draft,
    put(isReplacing) {
      // A link fails where there is a file, a renaming does not.
      (isReplacing ? renameSync : linkSync)(draft, path);
    },
    drop() {
      try {
        rmSync(draft, { force: true });
      } catch {
        // Nobody reads it.
      }
    },
  };
}
