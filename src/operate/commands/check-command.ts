import type { Command } from "commander";
import { configFileOf, withConfigFile } from "./config-file.ts";
import { addExamples } from "./help.ts";
import { counted, type Terminal } from "./terminal.ts";

interface CheckOptions {
  readonly config?: string;
  readonly withoutSecrets?: true;
}

/** `usher check`: all faults and warnings of a configuration file, without starting anything. */
export function addCheckCommand(program: Command, { env, parts, print }: Terminal): void {
  withConfigFile(program.command("check"))
    .description("check a configuration file: all faults and warnings at once; starts nothing")
    .option("--without-secrets", "read no secret: where the file is at hand, and they are not")
    .action(async (argument: string | undefined, { withoutSecrets, ...options }: CheckOptions) => {
      const file = configFileOf(options, argument);
      const { loadConfig } = await import("../../config/index.ts");
      const { config, warnings } = await loadConfig({ file, env, parts, needsSecrets: !withoutSecrets });
      const rooms = config.issuers.flatMap((issuer) => issuer.rooms).length;
      const clients = config.issuers.flatMap((issuer) => issuer.clients).length;
      for (const warning of warnings) print(`warning: ${warning}`);
      const contents = [counted(config.issuers.length, "issuer"), counted(rooms, "room"), counted(clients, "client")];
      print(`${file} has no fault: ${contents.join(", ")}.`);
    });
  addExamples(program, "usher check usher.yaml");
}
