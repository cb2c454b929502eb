import { once } from "node:events";
import { type Command, InvalidArgumentError } from "commander";
import { systemClock } from "../../lib/clock-and-random.ts";
import { addExamples } from "../../operate/commands/help.ts";
import { type Terminal, UsageError } from "../../operate/commands/terminal.ts";

/** `usher preview`: serves the pages until it is stopped. */
export function addPreviewCommand(program: Command, terminal: Terminal): void {
  const { env, parts, packageDir, print, listenForStop } = terminal;
  program
    .command("preview")
    .argument("[file]", "configuration file (YAML), as by --config")
    .description("show every page with made-up data, and follow the files while they are edited; serves no room")
    .option("--config <file>", "configuration file (YAML); without one, a made-up room is shown")
    .option("--port <port>", "port on this computer, which alone can open it", readPort, 3_030)
    .action(async (argument: string | undefined, { config, port }: { config?: string; port: number }) => {
      if (argument !== undefined && config !== undefined) throw new UsageError("name one configuration file");
      const file = argument ?? config;
      const stop = listenForStop();
      const { startPreview } = await import("./preview.ts");
      const preview = await startPreview({ file, port, env, parts, clock: systemClock, packageDir });
      print(`\n  The pages with made-up data:  ${preview.url}\n\n  Edits are shown at once. Stop with Ctrl-C.\n`);
      if (!stop.aborted) await once(stop, "abort");
      await preview.close();
    });
  addExamples(program, "usher preview usher.yaml");
}

function readPort(text: string): number {
  const port = /^\d{1,5}$/.test(text) ? Number(text) : 65_536;
  if (port > 65_535) throw new InvalidArgumentError("expected a port, a whole number up to 65535");
  return port;
}
