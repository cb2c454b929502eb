/**
 * The admission log, and the audit, as a file: its lines, the chain of hashes over them, and the check of that chain. It imports no other
 * folder, since the same code chains rows in a gateway and checks them without one. In a browser the console checks with `ChainVerifier`,
 * by files that need no Node.
 */
export { chainHash, headFault, parseHead, startOfAudit, startOfChain } from "./chain.ts";
export type { Verification } from "./chain-verifier.ts";
export { auditBaseLine, baseLine, type LoggedCounts, type LogLine, readLine, sealLine } from "./lines.ts";
export type { ChainHead } from "./recipe.ts";
export { LogVerifier } from "./verifier.ts";
