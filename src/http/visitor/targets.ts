import { createTargetList } from "../../lib/link-target.ts";

/** The addresses that links to a room may lead to. */
export interface Targets {
  /** Where a link that names none leads: the first that is exact. */
  readonly usual: string | null;
  /** The address as browsers write it, if it is on the list. What is answered is what was compared. */
  find(address: string): string | null;
}

/** @param list exact addresses, and those that end with `/*`, for everything below */
export function createTargets(list: readonly string[]): Targets {
  const usual = list.find((entry) => !entry.endsWith("/*"));
  return {
    usual: usual === undefined ? null : new URL(usual).href,
    find: createTargetList(list),
  };
}
