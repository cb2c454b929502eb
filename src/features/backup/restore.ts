import { existsSync, mkdirSync, renameSync, writeFileSync } from "node:fs";
import { basename, dirname, join } from "node:path";
import { type IssuerConfig, mayRestoreSecretsFile, restoreSecretsFile, type UsherConfig } from "../../config/index.ts";
import { SetupError } from "../../lib/errors.ts";
import { restoredAuditFile } from "../../operate/audit/index.ts";
import { registryFileBeside, registryPathBeside } from "../../registry/index.ts";
import { hasCheckpoints, isAllRestored, isInUse, readRoomCopy, writeRestored } from "../../room/index.ts";
import type { Backup } from "./backup-file.ts";
import { unseal } from "./sealed.ts";

export interface Restored {
  readonly rooms: readonly string[];
  readonly files: readonly string[];
  /** Where what was there has been moved to; null: nothing was there. */
  readonly movedTo: string | null;
}

/**
 * Puts a backup where a gateway that starts on this machine looks for what earlier ones left: keys, what was changed at run time, how far
 * each room had come, and the audit. The gateway gives it to its store, as after any loss. Nothing is changed where something is wrong.
 *
 * @throws SetupError
 */
export async function restore({
  backup,
  config,
  passphrase,
  isReplacing,
  nowMs,
}: {
  readonly backup: Backup;
  readonly config: UsherConfig;
  /** Null: there is none. */
  readonly passphrase: string | null;
  /** Whether what this machine has is moved away. */
  readonly isReplacing: boolean;
  readonly nowMs: number;
}): Promise<Restored> {
  const { issuers, secretsFile } = config;
  const folder = dirname(secretsFile);
  const unknown = namesOf(backup).find((name) => !issuers.some(({ issuer }) => issuer === name));
  if (unknown !== undefined)
    throw new SetupError(`the backup is of ${unknown}, which the configuration does not have: import with its own`);
  const secrets = await openSecrets(backup, issuers, passphrase);
  const rooms = new Map(
    Object.entries(backup.rooms).map(([name, { room, checkpoint, keys }]) => {
      try {
        return [name, readRoomCopy(checkpoint, keys)];
      } catch {
        throw new SetupError(`the backup does not say how far the room ${room} had come: take another one`);
      }
    }),
  );

  const others: string[] = [];
  for (const [{ secretsFile: file }, text] of secrets)
    if (!(await mayRestoreSecretsFile(file, text))) others.push(file);
  if (others.length > 0 && !isReplacing)
    throw new SetupError(
      `${others.join(", ")}: other keys than the backup's. Import with --replace, which moves them away`,
    );

  const checkpoints = join(folder, "checkpoints");
  if (isInUse(checkpoints, nowMs))
    throw new SetupError(
      `a gateway writes to ${checkpoints}: stop it, and empty its store, or what it has begun counts more than the backup`,
    );
  const registries = new Set([secretsFile, ...issuers.map((issuer) => issuer.secretsFile)].map(registryPathBeside));
  const paths = [
    ...(hasCheckpoints(checkpoints) ? [checkpoints] : []),
    ...[...registries, restoredAuditFile(secretsFile)].filter((file) => existsSync(file)),
  ];
  // What an earlier import put here, and no gateway has begun with, is nothing that could be newer.
  if (paths.length > 0 && !isReplacing && !isAllRestored(checkpoints)) {
    throw new SetupError(
      `this machine has state of its own (${paths.join(", ")}), which a gateway that starts here recovers from. If that is newer than the ` +
        "backup, start the gateway; else import with --replace, which moves it away",
    );
  }
  const moved = [...paths, ...others];
  const movedTo = moved.length === 0 ? null : moveAway(moved, folder, nowMs);

  for (const [{ secretsFile: file }, text] of secrets) await restoreSecretsFile(file, text);
  for (const [name, { version, content }] of Object.entries(backup.registries)) {
    const file = issuers.find(({ issuer }) => name === `registry of ${issuer}`)?.secretsFile ?? secretsFile;
    registryFileBeside(file, name).write({ version, text: JSON.stringify(content) });
  }
  if (backup.audit.length > 0) {
    mkdirSync(folder, { recursive: true, mode: 0o700 });
    const lines = backup.audit.map((line) => `${JSON.stringify(line)}\n`);
    writeFileSync(restoredAuditFile(secretsFile), lines.join(""), { mode: 0o600 });
  }
  // Last: a gateway that has them goes on with the rooms.
  const configured = issuers.flatMap((issuer) => issuer.rooms.map(({ id }) => id)).filter((id) => !rooms.has(id));
  writeRestored(checkpoints, rooms, configured, { createdMs: Date.parse(backup.made_at), nowMs });
  return {
    rooms: Object.values(backup.rooms).map(({ room }) => room),
    files: [...secrets.keys()].map((issuer) => issuer.secretsFile),
    movedTo,
  };
}

/** Of the issuers that it is of. */
function namesOf({ secrets, registries }: Backup): string[] {
  const registered = Object.keys(registries).flatMap((name) => /^registry of (.+)$/.exec(name)?.[1] ?? []);
  return [...Object.keys(secrets), ...registered];
}

async function openSecrets(
  { secrets }: Backup,
  issuers: readonly IssuerConfig[],
  passphrase: string | null,
): Promise<Map<IssuerConfig, string>> {
  const opened = new Map<IssuerConfig, string>();
  for (const issuer of issuers) {
    const isConfigured = [issuer.keys.tickets, issuer.keys.signing, issuer.keys.cookies].every(
      (keys) => keys.length > 0,
    );
    const sealed = secrets[issuer.issuer];
    if (sealed !== undefined) {
      if (passphrase === null)
        throw new SetupError("the keys in the backup are encrypted: set USHER_BACKUP_PASSPHRASE to that of its export");
      opened.set(issuer, await unseal(sealed, passphrase));
    } else if (!isConfigured && !existsSync(issuer.secretsFile)) {
      throw new SetupError(
        `the backup has no keys of ${issuer.issuer}, and there is no ${issuer.secretsFile}: without its keys every place is void. ` +
          "Put the secrets file there first",
      );
    }
  }
  return opened;
}

function moveAway(files: readonly string[], folder: string, nowMs: number): string {
  const to = join(folder, `before-import-${new Date(nowMs).toISOString().replace(/[:.]/g, "-")}`);
  mkdirSync(to, { mode: 0o700 });
  for (const file of files) renameSync(file, join(to, basename(file)));
  return to;
}
