import { isObject, stableText } from "../../lib/json.ts";

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

/**
 * How a member is changed: an object by some of its members, a value as a whole. A group is an object that is always there: one that
 * a document does not name is led back member by member, so that what was set in it since stays.
 */
export type MemberKind = "object" | "group" | "value";

/** The merge patch (RFC 7396) that leads back. */
export function inverseOf(
  before: object,
  after: object,
  kindOf: (name: string) => MemberKind = () => "object",
): object {
  const patch: Record<string, unknown> = {};
  for (const name of new Set([...Object.keys(before), ...Object.keys(after)])) {
    const [was, to] = [memberOf(before, name), memberOf(after, name)];
    if (stableText(was) === stableText(to)) continue;
    const kind = kindOf(name);
    const from = was === undefined && kind === "group" ? {} : was;
    patch[name] = kind !== "value" && isObject(from) && isObject(to) ? inverseOf(from, to) : (from ?? null);
  }
  return patch;
}

/** The value of a member by its pointer, as in a change: undefined where there is none, and where its own members have the values. */
export function leafAt(document: object, pointer: string): unknown {
  return leavesOf(document).get(pointer);
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
