import type { RegisteredKey, RegistryContent } from "../content.ts";

/** What happens to keys; for the log. */
export type KeyEvent =
  | {
      readonly event: "key.entered" | "key.generated" | "key.staged" | "key.promoted" | "key.retired";
      readonly kid: string;
      readonly purpose: string;
      readonly alg: string | null;
      /** Id of the admin key; null: nobody asked. */
      readonly admin: string | null;
      /** Whether the time that it should have had was skipped. */
      readonly isForced: boolean;
    }
  | { readonly event: "key.upkeep_failed"; readonly error: unknown };

const eventOfState = {
  staged: "key.staged",
  active: "key.promoted",
  retired: "key.retired",
} as const;

/** What a change has done, key by key. That another one is superseded goes without saying. */
export function keyEvents(
  before: RegistryContent,
  after: RegistryContent,
  admin: string | null,
  isForced: boolean,
): KeyEvent[] {
  const known = new Map(before.keys.map((key) => [key.kid, key.state]));
  return after.keys.flatMap((key) => {
    const event = eventOf(key, known.get(key.kid));
    const { kid, purpose, alg } = key;
    return event === null ? [] : [{ event, kid, purpose, alg, admin, isForced }];
  });
}

function eventOf({ state, source }: RegisteredKey, before: RegisteredKey["state"] | undefined) {
  if (before === undefined) return source === "configuration" ? "key.entered" : "key.generated";
  if (before === state || state === "new" || state === "retiring") return null;
  return eventOfState[state];
}
