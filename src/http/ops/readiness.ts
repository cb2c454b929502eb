/** What keeps this process from serving; empty when it is ready. Each fault says what is wrong and what to do. */
export type Readiness = () => Promise<string[]>;

export interface KeysInUse {
  readonly signsWith: string;
  /** Every key that it can verify with. */
  readonly accepts: readonly string[];
  /** Keys that sign no more: that others signed with one of them says nothing about now. */
  readonly superseded: readonly string[];
}

export interface ReadinessOptions {
  /** Fingerprints of this process's keys by purpose. */
  readonly keys: () => Readonly<Record<string, KeysInUse>>;
  /** Keys that this process should have and does not, and what keeps it from hearing of them: one sentence each. */
  readonly keyFaults: () => readonly string[];
  /** Lays down what the running processes sign with, unless it is laid down; answers what is. */
  readonly agreeOnKeys: (fingerprints: Record<string, string>, replace: boolean) => Promise<Record<string, string>>;
  readonly ping: () => Promise<void>;
  /** Rooms whose state has not been heard since this process started. */
  readonly unheardRooms: () => readonly string[];
}

/**
 * Ready is a process whose store answers and whose keys agree with those of the others: what they sign it can
 * verify. A process that signs with another key than was laid down lays down its own, once for each key: in a rotation
 * the processes that changed last decide.
 */
export function createReadiness({ keys, keyFaults, agreeOnKeys, ping, unheardRooms }: ReadinessOptions): Readiness {
  let laidDown = "";
  return async () => {
    const current = Object.entries(keys());
    const mine = Object.fromEntries(current.map(([purpose, { signsWith }]) => [purpose, signsWith]));
    try {
      await ping();
      const agreed = await agreeOnKeys(mine, false);
      const faults: string[] = [];
      for (const [purpose, { signsWith, accepts, superseded }] of current) {
        const other = agreed[purpose];
        if (other !== undefined && !accepts.includes(other) && !superseded.includes(other)) {
          faults.push(
            `keys disagree: other processes sign ${purpose} with ${other}, this one with ${signsWith}; share one secrets file`,
          );
        }
      }
      const ours = JSON.stringify(mine);
      if (faults.length === 0 && laidDown !== ours) {
        const isOther = Object.entries(mine).some(([purpose, kid]) => agreed[purpose] !== kid);
        if (isOther) await agreeOnKeys(mine, true);
        laidDown = ours;
      }
      faults.push(...keyFaults());
      const unheard = unheardRooms();
      if (unheard.length > 0) faults.push(`nothing has been heard of the rooms yet: ${unheard.join(", ")}`);
      return faults;
    } catch {
      return ["the store does not answer"];
    }
  };
}
