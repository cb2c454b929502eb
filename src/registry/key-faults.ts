import type { RegistryContent } from "./content.ts";
import type { KeyPool } from "./key-pool.ts";
import { wrappedWith } from "./key-wrapping.ts";

/** Keys that this process should have and does not: one sentence each, with what to do. */
export function keyFaults({ keys }: RegistryContent, pool: KeyPool, suffix: string): string[] {
  return keys.flatMap(({ kid, purpose, state, wrapped }) => {
    if (state === "new" || state === "retired" || pool.has(kid)) return [];
    const which = `the ${state} key ${kid} for ${purpose}${suffix}`;
    if (wrapped !== null) {
      return [
        `${which} cannot be unwrapped here: it takes the ticket key ${wrappedWith(wrapped)}; ` +
          "give this process the secrets file (or keys.tickets) of the others",
      ];
    }
    const own = pool.atSource.find((key) => key.purpose === purpose)?.kid ?? "KID";
    const advice = "give this process the secrets file (or the configured keys) of the others";
    return state === "active"
      ? [`${which} is not here: ${advice}; if it is lost for good: usher keys promote ${own} --force`]
      : [];
  });
}
