import { loggableSetting } from "../../../config/index.ts";
import { UsherError } from "../../../lib/errors.ts";
import { stableText } from "../../../lib/json.ts";
import { type Change, changesBetween, type Inverse, leafAt } from "../../audit/index.ts";

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
  /** It succeeded and there is nothing to tell: what was asked for was so before. It has no row. */
  isNothingNew = false;
  /** The row that is undone, and what it changed. */
  undoes: { readonly seq: number; readonly changes: readonly Change[] } | null = null;

  /** What was made, or is in force before a change. In an undo, something else may have been changed since. @throws UsherError `conflict` */
  changing(before: object): void {
    for (const { member, to } of this.undoes?.changes ?? []) {
      const now = leafAt(before, member);
      if (stableText(now) === stableText(to)) continue;
      const was = `row ${this.undoes?.seq} set it to ${stableText(to ?? null)}`;
      throw new UsherError(
        "conflict",
        `${member.slice(1)} was changed since: ${was}, and it is ${stableText(loggableSetting(member, now ?? null))}`,
      );
    }
  }

  /** There was none before. No request leads back: what was made may have been used since. */
  created(document: object): void {
    this.changed({}, document, null);
  }

  /** It is no more. */
  removed(document: object): void {
    this.changed(document, {}, null);
  }

  /** @param inverse the request that leads back; null where there is none */
  changed(before: object, after: object, inverse: Inverse | null): void {
    const changes = changesBetween(before, after);
    this.changes = changes.map(withoutSecrets);
    // What is not shown cannot be led back to either.
    const isWhole = stableText(this.changes) === stableText(changes);
    this.inverse = changes.length > 0 && isWhole ? inverse : null;
  }
}

function withoutSecrets(change: Change): Change {
  const { member } = change;
  if (secretName.test(member)) return { member, from: hidden, to: hidden };
  return {
    member,
    ...("from" in change && { from: loggableSetting(member, change.from) }),
    ...("to" in change && { to: loggableSetting(member, change.to) }),
  };
}
