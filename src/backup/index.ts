/**
 * A copy of an installation in one file, and the way back: `usher export` writes one of what a gateway answers at `GET /admin/backup`, and
 * `usher import` puts it where a gateway that starts recovers from. What is in it, and what is not: docs/backup.md.
 */
export { type Backup, type BackupFile, backupBytesMax, backupVersion, readBackup } from "./backup-file.ts";
export { type Restored, type RestoreOptions, restore, restoredAuditFile } from "./restore.ts";
export { requireWhole, seal, sealed } from "./sealed.ts";
