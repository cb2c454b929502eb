import { mkdirSync, readdirSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import type { Command } from "commander";
import { draftOf } from "../../lib/draft-file.ts";
import { reasonOf } from "../../lib/reason.ts";
import { askGateway, type Gateway, openStream } from "../../operate/commands/gateway.ts";
import { addExamples } from "../../operate/commands/help.ts";
import { type GatewayOptions, gatewayOf, withGateway } from "../../operate/commands/installation/gateway-options.ts";
import { CommandError, counted, type Terminal, UsageError, wholeNumberIn } from "../../operate/commands/terminal.ts";

interface ExportOptions extends GatewayOptions {
  readonly out?: string;
  readonly dir?: string;
  readonly keep: number;
  readonly config?: string;
  readonly replace?: true;
}

const named = /^usher-\d{8}T\d{6}Z\.json$/;

/** `usher export`: a backup of a running installation in one file (docs/backup.md). */
export function addExportCommand(program: Command, { env, parts, print }: Terminal): void {
  withGateway(program.command("export").description("back up an installation to one file (docs/backup.md)"))
    .option("--out <file>", "a new file")
    .option("--dir <folder>", "a new file in this folder, named by the time")
    .option("--keep <files>", "with --dir: so many of them stay, the newest", wholeNumberIn(1, 10_000), 30)
    .option(
      "--config <file>",
      "that of the gateway on this machine: its keys go in, encrypted by USHER_BACKUP_PASSPHRASE",
    )
    .option("--replace", "write over a file that is there")
    .action(async ({ out, dir, keep, config, replace, ...which }: ExportOptions) => {
      if ((out === undefined) === (dir === undefined)) throw new UsageError("expected --out or --dir");
      const gateway = gatewayOf(which, env, "has the role admin, for all rooms");
      const [{ backupBytesMax, backupVersion }, { sealed }] = await Promise.all([
        import("./backup-file.ts"),
        import("./sealed.ts"),
      ]);
      const secrets = config === undefined ? {} : await sealedSecrets(config, env, parts);
      const state = await askGateway(gateway, (client) => client.GET("/admin/backup"));
      const audit = await auditOf(gateway);
      const { made_at, usher, registries, rooms } = state;
      const head = { format: "usher-backup", version: backupVersion, made_at, usher };
      const document = { ...head, secrets, registries, rooms, audit };
      const passphrase = env.USHER_BACKUP_PASSPHRASE ?? "";
      const whole = passphrase === "" ? document : await sealed(document, passphrase);
      const text = `${JSON.stringify(whole, null, 1)}\n`;
      if (Buffer.byteLength(text) > backupBytesMax)
        throw new CommandError(`the backup would have more than ${backupBytesMax} bytes, and no import takes that`);
      const file = out ?? join(dir ?? "", `usher-${made_at.replace(/[-:]|\.\d+/g, "")}.json`);
      if (dir !== undefined) mkdirSync(dir, { recursive: true, mode: 0o700 });
      writeNew(file, text, replace === true);
      if (dir !== undefined) removeOld(dir, keep);
      const hasKeys = Object.keys(secrets).length > 0;
      const contents = [counted(Object.keys(rooms).length, "room"), `${counted(audit.length, "line")} of the audit`];
      print(`Written: ${file} (${contents.join(", ")}, ${hasKeys ? "with" : "without"} keys).`);
      if (!hasKeys) print("Keys are not in it: keep the secrets file elsewhere, or name the gateway's --config.");
      if (passphrase === "")
        print("It has no seal, so anybody who can write to it can change it: set USHER_BACKUP_PASSPHRASE for one.");
    });
  addExamples(program, "usher export --dir /var/backups/usher --config /etc/usher/usher.yaml");
}

/** By issuer. @throws SetupError, CommandError */
async function sealedSecrets(
  file: string,
  env: Terminal["env"],
  parts: Terminal["parts"],
): Promise<Record<string, string>> {
  const passphrase = env.USHER_BACKUP_PASSPHRASE ?? "";
  if (passphrase === "") throw new CommandError("set USHER_BACKUP_PASSPHRASE, by which the keys are encrypted");
  const [{ copySecretsFile, loadConfig }, { seal }] = await Promise.all([
    import("../../config/index.ts"),
    import("./sealed.ts"),
  ]);
  const { config } = await loadConfig({ file, env, parts });
  const sealed: Record<string, string> = {};
  for (const { issuer, keys, secretsFile } of config.issuers) {
    const text = await copySecretsFile(secretsFile);
    if (text !== null) sealed[issuer] = await seal(text, passphrase);
    else if ([keys.tickets, keys.signing, keys.cookies].some((each) => each.length === 0))
      throw new CommandError(
        `there is no ${secretsFile}: set secrets_file or USHER_SECRETS_FILE as the gateway has it`,
      );
  }
  return sealed;
}

/** As `usher audit export` has it: no more than an import takes. */
async function auditOf(gateway: Gateway): Promise<unknown[]> {
  const { backupBytesMax: bytesMax } = await import("./backup-file.ts");
  const chunks: Uint8Array[] = [];
  for await (const chunk of await openStream(gateway, "/audit/export", { bytesMax })) chunks.push(chunk);
  const lines = Buffer.concat(chunks).toString("utf8").split("\n");
  return lines.filter((line) => line !== "").map((line) => JSON.parse(line) as unknown);
}

/** The file appears whole or not at all. Mode 0600. @throws CommandError */
function writeNew(file: string, text: string, isReplacing: boolean): void {
  const draft = draftOf(file);
  try {
    writeFileSync(draft.path, text, { mode: 0o600, flush: true });
    draft.put(isReplacing);
  } catch (error) {
    const reason = reasonOf(error);
    if (reason === "EEXIST") throw new CommandError(`${file} is there already: --replace writes over it`);
    throw new CommandError(`${file} cannot be written (${reason})`);
  } finally {
    draft.drop();
  }
}

/** Of those that were made here. */
function removeOld(dir: string, keep: number): void {
  const files = readdirSync(dir).filter((name) => named.test(name));
  for (const name of files.sort().slice(0, -keep)) rmSync(join(dir, name), { force: true });
}
