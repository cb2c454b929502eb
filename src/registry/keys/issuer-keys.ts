import type { KeyMaterial } from "../../config/index.ts";

/** The keys of one issuer as they are now; the first of each list signs (of `signing`, the first of each algorithm). */
export interface IssuerKeys {
  readonly current: KeyMaterial;
  /** Called when they have become others, with these in force. */
  onChange(listener: () => void): void;
}

/** Keys that their owner changes. */
export interface KeptKeys extends IssuerKeys {
  replace(keys: KeyMaterial): void;
}

export function createIssuerKeys(initial: KeyMaterial): KeptKeys {
  let current = initial;
  const listeners: (() => void)[] = [];
  return {
    get current() {
      return current;
    },
    onChange: (listener) => void listeners.push(listener),
    replace(keys) {
      current = keys;
      for (const listener of listeners) listener();
    },
  };
}
