/** What the rest of the program sees of secrets that change while it runs. */
import type { KeyPurpose } from "../secrets/secret-places.ts";

export type SecretChange =
  | {
      readonly kind: "client_secret";
      readonly clientId: string;
      /** The newest first; all are accepted. */
      readonly secrets: readonly string[];
    }
  | {
      readonly kind: "keys";
      readonly issuer: string;
      readonly purpose: KeyPurpose;
      /** The whole list of that issuer and purpose, never empty; the first wishes to sign. */
      readonly keys: readonly string[];
    };

/** For the log. Never contains a secret. */
export interface SecretReport {
  /** `failed` is reported once when a failure begins, `restored` once when it is over. */
  readonly event: "secrets.failed" | "secrets.restored" | "secrets.changed";
  /** As `clients[0].client_secret`, or `keys.tickets`. */
  readonly place: string;
  readonly message: string;
}

/** Secrets from files and from AWS Secrets Manager, reloaded while the program runs. Where there are none it does nothing. */
export interface ReloadedSecrets {
  /** Looks from now on. Both are called between other work, never from within `start`. */
  start(listener: (change: SecretChange) => void, report?: (report: SecretReport) => void): void;
  /** Ends what is under way; nothing is called afterwards. */
  stop(): Promise<void>;
  /** Sources that fail now, one sentence each; the last values stay in force. */
  faults(): readonly string[];
}

export const NOTHING_RELOADED: ReloadedSecrets = {
  start: () => undefined,
  stop: async () => undefined,
  faults: () => [],
};
