/** JSON with sorted keys, so that equal values have equal texts. */
export function stableText(value: unknown): string {
  return JSON.stringify(value, (_key, member: unknown) =>
    typeof member === "object" && member !== null && !Array.isArray(member)
      ? Object.fromEntries(Object.entries(member).toSorted(([a], [b]) => (a < b ? -1 : 1)))
      : member,
  );
}

/** No document is nested this deep; a deeper one would only exhaust the stack. */
const depthMax = 32;

/**
 * Applies a JSON merge patch to a value (RFC 7396): members replace, null takes away, what is not named stays. Lists are
 * replaced whole, and so is what lies deeper than 32 objects.
 */
export function mergePatch(target: unknown, patch: unknown, depth = 0): unknown {
  if (!isObject(patch) || depth === depthMax) return patch;
  const members = new Map(isObject(target) ? Object.entries(target) : []);
  for (const [name, value] of Object.entries(patch)) {
    if (value === null) members.delete(name);
    else members.set(name, mergePatch(members.get(name), value, depth + 1));
  }
  return Object.fromEntries(members);
}

export function isObject(value: unknown): value is Record<string, unknown> {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}

/** The member of this name; undefined for names such as `constructor` that every object inherits, too. */
export function memberOf<T>(members: Readonly<Record<string, T>>, name: string): T | undefined {
  return Object.hasOwn(members, name) ? members[name] : undefined;
}

/** A shared document travels as a whole, and scripts hold up everybody else while they write it. */
export const documentBytesMax = 4 * 1024 * 1024;

/** @throws TypeError when the text is more than a store of shared documents takes. */
export function checkDocumentText(name: string, text: string): void {
  const bytes = Buffer.byteLength(text);
  if (bytes <= documentBytesMax) return;
  throw new TypeError(`the document ${name} has ${bytes} bytes; at most ${documentBytesMax} can be shared`);
}

/** A value that nobody changes, however deep. */
export type DeepReadonly<T> = T extends object ? { readonly [Name in keyof T]: DeepReadonly<T[Name]> } : T;
