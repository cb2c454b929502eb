/** What keeps this process from serving; empty when it is ready. Each fault says what is wrong and what to do. */
export type Readiness = () => Promise<string[]>;

export interface ReadinessOptions {
  /** Fingerprints of this process's signing keys by purpose, and of every key that it can verify with. */
  readonly keys: Readonly<Record<string, { readonly signsWith: string; readonly accepts: readonly string[] }>>;
  /** Lays down what the running processes sign with, unless it is laid down; answers what is. */
  readonly agreeOnKeys: (fingerprints: Record<string, string>, replace: boolean) => Promise<Record<string, string>>;
  readonly ping: () => Promise<void>;
  /** Rooms whose state has not been heard since this process started. */
  readonly unheardRooms: () => readonly string[];
}

/**
 * Ready is a process whose store answers and whose keys agree with those of the others: what they sign it can
 * verify. A process that signs with another key than was laid down lays down its own, once: in a rotation the
 * processes that were started last decide.
 */
export function createReadiness({ keys, agreeOnKeys, ping, unheardRooms }: ReadinessOptions): Readiness {
  const mine = Object.fromEntries(Object.entries(keys).map(([purpose, { signsWith }]) => [purpose, signsWith]));
  let hasLaidDown = false;
  return async () => {
    try {
      await ping();
      const agreed = await agreeOnKeys(mine, false);
      const faults: string[] = [];
      for (const [purpose, { signsWith, accepts }] of Object.entries(keys)) {
        const other = agreed[purpose];
        if (other !== undefined && !accepts.includes(other)) {
          faults.push(
            `keys disagree: other processes sign ${purpose} with ${other}, this one with ${signsWith}; share one secrets file`,
          );
        }
      }
      if (faults.length === 0 && !hasLaidDown) {
        const isOther = Object.entries(mine).some(([purpose, kid]) => agreed[purpose] !== kid);
        if (isOther) await agreeOnKeys(mine, true);
        hasLaidDown = true;
      }
      const unheard = unheardRooms();
      if (unheard.length > 0) faults.push(`nothing has been heard of the rooms yet: ${unheard.join(", ")}`);
      return faults;
    } catch {
      return ["the store does not answer"];
    }
  };
}
