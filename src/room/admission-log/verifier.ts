import { nodeRecipe } from "./chain.ts";
import { ChainVerifier } from "./chain-verifier.ts";
import type { ChainHead } from "./recipe.ts";

/** Checks a log with Node's SHA-256. */
export class LogVerifier extends ChainVerifier {
  /** @param heads recorded earlier, to be found again in the chain */
  constructor(heads: readonly ChainHead[] = []) {
    super(nodeRecipe, heads);
  }
}
