/**
 * The admission log, and the audit, as a file: its lines, the chain of hashes over them, the check of that chain, and the report on an event
 * (report/: figures gathered row by row, as JSON and as a page). It imports no other folder, since the same code chains rows in a
 * gateway (room/) and checks them without one (cli/). In a browser the console checks with `ChainVerifier`, by files that need no Node.
 */
export { chainHash, headFault, parseHead, startOfAudit, startOfChain } from "./chain.ts";
export type { Verification } from "./chain-verifier.ts";
export { auditBaseLine, baseLine, type LoggedCounts, type LogLine, readLine, sealLine } from "./lines.ts";
export type { ChainHead } from "./recipe.ts";
export { createReport, type FairnessReport } from "./report/create-report.ts";
export { GatheredLog } from "./report/gathered.ts";
export { reportHtml } from "./report/html.ts";
export { LogVerifier } from "./verifier.ts";
