/** What a form sends: what was entered, or what was changed of it. */

type Given<Members> = { [Name in keyof Members]?: Exclude<Members[Name], undefined> };
type Patch<Members> = { [Name in keyof Members]?: Exclude<Members[Name], undefined> | null };

/** Without what was not entered. */
export function given<Members extends object>(members: Members): Given<Members> {
  return Object.fromEntries(Object.entries(members).filter(([, value]) => value !== undefined)) as Given<Members>;
}

/** A merge patch (RFC 7396) of what is another now: null takes a member back to what is usual. Others may change the rest meanwhile. */
export function patchOf<Members extends object>(before: Members, after: Members): Patch<Members> {
  const known = new Map<string, unknown>(Object.entries(before));
  const changed = Object.entries(after).filter(
    ([name, value]) => JSON.stringify(value) !== JSON.stringify(known.get(name)),
  );
  return Object.fromEntries(changed.map(([name, value]) => [name, value ?? null])) as Patch<Members>;
}

/** Undefined for nothing. */
export function textOf(written: string): string | undefined {
  return written.trim() || undefined;
}

/** The items that are not empty; undefined for none. */
export function itemsOf(written: readonly string[]): string[] | undefined {
  const items = written.map((each) => each.trim()).filter(Boolean);
  return items.length === 0 ? undefined : items;
}

/** The one of these that was chosen; undefined for another, such as what is usual. */
export function choiceOf<Choice extends string>(choices: readonly Choice[], chosen: string): Choice | undefined {
  return choices.find((each) => each === chosen);
}

/** Of `yes` and `no`; undefined for neither. */
export function answerOf(chosen: string): boolean | undefined {
  return chosen === "yes" ? true : chosen === "no" ? false : undefined;
}
