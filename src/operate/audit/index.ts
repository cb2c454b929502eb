/**
 * The audit: who changed what, and what was refused. Rows are chained by their hashes as those of the admission log are, kept in the
 * store, and each is a line of the log first. admin-api/ makes a row of each request that changes something; commands/ checks what was exported.
 */
export type { AuditRow } from "../../store/contract/room-store.ts";
export { type AttemptBounds, createAttemptBounds } from "./attempt-bounds.ts";
export { type AuditLog, createAuditLog } from "./audit-log.ts";
export { type Change, changesBetween, inverseOf, leafAt, type MemberKind } from "./changes.ts";
export { restoredAuditFile } from "./restored-rows.ts";
export {
  type AuditEntry,
  type AuditLine,
  csvHead,
  csvLine,
  type Inverse,
  type RequestLine,
  readAuditRow,
} from "./rows.ts";
