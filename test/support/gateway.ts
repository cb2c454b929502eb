/** Real gateways: built processes with a configuration file of the test's own. */
import { existsSync } from "node:fs";
import { writeFile } from "node:fs/promises";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { stringify } from "yaml";
import { expectDescribedAt } from "./described-answers.ts";
import { answers, freePort } from "./ports.ts";
import { type Exit, type Running, startProcess } from "./processes.ts";
import { makeTempDir, type TempDir } from "./temp-dir.ts";

const MAIN_FILE = fileURLToPath(new URL("../../dist/main.js", import.meta.url));
export const ADMIN_KEY = "admin-key-of-the-tests-0123456789abcdef";

/** A configuration as in the file, snake_case. `issuer` (unless there are `issuers`) and `listen.port` are filled in when absent. */
export interface GatewayConfig {
  issuer?: string;
  listen?: Record<string, unknown>;
  store?: Record<string, unknown>;
  rooms?: Record<string, unknown>[];
  clients?: Record<string, unknown>[];
  /** In place of `issuer`, `rooms`, `clients` and `keys`. */
  issuers?: Record<string, unknown>[];
  [key: string]: unknown;
}

export interface GatewayOptions {
  config: GatewayConfig;
  /** Beside the few variables that every program needs; nothing else is inherited. */
  env?: Record<string, string>;
  port?: number;
  /** Kept when given, so that several gateways and restarts share their keys; otherwise a new one. */
  secretsFile?: string;
  /** The program; default: this tree's. */
  mainFile?: string;
  /** Default true: wait until `/readyz` answers 200. */
  waitUntilReady?: boolean;
}

export interface Gateway {
  readonly issuer: string;
  /** `http://localhost:PORT`: this very process, whatever the issuer. */
  readonly origin: string;
  readonly port: number;
  /** Where operators ask: the issuer, unless the configuration has a listener of their own. */
  readonly operatorsOrigin: string;
  readonly secretsFile: string;
  readonly configFile: string;
  /** The process that runs now. */
  process(): Running;
  /** Everything this gateway ever printed, over restarts. */
  output(): string;
  /** Starts it again after a stop or a kill, with the same configuration, port and secrets. @param mainFile another program than before */
  start(mainFile?: string): Promise<void>;
  /** Ends it in good order. It may be started again. */
  halt(): Promise<Exit>;
  /** Ends it as a crash would. It may be started again. */
  kill(): Promise<Exit>;
  waitUntilReady(timeoutMs?: number): Promise<void>;
  /** Ends it and removes its files. */
  stop(): Promise<void>;
}

/** Starts a gateway; end it with `stop`. */
export async function startGateway(options: GatewayOptions): Promise<Gateway> {
  if (!existsSync(MAIN_FILE)) throw new Error("dist/main.js is missing: run `npm run build` first");
  const folder = await makeTempDir("gateway");
  const port = options.port ?? (await freePort());
  const gateway = await prepare(folder, port, options);
  try {
    await gateway.start();
    if (options.waitUntilReady ?? true) await gateway.waitUntilReady();
  } catch (error) {
    await gateway.stop();
    throw error;
  }
  return gateway;
}

/**
 * Several gateways with one configuration and one secrets file, the first before the others. The issuer
 * defaults to the first one's address.
 */
export async function startGateways(
  count: number,
  options: Omit<GatewayOptions, "port">,
  ports: readonly number[] = [],
): Promise<Gateway[]> {
  const atPort = (index: number) => (ports[index] === undefined ? {} : { port: ports[index] });
  const first = await startGateway({ ...options, ...atPort(0) });
  const shared = {
    ...options,
    config: { ...options.config, issuer: first.issuer },
    secretsFile: first.secretsFile,
  };
  const others: Promise<Gateway>[] = [];
  for (let index = 1; index < count; index++) others.push(startGateway({ ...shared, ...atPort(index) }));
  try {
    return [first, ...(await Promise.all(others))];
  } catch (error) {
    const started = (await Promise.allSettled(others)).flatMap((each) =>
      each.status === "fulfilled" ? each.value : [],
    );
    await Promise.all([first, ...started].map((gateway) => gateway.stop()));
    throw error;
  }
}

async function prepare(folder: TempDir, port: number, options: GatewayOptions): Promise<Gateway> {
  const origin = `http://localhost:${port}`;
  const issuer = options.config.issuer ?? origin;
  const listen = { host: "127.0.0.1", drain: "0s", ...options.config.listen, port };
  const { listen: adminListen } = (options.config.admin ?? {}) as { listen?: { port: number } };
  const readyPort = adminListen?.port ?? port;
  expectDescribedAt(port);
  expectDescribedAt(readyPort);
  const operatorsOrigin = adminListen === undefined ? issuer : `http://127.0.0.1:${adminListen.port}`;
  const configFile = join(folder.path, "usher.yaml");
  const named = options.config.issuers === undefined ? { issuer } : { issuer: undefined };
  await writeFile(configFile, stringify({ ...options.config, ...named, listen }));
  const secretsFile = options.secretsFile ?? join(folder.path, "secrets.json");
  const earlierOutput: string[] = [];
  let running: Running | undefined;

  function current(): Running {
    if (running === undefined) throw new Error("the gateway was never started");
    return running;
  }

  let program = options.mainFile ?? MAIN_FILE;
  async function start(mainFile = program): Promise<void> {
    program = mainFile;
    if (running !== undefined && !running.hasExited()) throw new Error("the gateway is running");
    if (running !== undefined) earlierOutput.push(running.output());
    running = startProcess({
      name: `gateway on port ${port}`,
      command: process.execPath,
      args: [program, "serve", "--config", configFile],
      env: environment({ USHER_SECRETS_FILE: secretsFile, USHER_ADMIN_API_KEY: ADMIN_KEY, ...options.env }),
      cwd: folder.path,
    });
    await running.waitUntil("answer of /healthz", () => answers(`http://127.0.0.1:${port}/healthz`));
  }

  return {
    issuer,
    origin,
    port,
    operatorsOrigin,
    secretsFile,
    configFile,
    process: current,
    output: () => [...earlierOutput, running?.output() ?? ""].join(""),
    start,
    halt: () => current().stop(),
    kill: () => current().kill(),
    waitUntilReady: (timeoutMs) => current().waitUntil("readiness", () => isReady(readyPort), timeoutMs),
    async stop() {
      await running?.stop();
      await folder.remove();
    },
  };
}

function environment(own: Record<string, string>): NodeJS.ProcessEnv {
  const { PATH, HOME, TMPDIR, LANG, NODE_EXTRA_CA_CERTS } = process.env;
  const inherited = Object.entries({ PATH, HOME, TMPDIR, LANG, NODE_EXTRA_CA_CERTS });
  return { ...Object.fromEntries(inherited.filter(([, value]) => value !== undefined)), ...own };
}

async function isReady(port: number): Promise<boolean> {
  try {
    const response = await fetch(`http://127.0.0.1:${port}/readyz`, { signal: AbortSignal.timeout(1_000) });
    await response.arrayBuffer();
    return response.status === 200;
  } catch {
    return false;
  }
}
