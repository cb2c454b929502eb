import type { Command } from "commander";
import type { UsherConfig } from "../../config/index.ts";
import { systemClock } from "../../lib/clock.ts";
import type { Gateway } from "../gateway.ts";
import { type GatewayOptions, gatewayOf, withGateway } from "../installation/gateway-options.ts";
import { CommandError, type Terminal } from "../terminal.ts";
import { checkAddress } from "./address.ts";
import { checkClients } from "./clients.ts";
import { ask, type Finding, fault, type InspectRedis, objectOf, ok, report, warning } from "./finding.ts";
import { checkFromOutside } from "./from-outside.ts";

interface DoctorOptions extends GatewayOptions {
  readonly config: string;
  readonly json?: true;
}

/** `usher doctor`: what would go wrong in the sale, looked for before it, from configuration to clients' secrets. */
export function addDoctorCommand(program: Command, { env, print }: Terminal, inspectRedis: InspectRedis): void {
  withGateway(
    program
      .command("doctor")
      .description(
        "look for what would go wrong: configuration, name, certificate, proxy, store, clients, a whole login",
      ),
  )
    .requiredOption("--config <file>", "configuration file of the running gateway (YAML), with its environment")
    .option("--json", "print the findings as JSON")
    .action(async ({ config: file, json, ...options }: DoctorOptions) => {
      report(await examine(file, options), json ?? false, print);
    });

  async function examine(file: string, options: GatewayOptions): Promise<Finding[]> {
    const { ConfigError, formatFault, loadConfig } = await import("../../config/index.ts");
    try {
      const { config, warnings } = await loadConfig({ file, env });
      const readings = warnings.map((text) => warning("configuration", text));
      if (readings.length === 0) readings.push(ok("configuration", `${file} has no fault.`));
      const { gateway, findings } = adminOf(config, options);
      readings.push(...checkProxies(config), ...(await checkStore(config)), ...(await checkRunning(config, gateway)));
      return [...readings, ...findings];
    } catch (error) {
      if (!(error instanceof ConfigError)) throw error;
      return error.faults.map((each) => fault("configuration", formatFault(each)));
    }
  }

  /** The admin API of the file, unless the options name another; none without a key. */
  function adminOf({ admin }: UsherConfig, options: GatewayOptions) {
    const right = "has the role operator for the rooms, to try a whole login";
    const isNamed = options.url !== undefined || options.context !== undefined;
    try {
      const url = isNamed || admin.listen === null ? {} : { url: originOf(admin.listen) };
      return { gateway: gatewayOf({ ...url, ...options }, env, right), findings: [] };
    } catch (error) {
      if (!(error instanceof CommandError) || isNamed) throw error;
      return { gateway: null, findings: [warning("whole login", `No whole login was tried: ${error.message}.`)] };
    }
  }

  async function checkStore({ store }: UsherConfig): Promise<Finding[]> {
    if (store.type === "memory") {
      return [
        warning(
          "store",
          "The store is the memory of one process: use Redis (store.type), to run two and to restart them in a sale.",
        ),
      ];
    }
    const { faults, warnings } = await inspectRedis(store.url);
    const found = [...faults.map((text) => fault("store", text)), ...warnings.map((text) => warning("store", text))];
    return found.length > 0 ? found : [ok("store", "Redis is as Usher needs it.")];
  }
}

/** TLS is ended before Usher: what does that must be known to it. */
function checkProxies({ listen, issuers }: UsherConfig): Finding[] {
  const isBehindProxy = issuers.some(({ issuer }) => issuer.startsWith("https:"));
  if (!isBehindProxy) return [];
  if (listen.trustedProxies.length > 0) return [ok("proxies", `${listen.trustedProxies.length} ranges are trusted.`)];
  const wayOut = "name the addresses from which it connects in listen.trusted_proxies";
  return [
    fault("proxies", `No proxy is trusted, so all visitors behind the one that ends TLS count as one: ${wayOut}.`),
  ];
}

async function checkRunning({ issuers, admin }: UsherConfig, gateway: Gateway | null): Promise<Finding[]> {
  const findings: Finding[] = [];
  for (const { issuer, rooms, clients } of issuers) {
    const address = await checkAddress(issuer, systemClock.now());
    findings.push(...address);
    if (address.some(({ status }) => status === "fault")) continue;
    const shown = await checkFromOutside(
      issuer,
      rooms.map(({ id }) => id),
      () => systemClock.now(),
    );
    findings.push(...shown);
    const isUsher = shown.some(({ about, status }) => about === "discovery" && status === "ok");
    if (isUsher) findings.push(...(await checkClients(issuer, clients, gateway)));
  }
  if (admin.listen !== null) findings.push(...(await checkReadiness(admin.listen)));
  return findings;
}

interface Listen {
  readonly host: string;
  readonly port: number;
}

/** Where this machine reaches a listener. */
function originOf({ host, port }: Listen): string {
  const here = host === "0.0.0.0" || host === "::" ? "127.0.0.1" : host;
  return `http://${here.includes(":") ? `[${here}]` : here}:${port}`;
}

/** What a process on this machine says of itself. */
async function checkReadiness(listen: Listen): Promise<Finding[]> {
  const url = originOf(listen);
  const answer = await ask(`${url}/readyz`);
  if (typeof answer === "string") {
    return [
      warning(
        "readiness",
        `No operators' listener answers at ${url} (${answer}): run the doctor on the gateway's machine, or start it.`,
      ),
    ];
  }
  const { faults, warnings } = objectOf(answer.text);
  const found = [
    ...textsOf(faults).map((text) => fault("readiness", text)),
    ...textsOf(warnings).map((text) => warning("readiness", text)),
  ];
  return found.length > 0 ? found : [ok("readiness", `The process at ${url} is ready.`)];
}

function textsOf(value: unknown): string[] {
  return Array.isArray(value) ? value.map(String) : [];
}
