import type { Reply } from "./replies.ts";

/** What the table of scripts says of one: see scripts.ts. */
export interface ScriptSpec<K extends string, A extends string, R> {
  /** Name of the Lua file. */
  readonly name: string;
  /** Shared parts of lua/lib and lua/generated, in order, put before the file: of each the functions that are used. */
  readonly uses: readonly string[];
  readonly keys: readonly K[];
  readonly args: readonly A[];
  read(reply: Reply): R;
}

/** Keeps the names of keys and arguments in the type. */
export function script<const K extends string, const A extends string, R>(
  spec: ScriptSpec<K, A, R>,
): ScriptSpec<K, A, R> {
  return spec;
}
