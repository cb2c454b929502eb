import type { RefObject } from "preact";
import { useRef } from "preact/hooks";
import type { Entry } from "./entries.ts";

interface SteadyEntries {
  readonly visible: readonly Entry[];
  /** Shows what came since, too. */
  release(): void;
}

/** While somebody reads the list or points at it, nothing comes in above: a row would move away under the finger. */
export function useSteadyEntries(entries: readonly Entry[], list: RefObject<HTMLElement>): SteadyEntries {
  const last = useRef<readonly Entry[]>([]);
  const isRead =
    list.current !== null &&
    (list.current.getBoundingClientRect().top < 0 || list.current.matches(":hover, :focus-within"));
  const keys = new Set(last.current.map(({ key }) => key));
  const oldestMs = last.current[last.current.length - 1]?.atMs ?? Number.POSITIVE_INFINITY;
  last.current = isRead ? entries.filter(({ key, atMs }) => keys.has(key) || atMs < oldestMs) : entries;
  return {
    visible: last.current,
    release() {
      last.current = [];
    },
  };
}
