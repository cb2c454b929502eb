/** What the number of workers goes by. */
interface Wanted {
  readonly workers: "auto" | number;
  readonly store: { readonly type: "memory" | "redis" };
}

/**
 * How many processes the gateway is made of. `auto` with the memory store is one: what one process has in its memory is no other's.
 *
 * @param cores that this process may use
 */
export function workerCount({ workers, store }: Wanted, cores: number): number {
  if (workers !== "auto") return workers;
  return store.type === "memory" ? 1 : Math.max(1, cores);
}
