import { dirname, resolve } from "node:path";
import { type Clock, type Random, systemClock, systemRandom } from "../lib/clock-and-random.ts";
import type { After } from "../lib/repeat.ts";
import { assembleConfig } from "./assemble.ts";
import { checkListeners, checkWorkers, crossCheck } from "./checks/cross-checks.ts";
import { ConfigError, type Fault, faultOfIssue } from "./checks/faults.ts";
import { checkIssuerVariable, checkKeysApart } from "./checks/issuer-checks.ts";
import { checkStores } from "./checks/store-checks.ts";
import { findWarnings } from "./checks/warnings.ts";
import type { UsherConfig } from "./config.ts";
import { DEFAULT_PORT, readEnvironment } from "./environment.ts";
import { hasIssuerList } from "./raw-document.ts";
import { documentSchemas } from "./schema/schema.ts";
import { createReloadedSecrets, type ReloadedSecrets } from "./secrets/reloaded-secrets.ts";
import { resolveSecrets, standInSecrets } from "./secrets/resolve-secrets.ts";
import type { Environment } from "./secrets/secret-source.ts";
import { createSecretsManager, type SecretsManagerOptions } from "./secrets/secrets-manager.ts";
import { type SettingsPart, unquotedIn, warningsOfParts } from "./settings-part.ts";
import { readThemeFiles } from "./themes/theme-files.ts";
import { readText, readYaml } from "./yaml.ts";

/** One of `file`, `text` and `document`; `file` beside one of the others only names it. */
export interface LoadOptions {
  /** Path of a YAML file. Relative paths in it start at its folder. */
  readonly file?: string | undefined;
  /** YAML. */
  readonly text?: string | undefined;
  /** A document as YAML would give it. */
  readonly document?: unknown;
  /** Wins over the document. Secrets `from: env` come from here. */
  readonly env: Environment;
  /** What features add to the document. */
  readonly parts: readonly SettingsPart[];
  /** Tells which times are past; default: the system's. */
  readonly clock?: Clock;
  /**
   * False: the configuration is only read, not run. No secret is fetched or missed, and the result has stand-ins.
   * Default true.
   */
  readonly needsSecrets?: boolean;
  /** How long AWS Secrets Manager is waited for. */
  readonly secretsManager?: SecretsManagerOptions;
  /** For the secrets that are reloaded; default: the system's. */
  readonly after?: After;
  readonly random?: Random;
}

export interface LoadedConfig {
  readonly config: UsherConfig;
  /** What works and the operator should still know, one line each. */
  readonly warnings: readonly string[];
  /** Tells when secrets of `config` have changed. Not started. */
  readonly reloaded: ReloadedSecrets;
}

/**
 * Reads, checks and completes a configuration.
 * @throws ConfigError with all faults at once; its message is for the operator.
 */
export async function loadConfig(options: LoadOptions): Promise<LoadedConfig> {
  const { env, parts, clock = systemClock, random = systemRandom, after, needsSecrets = true } = options;
  const name = options.file ?? "the configuration";
  const { value: raw, placed } =
    options.document === undefined
      ? readYaml(options.text ?? (await readText(options.file ?? "")), name)
      : { value: options.document, placed: (faults: readonly Fault[]) => [...faults] };
  const baseDir = options.file === undefined ? resolve(".") : dirname(resolve(options.file));

  const { overrides, faults: environmentFaults } = readEnvironment(env);
  const ignoresStoreUrl = overrides.redisUrl !== null;
  const secretsManager = createSecretsManager(options.secretsManager);
  const context = { env, baseDir, secretsManager };
  const secrets = needsSecrets
    ? await resolveSecrets(raw, parts, context, ignoresStoreUrl)
    : standInSecrets(raw, parts, ignoresStoreUrl);
  const { values } = secrets;
  const themeFiles = await readThemeFiles(raw, baseDir);
  const { ofOne, ofSeveral } = documentSchemas(parts);
  const checked = hasIssuerList(raw) ? ofSeveral.safeParse(raw) : ofOne.safeParse(raw);
  const faults = [
    ...environmentFaults,
    ...placed([
      ...(checked.error?.issues ?? []).map((issue) => faultOfIssue(raw, issue, [], unquotedIn(parts))),
      ...secrets.faults,
      ...crossCheck(raw, parts),
      ...themeFiles.faults,
      ...checkStores(raw, { ofEnvironment: overrides.redisUrl, values }),
      ...checkKeysApart(raw, values),
      ...checkListeners(raw, overrides.port),
      ...checkWorkers(raw, overrides.redisUrl === null ? null : "redis"),
    ]),
    ...checkIssuerVariable(raw, env),
  ];
  if (faults.length > 0 || !checked.success) {
    secretsManager.close();
    throw new ConfigError(`${name} has ${faults.length} ${faults.length === 1 ? "fault" : "faults"}:`, faults);
  }

  const document = checked.data;
  const config = assembleConfig({ document, parts, secrets: values, overrides, baseDir, logos: themeFiles.logos });
  const reloaded = createReloadedSecrets({
    // Stand-ins have no source.
    raw: needsSecrets ? raw : {},
    parts,
    values,
    issuers: config.issuers,
    context: { ...context, refreshMs: document.secrets.refresh, random },
    clock,
    after,
  });
  const warnings = [
    ...secrets.warnings,
    ...themeFiles.warnings,
    ...findWarnings(document, config, clock.now()),
    ...warningsOfParts(raw, parts),
  ];
  return { config, reloaded, warnings };
}

export interface DemoPorts {
  /** Of the gateway. */
  readonly port: number;
  /** Of the protected site. */
  readonly demoPort: number;
}

/**
 * The configuration of a demonstration, with the ports and everything else that the environment says.
 *
 * @param documentOf makes the document, which goes through the same checks as a file
 * @throws ConfigError with all faults at once.
 */
export async function loadDemoConfig(
  { env, parts }: Pick<LoadOptions, "env" | "parts">,
  documentOf: (ports: DemoPorts) => Record<string, unknown>,
): Promise<LoadedConfig> {
  const { demoPort, port: fromEnvironment } = readEnvironment(env).overrides;
  const port = fromEnvironment ?? DEFAULT_PORT;
  if (port === 0 || port === demoPort) {
    const message = `expected a port of its own, other than the demonstration site's (${demoPort})`;
    throw new ConfigError("The demonstration can't start:", [{ path: "PORT", value: String(port), message }]);
  }
  return loadConfig({ document: documentOf({ port, demoPort }), env, parts });
}
