import type { RegisteredKey, RegistryContent } from "../content.ts";
import { slotOf } from "./key-lifecycle.ts";
import type { KeyPool } from "./key-pool.ts";
import { wrappedWith } from "./key-wrapping.ts";

/** Keys that this process should have and does not: one sentence each, with what to do. */
export function keyFaults({ keys }: RegistryContent, pool: KeyPool, suffix: string): string[] {
  return keys.flatMap((key) => {
    const { kid, purpose, state, wrapped } = key;
    if (state === "new" || state === "retired" || pool.has(kid)) return [];
    const which = `the ${state} key ${kid} for ${purpose}${suffix}`;
    if (wrapped !== null) {
      return [
        `${which} cannot be unwrapped here: it takes the ticket key ${wrappedWith(wrapped)}; ` +
          `give this process the secrets file (or keys.tickets) of the others${lastResort(key, pool)}`,
      ];
    }
    const advice = "give this process the secrets file (or the configured keys) of the others";
    return state === "active" ? [`${which} is not here: ${advice}${lastResort(key, pool)}`] : [];
  });
}

/** What to do where the key is lost at all processes: another signs in its place, or it is given up. */
function lastResort(key: RegisteredKey, pool: KeyPool): string {
  if (key.state !== "active") return `; if it is lost for good: usher keys retire ${key.kid} --force`;
  const own = pool.atSource.find((candidate) => slotOf(candidate) === slotOf(key));
  return own === undefined ? "" : `; if it is lost for good: usher keys promote ${own.kid} --force`;
}
