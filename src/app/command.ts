import { existsSync, readFileSync } from "node:fs";
import { availableParallelism } from "node:os";
import { dirname, join } from "node:path";
import { text as readText } from "node:stream/consumers";
import { fileURLToPath, pathToFileURL } from "node:url";
import { Command, InvalidArgumentError, Option } from "commander";
import { type DemoPorts, type LoadedConfig, loadConfig, loadDemoConfig } from "../config/index.ts";
import { featureCommands } from "../features/commands.ts";
import { features } from "../features/index.ts";
import { systemClock, systemRandom } from "../lib/clock-and-random.ts";
import { SetupError } from "../lib/errors.ts";
import { pipedLog } from "../lib/log-destination.ts";
import { createLogger, type Logger } from "../lib/logger.ts";
import { describeSystemError } from "../lib/system-errors.ts";
import { configFileOf, withConfigFile } from "../operate/commands/config-file.ts";
import { addExamples } from "../operate/commands/help.ts";
import { addCommands, CommandError, printable, type StoreTools, type Terminal } from "../operate/commands/index.ts";
import { settingsPartsOf } from "../operate/feature.ts";
import type { App } from "./app.ts";
import type { Worker } from "./cluster/index.ts";

/** The compiled program lies in dist/, the views beside it. */
const packageDir = dirname(dirname(dirname(fileURLToPath(import.meta.url))));

const parts = settingsPartsOf(features);

type DemoSetup = DemoPorts & { readonly clientSecret: string; readonly crowd: number };

/** What src/ knows of examples/demo. */
interface DemoModule {
  demoDocument(setup: DemoSetup): Record<string, unknown>;
  startDemo(
    options: DemoSetup & Record<"issuer" | "adminKey", string>,
  ): Promise<{ readonly guide: string; close(): Promise<void> }>;
}

/** Of a demonstration, all on one computer. */
const crowdMax = 1_000;
/** Undefined where the log goes to a file or a terminal. */
const logDestination = pipedLog();
/** What the last lines of the log may take to get to their reader, in milliseconds. */
const lastLinesMs = 500;
const crowdUsual = 200;

/** The `usher` command: the only reader of the environment and the only one that ends the process. */
const program = new Command("usher")
  .description("A virtual waiting room that is an OpenID Connect identity provider")
  .version(readVersion())
  .configureOutput({ outputError: (message, write) => write(message + configHint(process.argv.slice(2))) })
  .exitOverride(({ exitCode }) => process.exit(exitCode === 0 ? 0 : 2))
  .showHelpAfterError("usher --help lists the commands, usher COMMAND --help the options of one");

interface ServeOptions {
  readonly config?: string;
  readonly worker?: number;
}

function addServeCommand(): void {
  withConfigFile(program.command("serve"))
    .description("serve the rooms of a configuration file")
    // A primary starts its workers with it.
    .addOption(new Option("--worker <slot>").argParser(Number).hideHelp())
    .action(async (argument: string | undefined, { worker: slot, ...options }: ServeOptions) => {
      const file = configFileOf(options, argument);
      const signals = listenForSignals();
      const loaded = await loadConfig({ file, env: process.env, parts });
      const { createWorker, workerCount } = await import("./cluster/index.ts");
      if (slot !== undefined) return serveAsWorker(createWorker(slot, process), loaded, signals);
      const count = workerCount(loaded.config, availableParallelism());
      if (count > 1) return leadWorkers(count, file, loaded, signals);
      const app = await start(loaded, signals.duringStart);
      const logger = createLogger(loaded.config.logLevel, logDestination);
      process.on("SIGUSR2", () =>
        logger.warn({ event: "workers.not_restarted" }, "there is one process alone: restart it"),
      );
      signals.stop([app], app.drain);
    });
  addExamples(program, "usher serve usher.yaml");
}

function addDemoCommand(): void {
  program
    .command("demo")
    .description("serve a room `demo` and a site that it protects, on the embedded memory store")
    .option("--crowd <visitors>", "so many simulated visitors walk in, and newcomers after them", readCrowd, crowdUsual)
    .option("--no-crowd", "nobody walks in: you move the line by hand, and places stay from one start to the next")
    .action(async (options: { crowd: number | false }) => {
      const crowd = options.crowd || 0;
      const signals = listenForSignals();
      const { demoDocument, startDemo } = await importDemo();
      const adminKey = process.env.USHER_ADMIN_API_KEY || systemRandom.bytes(18).toString("base64url");
      const clientSecret = systemRandom.bytes(32).toString("base64url");
      const env = { USHER_LOG_LEVEL: "error", ...process.env, USHER_ADMIN_API_KEY: adminKey };
      const loaded = await loadDemoConfig({ env, parts }, (ports) => demoDocument({ ...ports, clientSecret, crowd }));
      const { issuers, demoPort, listen } = loaded.config;
      const app = await start(loaded, signals.duringStart);
      const issuer = issuers[0]?.issuer ?? "";
      const demo = await startDemo({ issuer, port: listen.port, demoPort, clientSecret, adminKey, crowd });
      signals.stop([demo, app]);
      console.log(demo.guide);
    });
  addExamples(program, "usher demo --crowd 500");
}

const stores: StoreTools = {
  async inspect(store, installation) {
    const { inspectRedis } = await import("../store/redis/index.ts");
    return inspectRedis({
      ...store,
      installation,
      random: systemRandom,
      logger: createLogger("silent"),
      nowMs: () => systemClock.now(),
    });
  },
  async adopt(config) {
    const { adoptStores } = await import("./stores.ts");
    return adoptStores(config, { clock: systemClock, random: systemRandom, logger: createLogger("silent") });
  },
};
addCommands(program, terminalOf(), stores, [
  { group: "start", add: addServeCommand },
  { group: "start", add: addDemoCommand },
  ...featureCommands,
]);

try {
  await program.parseAsync();
} catch (error) {
  console.error(describeFailure(error));
  process.exit(error instanceof CommandError ? error.exitCode : 1);
}

/** Where commands print, ask and paint. */
function terminalOf(): Terminal {
  const { stdin, stdout, stderr } = process;
  const ask = async (question: string) => {
    const { createInterface } = await import("node:readline/promises");
    const lines = createInterface({ input: stdin, output: stderr });
    // Ctrl-C and a closed terminal say no.
    const closed = new Promise<string>((resolve) => lines.once("close", () => resolve("")));
    const answer = await Promise.race([lines.question(question), closed]);
    lines.close();
    return answer;
  };
  return {
    env: process.env,
    parts,
    packageDir,
    print: (text) => console.log(text),
    ask: stdin.isTTY && stderr.isTTY ? ask : null,
    readInput: () => readText(stdin),
    screen: stdout.isTTY
      ? { size: () => ({ columns: stdout.columns, rows: stdout.rows }), write: (text) => void stdout.write(text) }
      : null,
    progress: stderr.isTTY
      ? (line) => void stderr.write(`\r\u001b[K${line.slice(0, (stderr.columns || 80) - 1)}`)
      : null,
    listenForStop: () => {
      const stop = new AbortController();
      for (const signal of ["SIGINT", "SIGTERM"] as const) process.on(signal, () => stop.abort());
      // A reader that is gone, such as head.
      stdout.on("error", () => stop.abort());
      return stop.signal;
    },
  };
}

/** The demonstration is an example, which is built beside the program where its sources are: in a clone. */
async function importDemo(): Promise<DemoModule> {
  const file = join(packageDir, "dist", "demo", "index.js");
  if (existsSync(file)) return import(pathToFileURL(file).href);
  throw new SetupError(
    "the demonstration is not part of this installation: run npm start in a clone of the repository, " +
      "or serve rooms of your own: usher serve --config FILE",
  );
}

/** The gateway as one of several processes: it ends by the signals that its primary hands on, and when it is told that it is replaced. */
async function serveAsWorker(worker: Worker, loaded: LoadedConfig, signals: Signals): Promise<void> {
  process.on("SIGUSR2", () => {
    // For the primary.
  });
  worker.onRetire(signals.end);
  const app = await start(loaded, signals.duringStart, worker);
  signals.stop([app, worker], app.drain);
}

/** This process starts others, which serve. */
async function leadWorkers(count: number, file: string, loaded: LoadedConfig, signals: Signals): Promise<void> {
  const { config, reloaded } = loaded;
  const logger = createLogger(config.logLevel, logDestination);
  const [{ createFork, createPrimary, workerCount }, { checkPlaces }] = await Promise.all([
    import("./cluster/index.ts"),
    import("../web/server.ts"),
  ]);
  warnOf(loaded, logger);
  await reloaded.stop();
  await checkPlaces(config);
  if (signals.duringStart.aborted) process.exit(0);
  const primary = createPrimary({
    count,
    fork: createFork((slot) => ["serve", "--config", file, "--worker", String(slot)]),
    logger,
    endingMs: config.listen.drainMs + 30_000,
    async check() {
      const { config: now, reloaded: unused } = await loadConfig({ file, env: process.env, parts });
      await unused.stop();
      if (workerCount(now, availableParallelism()) === count) return;
      throw new SetupError("workers has changed in the configuration: stop this gateway and start it again");
    },
    onEnd: (code) => process.exit(code),
  });
  signals.handOn(primary.signal);
  process.on("SIGUSR2", () => void primary.restart());
  await primary.start();
}

function warnOf({ warnings }: LoadedConfig, logger: Logger): void {
  for (const warning of warnings) logger.warn({ event: "config.warning" }, warning);
}

/** @param worker null for a process of its own */
async function start(loaded: LoadedConfig, starting: AbortSignal, worker: Worker | null = null): Promise<App> {
  const { config, reloaded } = loaded;
  const ofProcess = createLogger(config.logLevel, logDestination);
  const logger = worker === null ? ofProcess : ofProcess.child({ worker: worker.slot });
  // A primary has said them.
  if (worker === null) warnOf(loaded, logger);
  if (starting.aborted) process.exit(0);
  // Loaded when it is needed: commands that only ask a gateway answer at once.
  const { startApp } = await import("./app.ts");
  return startApp({
    config,
    version: readVersion(),
    reloaded,
    logger,
    clock: systemClock,
    random: systemRandom,
    // What is said at the start is said once.
    print: (text) => (worker === null || worker.slot === 1) && console.log(text),
    worker,
    starting,
  });
}

type Signals = ReturnType<typeof listenForSignals>;

/** Where a launcher passes signals on, one Ctrl-C may arrive twice. */
const repeatedSignalMs = 1_000;

/**
 * A first SIGTERM, which service managers send, drains; SIGINT comes from a person at the keyboard, who waits. Another
 * signal later cuts that short, and one more ends the process at once. A signal during the start cuts it short.
 */
function listenForSignals() {
  const [starting, cut] = [new AbortController(), new AbortController()];
  let heardMs = Number.NEGATIVE_INFINITY;
  let isClosing = false;
  let begin: ((signal: NodeJS.Signals) => void) | null = null;
  const handle = (signal: NodeJS.Signals) => {
    const isFirst = heardMs === Number.NEGATIVE_INFINITY;
    const isRepeated = performance.now() - heardMs <= repeatedSignalMs;
    if (isRepeated) return;
    heardMs = performance.now();
    if (isFirst && begin === null) starting.abort();
    else if (isFirst) begin?.(signal);
    else if (isClosing || begin === null) process.exit(1);
    else cut.abort();
  };
  process.on("SIGINT", handle);
  process.on("SIGTERM", handle);
  return {
    /** As by SIGTERM. */
    end: () => handle("SIGTERM"),
    /** From now on signals are another's. */
    handOn(to: (signal: "SIGINT" | "SIGTERM") => void): void {
      for (const signal of ["SIGINT", "SIGTERM"] as const) process.off(signal, handle).on(signal, () => to(signal));
    },
    /** Aborted by a signal that comes before `stop` has been called. */
    duringStart: starting.signal,
    /** What a signal closes from now on, and what drains first; at once, if one has come. */
    stop(parts: readonly Pick<App, "close">[], drain?: App["drain"]): void {
      const close = async () => {
        isClosing = true;
        for (const part of parts) await part.close();
        await logDestination?.flush(lastLinesMs);
        process.exit(0);
      };
      begin = (signal) => void (signal === "SIGTERM" && drain !== undefined ? drain(cut.signal).then(close) : close());
      if (starting.signal.aborted) void close();
    },
  };
}

/** What an operator can mend is said in words; anything else is shown as it is. */
function describeFailure(error: unknown): unknown {
  if (error instanceof CommandError) return error.message.split("\n").map(printable).join("\n");
  return error instanceof SetupError ? error.message : (describeSystemError(error) ?? error);
}

/** A configuration file in place of a command, or of the demonstration's own. */
function configHint([first = "", second = ""]: readonly string[]): string {
  const isFile = (word: string) => /^[^-].*\.ya?ml$/i.test(word);
  const file = isFile(first) ? first : first === "--config" || isFile(second) ? second || "FILE" : "";
  return file === "" || !(isFile(first) || ["--config", "demo"].includes(first))
    ? ""
    : `did you mean usher serve ${file}?\n`;
}

/** At least one: to bring nobody needs no option. */
function readCrowd(text: string): number {
  const size = /^\d{1,6}$/.test(text) ? Number(text) : 0;
  if (size < 1 || size > crowdMax) throw new InvalidArgumentError(`expected 1 to ${crowdMax} visitors`);
  return size;
}

function readVersion(): string {
  const { version } = JSON.parse(readFileSync(new URL("../../package.json", import.meta.url), "utf8"));
  return version;
}
