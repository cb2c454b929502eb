import { isObject, stableText } from "../lib/json.ts";

/** A member that was changed, and its values; absent where it had, or has, none. Lists are values. */
export interface Change {
  /** JSON pointer (RFC 6901). */
  readonly member: string;
  readonly from?: unknown;
  readonly to?: unknown;
}

/** By member, in the order of the names. */
export function changesBetween(before: object, after: object): Change[] {
  const [from, to] = [leavesOf(before), leavesOf(after)];
  const members = [...new Set([...from.keys(), ...to.keys()])].toSorted();
  return members
    .filter((member) => stableText(from.get(member)) !== stableText(to.get(member)))
    .map((member) => ({
      member,
      ...(from.has(member) && { from: from.get(member) }),
      ...(to.has(member) && { to: to.get(member) }),
    }));
}

/** The merge patch (RFC 7396) that leads back. */
export function inverseOf(before: object, after: object): object {
  const patch: Record<string, unknown> = {};
  for (const name of new Set([...Object.keys(before), ...Object.keys(after)])) {
    const [from, to] = [memberOf(before, name), memberOf(after, name)];
    if (stableText(from) === stableText(to)) continue;
    patch[name] = isObject(from) && isObject(to) ? inverseOf(from, to) : (from ?? null);
  }
  return patch;
}

/** The value of a member by its pointer; undefined where there is none. */
export function memberAt(document: object, pointer: string): unknown {
  const names = pointer.split("/").slice(1);
  return names.reduce<unknown>(
    (value, name) => (isObject(value) ? memberOf(value, name.replaceAll("~1", "/").replaceAll("~0", "~")) : undefined),
    document,
  );
}

function memberOf(value: object, name: string): unknown {
  return Object.hasOwn(value, name) ? (value as Record<string, unknown>)[name] : undefined;
}

function leavesOf(value: object, path = ""): Map<string, unknown> {
  const leaves = new Map<string, unknown>();
  for (const [name, member] of Object.entries(value)) {
    if (member === undefined) continue;
    const pointer = `${path}/${name.replaceAll("~", "~0").replaceAll("/", "~1")}`;
    if (isObject(member) && Object.keys(member).length > 0)
      for (const leaf of leavesOf(member, pointer)) leaves.set(...leaf);
    else leaves.set(pointer, member);
  }
  return leaves;
}
