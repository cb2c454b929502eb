import type { SecretReport } from "./reloaded-secrets.ts";

/** What fails now. Tells of each once when it begins, and once when it is over. */
export interface FaultBoard {
  /** `key` names what fails, `place` is where it is told. Null: nothing is wrong (any more). */
  set(key: string, place: string, message: string | null): void;
  sentences(): readonly string[];
}

export function createFaultBoard(report: (report: SecretReport) => void): FaultBoard {
  const failing = new Map<string, { place: string; message: string }>();
  return {
    set(key, place, message) {
      const wasFailing = failing.has(key);
      if (message !== null) failing.set(key, { place, message });
      else failing.delete(key);
      if (message !== null && !wasFailing) {
        report({ event: "secrets.failed", place, message: `${message}; the last values stay in force` });
      } else if (message === null && wasFailing) {
        report({ event: "secrets.restored", place, message: "can be read and used again" });
      }
    },
    sentences: () => [...failing.values()].map(({ place, message }) => `${place}: ${message}`),
  };
}
