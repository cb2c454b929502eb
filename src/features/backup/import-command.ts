import type { Command } from "commander";
import { systemClock } from "../../lib/clock-and-random.ts";
import { FileTooLargeError, readFileUpToSync } from "../../lib/read-file.ts";
import { reasonOf } from "../../lib/reason.ts";
import { configFileOf, withConfig } from "../../operate/commands/config-file.ts";
import { addExamples } from "../../operate/commands/help.ts";
import { CommandError, type Terminal } from "../../operate/commands/terminal.ts";

/** `usher import`: puts a backup where a gateway that starts on this machine recovers from (docs/backup.md). */
export function addImportCommand(program: Command, { env, parts, print }: Terminal): void {
  withConfig(program.command("import <backup>"))
    .description(
      "put a backup where the gateway of this machine starts from; the gateway must not run (docs/backup.md)",
    )
    .option("--replace", "move away what this machine has of its own")
    .option("--unsealed", "take a backup that was exported without a passphrase: anybody may have changed it")
    .action(
      async (
        file: string,
        {
          replace,
          unsealed,
          ...options
        }: {
          readonly config?: string;
          readonly replace?: true;
          readonly unsealed?: true;
        },
      ) => {
        const [{ loadConfig }, { backupBytesMax, readBackup }, { requireWhole }, { restore }] = await Promise.all([
          import("../../config/index.ts"),
          import("./backup-file.ts"),
          import("./sealed.ts"),
          import("./restore.ts"),
        ]);
        const found = readBackup(readText(file, backupBytesMax), file);
        const { config } = await loadConfig({ file: configFileOf(options), env, parts });
        const passphrase = env.USHER_BACKUP_PASSPHRASE || null;
        await requireWhole(found, passphrase, unsealed === true);
        const { backup } = found;
        const { rooms, files, movedTo } = await restore({
          backup,
          config,
          passphrase,
          isReplacing: replace === true,
          nowMs: systemClock.now(),
        });
        if (movedTo !== null) print(`What was there is in ${movedTo}.`);
        print(
          `Imported what was there at ${backup.made_at}${files.length === 0 ? "" : `, with the keys in ${files.join(", ")}`}.`,
        );
        print(
          "Start the gateway. Its rooms give out no positions until you resume them, a minute after visitors can reach it:",
        );
        for (const room of rooms) print(`  usher resume ${room}`);
      },
    );
  addExamples(program, "usher import usher-20270302T095900Z.json --config /etc/usher/usher.yaml");
}

/** @throws CommandError */
function readText(file: string, bytesMax: number): string {
  try {
    return readFileUpToSync(file, bytesMax).toString("utf8");
  } catch (error) {
    if (error instanceof FileTooLargeError)
      throw new CommandError(`${file} is no backup: it is larger than ${bytesMax} bytes`);
    throw new CommandError(`${file} cannot be read (${reasonOf(error)})`);
  }
}
