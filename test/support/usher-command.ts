/** Runs commands of `usher` as a person does at a terminal, in this process. */
import { fileURLToPath } from "node:url";
import { Command, CommanderError } from "commander";
import { adoptStores } from "../../src/app/stores.ts";
import { featureCommands } from "../../src/features/commands.ts";
import { systemClock, systemRandom } from "../../src/lib/clock-and-random.ts";
import { SetupError } from "../../src/lib/errors.ts";
import { createLogger } from "../../src/lib/logger.ts";
import { addCommands, CommandError, type StoreTools, type Terminal } from "../../src/operate/commands/index.ts";
import { inspectRedis } from "../../src/store/redis/index.ts";
import { parts } from "./load-config.ts";

export interface CommandRun {
  readonly code: number;
  readonly printed: string;
  /** What is said about a failure. */
  readonly failure: string;
  /** What a person was asked. */
  readonly asked: readonly string[];
}

export interface Surroundings {
  readonly env?: Readonly<Record<string, string>>;
  /** What a person says to questions, one after the other; without it nobody is there. */
  readonly answers?: readonly string[];
  readonly input?: string;
  readonly screen?: Terminal["screen"];
  readonly stop?: AbortSignal;
  /** Hears what is printed at once. */
  readonly onPrint?: (text: string) => void;
}

export async function runUsher(args: readonly string[], around: Surroundings = {}): Promise<CommandRun> {
  const [printed, asked, errors]: [string[], string[], string[]] = [[], [], []];
  const program = new Command("usher")
    .exitOverride()
    .configureOutput({ writeErr: (text) => errors.push(text), writeOut: (text) => printed.push(text) });
  const { env = {}, answers, input = "", screen = null } = around;
  const terminal: Terminal = {
    env,
    parts,
    packageDir: fileURLToPath(new URL("../../", import.meta.url)),
    print: (text) => {
      printed.push(text);
      around.onPrint?.(text);
    },
    ask: answers === undefined ? null : async (question) => answers[asked.push(question) - 1] ?? "",
    readInput: async () => input,
    screen,
    progress: null,
    listenForStop: () => around.stop ?? new AbortController().signal,
  };
  const tools = { random: systemRandom, logger: createLogger("silent"), clock: systemClock };
  const stores: StoreTools = {
    inspect: (store, installation) =>
      inspectRedis({ ...store, installation, ...tools, nowMs: () => systemClock.now() }),
    adopt: (config) => adoptStores(config, tools),
  };
  addCommands(program, terminal, stores, featureCommands);
  const code = await program.parseAsync(args, { from: "user" }).then(
    () => 0,
    (error: unknown) => {
      if (error instanceof CommanderError) return error.exitCode === 0 ? 0 : 2;
      if (!(error instanceof CommandError || error instanceof SetupError)) throw error;
      errors.push(error.message);
      return error instanceof CommandError ? error.exitCode : 1;
    },
  );
  return { code, printed: printed.join("\n"), failure: errors.join(""), asked };
}
