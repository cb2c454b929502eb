/** The two ways to run a gateway of a test: in the test's own process, which is cheap, and as a process. */
import { existsSync, readFileSync } from "node:fs";
import { dirname } from "node:path";
import { fileURLToPath } from "node:url";
import { type App, startApp } from "../../src/app/app.ts";
import { systemClock, systemRandom } from "../../src/lib/clock-and-random.ts";
import { createLogger } from "../../src/lib/logger.ts";
import { describeSystemError } from "../../src/lib/system-errors.ts";
import { loadConfig } from "./load-config.ts";
import { answers } from "./ports.ts";
import { type Exit, type Running, startProcess } from "./processes.ts";
import { nextRsaKey } from "./rsa-keys.ts";
import { within } from "./within.ts";

/** What Node, the loader or a library reads, and the gateway does not. */
const variablesOfProcess = /^(?:NODE_|LD_|FAKETIME|AWS_|TZ$)/;
/** A gateway that hangs is given up after so long. What a busy machine makes slow is not. */
const GIVE_UP_MS = 60_000;
const MAIN_FILE = fileURLToPath(new URL("../../dist/main.js", import.meta.url));
const { version } = JSON.parse(readFileSync(new URL("../../package.json", import.meta.url), "utf8")) as {
  version: string;
};

/** To find the primes of an RSA key takes longer than all else of a start. */
const randomHere = { ...systemRandom, rsaKey: async () => nextRsaKey() };

export interface GatewayPlace {
  readonly port: number;
  readonly configFile: string;
  /** What the gateway reads as its environment. */
  readonly env: Record<string, string>;
}

export interface GatewayHost {
  start(): Promise<void>;
  /** Ends it in good order, if it runs. */
  halt(): Promise<unknown>;
  output(): string;
  waitForOutput(pattern: RegExp): Promise<RegExpMatchArray>;
  waitUntil(what: string, probe: () => Promise<boolean>, timeoutMs?: number): Promise<void>;
}

export interface ProcessHost extends GatewayHost {
  start(mainFile?: string): Promise<void>;
  halt(): Promise<Exit>;
  kill(): Promise<Exit>;
  process(): Running;
}

/** As `usher serve` starts it, without what is a process's own: signals, exit codes, standard output. */
export function hostHere({ port, configFile, env }: GatewayPlace): GatewayHost {
  const ofProcess = Object.keys(env).find((name) => variablesOfProcess.test(name));
  if (ofProcess !== undefined) throw new Error(`${ofProcess} is for a process: asProcess: true`);
  const printed: string[] = [];
  let printedBefore = 0;
  let app: App | null = null;
  const sinceStart = () => printed.slice(printedBefore).join("");
  const waitUntil = (what: string, probe: () => Promise<boolean>, timeoutMs = GIVE_UP_MS) =>
    within(timeoutMs, async () => {
      if (!(await probe()))
        throw new Error(`gateway on port ${port}: no ${what} within ${timeoutMs} ms\n${sinceStart()}`);
    });
  return {
    output: () => printed.join(""),
    waitUntil,
    async waitForOutput(pattern) {
      await waitUntil(`output like ${pattern}`, async () => pattern.test(sinceStart()));
      return sinceStart().match(pattern) as RegExpMatchArray;
    },
    async start() {
      if (app !== null) throw new Error("the gateway is running");
      printedBefore = printed.length;
      const { config, warnings, reloaded } = await loadConfig({ file: configFile, env });
      if (config.workers !== 1) throw new Error("several workers are several processes: asProcess: true");
      const logger = createLogger(config.logLevel, { write: (line) => void printed.push(line) });
      for (const warning of warnings) logger.warn({ event: "config.warning" }, warning);
      const options = { config, version, reloaded, logger, clock: systemClock, random: randomHere };
      app = await startApp({
        ...options,
        print: (text) => void printed.push(`${text}\n`),
        worker: null,
        starting: new AbortController().signal,
      }).catch((cause: unknown) => {
        // In the words of the command.
        const words = describeSystemError(cause);
        throw words === null ? cause : new Error(words, { cause });
      });
    },
    async halt() {
      const running = app;
      app = null;
      await running?.drain(new AbortController().signal);
      await running?.close();
    },
  };
}

/** As people start it: the built program, a process of its own. */
export function hostAsProcess(
  { port, configFile, env }: GatewayPlace,
  { mainFile = MAIN_FILE, node = process.execPath }: { readonly mainFile?: string; readonly node?: string } = {},
): ProcessHost {
  const earlierOutput: string[] = [];
  let running: Running | undefined;
  let program = mainFile;

  function current(): Running {
    if (running === undefined) throw new Error("the gateway was never started");
    return running;
  }

  return {
    process: current,
    output: () => [...earlierOutput, running?.output() ?? ""].join(""),
    waitForOutput: (pattern) => current().waitForOutput(pattern),
    waitUntil: (what, probe, timeoutMs) => current().waitUntil(what, probe, timeoutMs),
    async start(mainFile = program) {
      program = mainFile;
      if (!existsSync(program)) throw new Error(`${program} is missing: run \`npm run build\` first`);
      if (running !== undefined && !running.hasExited()) throw new Error("the gateway is running");
      if (running !== undefined) earlierOutput.push(running.output());
      running = startProcess({
        name: `gateway on port ${port}`,
        command: node,
        args: [program, "serve", "--config", configFile],
        env: environment(env),
        cwd: dirname(configFile),
      });
      await running.waitUntil("answer of /healthz", () => answers(`http://127.0.0.1:${port}/healthz`));
    },
    halt: () => current().stop(),
    kill: () => current().kill(),
  };
}

function environment(own: Record<string, string>): NodeJS.ProcessEnv {
  const { PATH, HOME, TMPDIR, LANG, NODE_EXTRA_CA_CERTS } = process.env;
  const inherited = Object.entries({ PATH, HOME, TMPDIR, LANG, NODE_EXTRA_CA_CERTS });
  return { ...Object.fromEntries(inherited.filter(([, value]) => value !== undefined)), ...own };
}
