import { writeFileSync } from "node:fs";
import { draftOf } from "../../../lib/draft-file.ts";
import { reasonOf } from "../../../lib/reason.ts";
import { CommandError } from "../terminal.ts";

/** The file appears whole or not at all. Mode 0600. @throws CommandError */
export function writeNew(file: string, text: string, isReplacing: boolean): void {
  const draft = draftOf(file);
  try {
    writeFileSync(draft.path, text, { mode: 0o600, flush: true });
    draft.put(isReplacing);
  } catch (error) {
    const reason = reasonOf(error);
    if (reason === "EEXIST") throw new CommandError(`${file} is there already: --replace writes over it`);
    throw new CommandError(`${file} cannot be written (${reason})`);
  } finally {
    draft.drop();
  }
}
