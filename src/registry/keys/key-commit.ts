/** Changes of keys in the registry, and their log lines. */
import type { RegisteredKey, RegistryContent } from "../content.ts";
import type { Registry } from "../registry.ts";
import { eventOfState } from "./key-lifecycle.ts";

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

export interface KeyChange {
  /** Pure; the same content where there is nothing to do any more. */
  readonly change: (content: RegistryContent) => RegistryContent;
  /** Id of the admin key; null: nobody asked. */
  readonly admin: string | null;
  readonly isForced?: boolean;
}

/**
 * Changes the registry and tells what has become of the keys. Nothing is written where nothing changes.
 *
 * @throws what `change` throws, and UsherError as `Registry.update`
 */
export async function commitKeys(
  registry: Registry,
  report: (event: KeyEvent) => void,
  { change, admin, isForced = false }: KeyChange,
): Promise<void> {
  let events: readonly KeyEvent[] = [];
  try {
    await registry.update((content) => {
      const next = change(content);
      if (next === content) throw new NothingToDo();
      events = eventsOf(content, next, { admin, isForced });
      return next;
    });
  } catch (error) {
    if (error instanceof NothingToDo) return;
    throw error;
  }
  for (const event of events) report(event);
}

class NothingToDo extends Error {}

/** What a change has done, key by key. That another one is superseded goes without saying. */
function eventsOf(
  before: RegistryContent,
  after: RegistryContent,
  by: { readonly admin: string | null; readonly isForced: boolean },
): readonly KeyEvent[] {
  const known = new Map(before.keys.map((key) => [key.kid, key.state]));
  return after.keys.flatMap((key) => {
    const event = eventOf(key, known.get(key.kid));
    const { kid, purpose, alg } = key;
    return event === null ? [] : [{ event, kid, purpose, alg, ...by }];
  });
}

function eventOf({ state, source }: RegisteredKey, before: RegisteredKey["state"] | undefined) {
  if (before === undefined) return source === "configuration" ? "key.entered" : "key.generated";
  return before === state ? null : eventOfState(state);
}
