import { type KeyState, keyPurposes, type RegistryContent } from "../content.ts";
import type { AvailableKey } from "./held-keys.ts";
import { slotOf } from "./key-lifecycle.ts";

type States = readonly (KeyState | undefined)[];

/** Where another key of the slot is active and this process does not have it, it signs with the best that it has. */
const bestFirst: States = ["active", "retiring", undefined, "staged"];
const listed: States = [undefined, "staged", "retiring"];

/**
 * The keys that this process goes by, in their order: of each purpose what signs (of `signing` for RS256 first, then for the other
 * algorithms), then what is staged, then what is retiring. What is new, retired or not here is left out.
 *
 * @param available those of the configuration first, in its order; where one that is not in the registry signs, it is the first
 */
export function selectKeys({ keys }: RegistryContent, available: readonly AvailableKey[]): AvailableKey[] {
  const entries = new Map(keys.map((key) => [key.kid, key]));
  const stateOf = ({ kid }: AvailableKey) => entries.get(kid)?.state;
  const sinceMs = ({ kid }: AvailableKey) => Math.max(0, ...Object.values(entries.get(kid)?.since ?? {}));
  /** Of retiring ones the newest first; all others of a state stay in their order. */
  const sorted = (some: readonly AvailableKey[], states: States) =>
    some.toSorted(
      (a, b) =>
        states.indexOf(stateOf(a)) - states.indexOf(stateOf(b)) ||
        (stateOf(a) === "retiring" ? sinceMs(b) - sinceMs(a) : 0),
    );

  return keyPurposes.flatMap((purpose) => {
    const all = available.filter((key) => key.purpose === purpose);
    const usable = all.filter((key) => !["new", "retired"].includes(stateOf(key) ?? ""));
    const needed = all.filter((key) => purpose !== "signing" || isDefault(slotOf(key)));
    // Without one of these nothing could be answered; the readiness names the reason.
    const inForce = usable.some((key) => needed.includes(key)) ? usable : [...needed.slice(0, 1), ...usable];
    const slots = [...new Set(inForce.map(slotOf))].sort((a, b) => Number(isDefault(b)) - Number(isDefault(a)));
    const best = sorted(inForce, bestFirst);
    const signing = slots.flatMap((slot) => best.find((key) => slotOf(key) === slot) ?? []);
    return [
      ...signing,
      ...sorted(
        inForce.filter((key) => !signing.includes(key)),
        listed,
      ),
    ];
  });
}

function isDefault(slot: string): boolean {
  return slot === "signing RS256";
}
