import type { ProofChallenge } from "./proof-of-work.ts";
import type { ProviderWidget } from "./providers.ts";

/** What a visitor shows of a check that was done. */
export interface Presented {
  /** Of a proof of work; see proof-of-work.ts. */
  readonly proof?: string | undefined;
  /** Of a provider's challenge. */
  readonly response?: string | undefined;
  readonly pass?: string | undefined;
  /** What came with the question (see `CheckNeeded`), or any pass since. */
  readonly session?: string | undefined;
}

/** What is to be done. */
export type Task =
  | { readonly type: "proof_of_work"; readonly challenge: ProofChallenge }
  | { readonly type: "challenge"; readonly widget: ProviderWidget };

/** The visitor has to do this first. */
export interface CheckNeeded {
  readonly result: "check";
  readonly task: Task;
  /** To be shown with what was done, so that it counts from another network, too. For a browser without scripts it is the pass. */
  readonly session: string;
  /** For a browser without scripts: milliseconds after which `session` counts as a pass; null where it never does. */
  readonly waitMs: number | null;
}

/** The visitor may join. */
export interface Entered {
  readonly result: "entered";
  /** Called once it is known whether they did: what was shown is used up by a place alone. */
  settle(hasJoined: boolean): void;
}

/** What was done cannot be judged now: the provider is away, or busy. */
export interface Unjudged {
  readonly result: "unjudged";
}
