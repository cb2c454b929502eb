import type { Command } from "commander";
import { configFileOf, withConfigFile } from "./config-file.ts";
import type { StoreTools } from "./findings.ts";
import { addExamples } from "./help.ts";
import { CommandError, requireYes, type Terminal } from "./terminal.ts";

/** `usher adopt`: gives the stores of a configuration its name, in place of another installation's (docs/stores.md). */
export function addAdoptCommand(program: Command, { env, parts, print, ask }: Terminal, stores: StoreTools): void {
  withConfigFile(program.command("adopt"))
    .description("make the stores of a configuration those of its issuers and ticket keys; stop what used them before")
    .option("--yes", "ask nothing")
    .action(async (argument: string | undefined, { yes, ...options }: { config?: string; yes?: true }) => {
      const file = configFileOf(options, argument);
      const { loadConfig } = await import("../../config/index.ts");
      const { config, reloaded } = await loadConfig({ file, env, parts });
      await reloaded.stop();
      if (config.store.type === "memory")
        throw new CommandError(
          "the store is the memory of one process, and nobody else has it: there is nothing to do",
        );
      if (!yes) await requireYes(ask, "Processes of the installation that has these stores now are shut out of them.");
      const issuers = config.issuers.map(({ issuer }) => issuer).join(", ");
      for (const { about, before } of await stores.adopt(config)) {
        print(`${about} belongs to ${issuers} now${before === null ? "" : `; before, to ${before.join(", ")}`}.`);
      }
      print("Start its processes. Those of another installation write nothing there any more.");
    });
  addExamples(program, "usher adopt --config /etc/usher/usher.yaml");
}
