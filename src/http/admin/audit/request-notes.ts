import { type Change, changesBetween, type Inverse, memberAt } from "../../../audit/index.ts";
import { UsherError } from "../../../lib/errors.ts";
import { stableText } from "../../../lib/json.ts";

/** Of a document that a route hands over by mistake, too. */
const secretName = /secret|password|authorization|credential|cookie|private/i;
const hidden = "(hidden)";

/** What a route hands over for the row of its request, beside what the path says. Never a secret, a key, a ticket or a token. */
export class RequestNotes {
  room: string | null = null;
  subject: Readonly<Record<string, string>> = {};
  changes: readonly Change[] = [];
  inverse: Inverse | null = null;
  /** Of a program's reports, which are many: one a minute has a row. */
  isRoutine = false;
  /** The row that is undone, and what it changed. */
  undoes: { readonly seq: number; readonly changes: readonly Change[] } | null = null;

  /** What was made, or is in force before a change. In an undo, something else may have been changed since. @throws UsherError `conflict` */
  changing(before: object): void {
    for (const { member, to } of this.undoes?.changes ?? []) {
      const now = memberAt(before, member);
      if (stableText(now) === stableText(to)) continue;
      const was = `row ${this.undoes?.seq} set it to ${stableText(to ?? null)}`;
      throw new UsherError(
        "conflict",
        `${member.slice(1)} was changed since: ${was}, and it is ${stableText(now ?? null)}`,
      );
    }
  }

  /** @param inverse the request that leads back; null where there is none */
  changed(before: object, after: object, inverse: Inverse | null): void {
    const changes = changesBetween(before, after);
    const isOpen = ({ member }: Change) => !secretName.test(member);
    this.changes = changes.map((change) =>
      isOpen(change) ? change : { member: change.member, from: hidden, to: hidden },
    );
    this.inverse = changes.length > 0 && changes.every(isOpen) ? inverse : null;
  }
}
