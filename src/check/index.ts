/**
 * Checks before a join: that a place costs more than a request. What is asked of a visitor (a proof of work, or a challenge of a
 * provider), how hard it is for the address block that they come from, and the signed pass that they get for it. It knows
 * neither HTTP nor pages: `http/visitor/join-check.ts` asks it on the way to `room.join`. Nothing here asks the store.
 */
export type { CheckNeeded, Entered, Presented, Task, Unjudged } from "./answers.ts";
export { type Checks, createChecks } from "./checks.ts";
export { type ProofChallenge, proofLengthMax } from "./proof-of-work.ts";
export type { ProviderWidget } from "./providers.ts";
export { responseLengthMax } from "./site-verify.ts";
