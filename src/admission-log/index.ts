/**
 * The admission log as a file: its lines, the chain of hashes over them, the check of that chain, and the report on an event. It
 * imports no other folder, since the same code chains rows in a gateway (room/) and checks them without one (cli/).
 */
export { type ChainHead, chainHash, startOfChain } from "./chain.ts";
export { headFault, parseHead } from "./head.ts";
export { baseLine, type LoggedCounts, type LogLine, readLine, sealLine } from "./lines.ts";
export { LogVerifier, type Verification } from "./verifier.ts";
