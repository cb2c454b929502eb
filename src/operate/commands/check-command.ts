import type { Command } from "commander";
import type { Terminal } from "./terminal.ts";

/** `usher check FILE`: all faults and warnings of a configuration file, without starting anything. */
export function addCheckCommand(program: Command, { env, parts, print }: Terminal): void {
  program
    .command("check <file>")
    .description("check a configuration file: all faults and warnings at once; starts nothing")
    .option("--without-secrets", "read no secret: where the file is at hand, and they are not")
    .action(async (file: string, { withoutSecrets }: { withoutSecrets?: true }) => {
      const { loadConfig } = await import("../../config/index.ts");
      const { config, warnings } = await loadConfig({ file, env, parts, needsSecrets: !withoutSecrets });
      const rooms = config.issuers.flatMap((issuer) => issuer.rooms).length;
      const clients = config.issuers.flatMap((issuer) => issuer.clients).length;
      for (const warning of warnings) print(`warning: ${warning}`);
      print(`${file} has no fault: issuers ${config.issuers.length}, rooms ${rooms}, clients ${clients}.`);
    });
}
