import type { Command } from "commander";
import { systemClock } from "../../lib/clock-and-random.ts";
import { configFileOf, withConfig } from "../../operate/commands/config-file.ts";
import { addExamples } from "../../operate/commands/help.ts";
import { CommandError, printable, type Terminal } from "../../operate/commands/terminal.ts";

interface Options {
  readonly config?: string;
  readonly issuer?: string;
}

/** `usher queue-it config`: the integration configuration as a file, for connectors that read one. Asks no gateway. */
export function addQueueItCommand(
  program: Command,
  { env, parts, print }: Pick<Terminal, "env" | "parts" | "print">,
): void {
  const queueIt = program.command("queue-it").description("for sites with a connector of Queue-it");
  withConfig(queueIt.command("config"))
    .description("print the integration configuration (integrationconfig.json) that follows from a configuration file")
    .option("--issuer <url>", "the issuer; needed where several have this home")
    .action(async (options: Options) => {
      const { loadConfig, settingsOf } = await import("../../config/index.ts");
      const { queueItSettings } = await import("./settings.ts");
      const { differencesOf, integrationConfig } = await import("./integration-config.ts");
      const file = configFileOf(options);
      const { config } = await loadConfig({ file, env, parts, needsSecrets: false });
      const found = config.issuers.flatMap((issuer) => {
        const home = settingsOf(issuer, queueItSettings);
        return home !== null && (options.issuer ?? issuer.issuer) === issuer.issuer ? [{ ...issuer, home }] : [];
      });
      const [first] = found;
      if (first === undefined) throw new CommandError(`${file} has no homes.queue_it of such an issuer`);
      if (found.length > 1)
        throw new CommandError(
          `several issuers have this home: name one of ${found.map((each) => each.issuer).join(", ")} (--issuer)`,
        );
      const { issuer, rooms, home } = first;
      const roomOf = (id: string) => {
        const room = rooms.find((each) => each.id === id);
        if (room === undefined) return null;
        const { title, admission } = room.settings;
        const { targets, rules } = room.waysIn;
        return { title, targets, rules: rules ?? null, admission };
      };
      const say = program.configureOutput().writeErr;
      for (const { room, rule, message } of differencesOf(home.rooms, roomOf))
        say?.(`${printable(`${room}, rule ${rule}: ${message}`)}\n`);
      print(JSON.stringify(integrationConfig(home, roomOf, { issuer, nowMs: systemClock.now() }), null, 2));
    });
  addExamples(program, "usher queue-it config --config usher.yaml");
}
