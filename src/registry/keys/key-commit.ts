import type { RegistryContent } from "../content.ts";
import type { Registry } from "../registry.ts";
import { type KeyEvent, keyEvents } from "./key-events.ts";

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
  let events: KeyEvent[] = [];
  try {
    await registry.update((content) => {
      const next = change(content);
      if (next === content) throw new NothingToDo();
      events = keyEvents(content, next, admin, isForced);
      return next;
    });
  } catch (error) {
    if (error instanceof NothingToDo) return;
    throw error;
  }
  for (const event of events) report(event);
}

class NothingToDo extends Error {}
