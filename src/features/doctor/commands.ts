import { existsSync } from "node:fs";
import type { Command } from "commander";
import type { UsherConfig } from "../../config/index.ts";
import { type Finding, fault, ok, warning } from "../../lib/finding.ts";
import { configFileOf, withConfigFile } from "../../operate/commands/config-file.ts";
import { type NamedInstallation, report, type StoreTools } from "../../operate/commands/findings.ts";
import { addExamples } from "../../operate/commands/help.ts";
import { type GatewayOptions, gatewayOf, withGateway } from "../../operate/commands/installation/gateway-options.ts";
import { CommandError, type Terminal, UsageError } from "../../operate/commands/terminal.ts";
import { checkProxies, originOf } from "./address.ts";
import { readClientKeys } from "./client-keys.ts";

interface TrialOptions extends GatewayOptions {
  readonly clientKey: readonly string[];
  readonly throughSite?: string;
}

/** `usher doctor`: what would go wrong in the sale, looked for before it, from configuration to clients' secrets. */
export function addDoctorCommand(program: Command, { env, parts, print }: Terminal, tools: StoreTools): void {
  withGateway(withConfigFile(program.command("doctor")))
    .description(
      "look for what would go wrong: configuration, name, certificate, proxy, store, clients, a whole login; with the environment of the running gateway",
    )
    .option(
      "--client-key <id=file>",
      "the private key of a client with private_key_jwt, to try it; may be given again",
      (one: string, others: readonly string[]) => [...others, one],
      [],
    )
    .option("--through-site <url>", "a page of a protected site: play a login from there, by the site itself")
    .option("--json", "print the findings as JSON")
    .action(
      async (
        argument: string | undefined,
        {
          config,
          json,
          ...options
        }: TrialOptions & {
          readonly config?: string;
          readonly json?: true;
        },
      ) => {
        const file = configFileOf(config === undefined ? {} : { config }, argument);
        report(await examine(file, options), json ?? false, print);
      },
    );
  addExamples(program, "usher doctor usher.yaml --through-site https://shop.example.com/tickets");

  async function examine(file: string, options: TrialOptions): Promise<Finding[]> {
    const { ConfigError, formatFault, loadConfig } = await import("../../config/index.ts");
    const { checkRunning } = await import("./running.ts");
    const site = options.throughSite === undefined ? undefined : pageOf(options.throughSite);
    try {
      const { config, warnings } = await loadConfig({ file, env, parts });
      const clients = config.issuers.flatMap((issuer) => issuer.clients);
      const keys = await readClientKeys(options.clientKey, clients);
      const readings = warnings.map((text) => warning("configuration", text));
      if (readings.length === 0) readings.push(ok("configuration", `${file} has no fault.`));
      const { gateway, findings } = adminOf(config, options);
      const trials = { gateway, keys, site };
      readings.push(
        ...checkProxies(
          config.listen,
          config.issuers.map(({ issuer }) => issuer),
        ),
        ...(await checkStores(config)),
        ...(await checkRunning(config, trials, parts)),
      );
      return [...readings, ...findings];
    } catch (error) {
      if (!(error instanceof ConfigError)) throw error;
      return error.faults.map((each) => fault("configuration", formatFault(each)));
    }
  }

  /** The admin API of the file, unless the options name another; none without a key. */
  function adminOf({ admin }: UsherConfig, { url, context, throughSite }: TrialOptions) {
    const right = "has the role operator for the rooms, to try a whole login";
    const isNamed = url !== undefined || context !== undefined;
    const own = isNamed || admin.listen === null ? url : originOf(admin.listen);
    const options = { ...(own !== undefined && { url: own }), ...(context !== undefined && { context }) };
    try {
      return { gateway: gatewayOf(options, env, right), findings: [] };
    } catch (error) {
      // What was asked for has to be tried.
      if (!(error instanceof CommandError) || isNamed || throughSite !== undefined) throw error;
      return { gateway: null, findings: [warning("whole login", `No whole login was tried: ${error.message}.`)] };
    }
  }

  /** Each store by itself, side by side. */
  async function checkStores(config: UsherConfig): Promise<Finding[]> {
    const { store, stores } = config;
    const own = await namedInstallation(config);
    const found = await Promise.all([
      checkStore(store, "store", own),
      ...stores.map(({ name, ...each }) => checkStore({ type: "redis", ...each }, `stores.${name}`, own)),
    ]);
    return found.flat();
  }

  /** @param about where it is configured */
  async function checkStore(store: UsherConfig["store"], about: string, own: NamedInstallation): Promise<Finding[]> {
    if (store.type === "memory") {
      return [
        warning(
          about,
          "The store is the memory of one process: use Redis (store.type), to run two and to restart them in a sale.",
        ),
      ];
    }
    const { faults, warnings } = await tools.inspect(store, own);
    const found = [...faults.map((text) => fault(about, text)), ...warnings.map((text) => warning(about, text))];
    return found.length > 0 ? found : [ok(about, "Redis is as Usher needs it.")];
  }
}

/** @throws UsageError */
function pageOf(url: string): URL {
  const page = URL.canParse(url) ? new URL(url) : null;
  if (page !== null && /^https?:$/.test(page.protocol) && page.username === "" && page.password === "") return page;
  throw new UsageError("--through-site: expected the address of a protected page, such as https://shop.example.com/");
}

/** By what the file's installation is named in its store. Nothing is made: where a secrets file is on another machine, its keys are unknown. */
async function namedInstallation(config: UsherConfig): Promise<NamedInstallation> {
  const issuers = config.issuers.map(({ issuer }) => issuer);
  const areThere = config.issuers.every(({ keys, secretsFile }) => keys.tickets.length > 0 || existsSync(secretsFile));
  if (!areThere) return { issuers, ticketKeys: null };
  const { loadKeysOfIssuers } = await import("../../config/index.ts");
  const { byIssuer } = await loadKeysOfIssuers(config);
  return { issuers, ticketKeys: [...byIssuer.values()].flatMap(({ tickets }) => tickets.map(({ kid }) => kid)) };
}
