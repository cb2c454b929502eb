/** Real gateways, each with a configuration file of the test's own: in the test's process, or as processes of their own. */
import { writeFile } from "node:fs/promises";
import { join } from "node:path";
import { stringify } from "yaml";
import { expectDescribedAt } from "./described-answers.ts";
import { type GatewayHost, hostAsProcess, hostHere, type ProcessHost } from "./gateway-hosts.ts";
import { freePort } from "./ports.ts";
import type { Exit, Running } from "./processes.ts";
import { makeTempDir, type TempDir } from "./temp-dir.ts";

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
  /** Default true: wait until `/readyz` answers 200. */
  waitUntilReady?: boolean;
  /** A process of its own: for tests of signals, crashes, workers, the environment, or the command. Needs `npm run build`. */
  asProcess?: boolean;
}

export interface ProcessGatewayOptions extends GatewayOptions {
  asProcess: true;
  /** The program; default: this tree's. */
  mainFile?: string;
  /** What runs it; default: what runs the tests. */
  node?: string;
}

export interface Gateway {
  readonly issuer: string;
  /** `http://localhost:PORT`: this very gateway, whatever the issuer. */
  readonly origin: string;
  readonly port: number;
  /** Where operators ask: the issuer, unless the configuration has a listener of their own. */
  readonly operatorsOrigin: string;
  readonly secretsFile: string;
  readonly configFile: string;
  /** Everything this gateway ever printed, over restarts. */
  output(): string;
  /** Resolves with the first match in what it printed since its last start, past or future. */
  waitForOutput(pattern: RegExp): Promise<RegExpMatchArray>;
  /** Starts it again after it ended, with the same configuration, port and secrets. */
  start(): Promise<void>;
  /** Ends it in good order. It may be started again. */
  halt(): Promise<unknown>;
  waitUntilReady(timeoutMs?: number): Promise<void>;
  /** Ends it and removes its files. */
  stop(): Promise<void>;
}

export interface ProcessGateway extends Gateway {
  /** The process that runs now. */
  process(): Running;
  halt(): Promise<Exit>;
  /** @param mainFile another program than before */
  start(mainFile?: string): Promise<void>;
  /** Ends it as a crash would. It may be started again. */
  kill(): Promise<Exit>;
}

/** Starts a gateway; end it with `stop`. */
export function startGateway(options: ProcessGatewayOptions): Promise<ProcessGateway>;
export function startGateway(options: GatewayOptions): Promise<Gateway>;
export async function startGateway(options: GatewayOptions | ProcessGatewayOptions): Promise<Gateway> {
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
export function startGateways(
  count: number,
  options: Omit<ProcessGatewayOptions, "port">,
  ports?: readonly number[],
): Promise<ProcessGateway[]>;
export function startGateways(
  count: number,
  options: Omit<GatewayOptions, "port">,
  ports?: readonly number[],
): Promise<Gateway[]>;
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

async function prepare(
  folder: TempDir,
  port: number,
  options: GatewayOptions | ProcessGatewayOptions,
): Promise<Gateway | ProcessGateway> {
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
  const env = { USHER_SECRETS_FILE: secretsFile, USHER_ADMIN_API_KEY: ADMIN_KEY, ...options.env };
  const place = { port, configFile, env };
  const describe = <Host extends GatewayHost>(host: Host) => ({
    issuer,
    origin,
    port,
    operatorsOrigin,
    secretsFile,
    configFile,
    output: host.output,
    waitForOutput: host.waitForOutput,
    start: host.start as Host["start"],
    halt: host.halt as Host["halt"],
    waitUntilReady: (timeoutMs?: number) => host.waitUntil("readiness", () => isReady(readyPort), timeoutMs),
    async stop() {
      await host.halt();
      await folder.remove();
    },
  });
  if (options.asProcess !== true) return describe(hostHere(place));
  const host: ProcessHost = hostAsProcess(place, options as ProcessGatewayOptions);
  return { ...describe(host), process: host.process, kill: host.kill };
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
