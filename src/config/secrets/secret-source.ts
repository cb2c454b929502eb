/** Environment variables, passed in by main.ts. An empty one counts as not set. */
export type Environment = Readonly<Record<string, string | undefined>>;

export interface SecretContext {
  readonly env: Environment;
  /** Relative paths start here: the folder of the configuration file. */
  readonly baseDir: string;
}

export interface FetchedSecret {
  readonly value: string;
  /** What the operator should know, such as loose permissions. Never the value. */
  readonly warnings: readonly string[];
}

/**
 * A place where secrets are kept outside the configuration file, written there as `{ from: NAME, … }`.
 * Another kind (a cloud secret store) is one more of these in the registry of index.ts.
 */
export interface SecretSource {
  readonly from: string;
  /** The keys beside `from`: all required, all text. */
  readonly fields: readonly string[];
  /** @throws SecretError that says what is missing and never contains a secret. */
  fetch(reference: Readonly<Record<string, string>>, context: SecretContext): Promise<FetchedSecret>;
}

/** A secret can't be had. The message is shown to the operator. */
export class SecretError extends Error {
  override name = "SecretError";
}
