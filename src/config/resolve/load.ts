import { isUtf8 } from "node:buffer";
import { readFile } from "node:fs/promises";
import { dirname, resolve } from "node:path";
import { type Clock, systemClock } from "../../lib/clock.ts";
import type { Random } from "../../lib/random.ts";
import { crossCheck } from "../checks/cross-checks.ts";
import { ConfigError, faultAt } from "../checks/faults.ts";
import { ambiguousIssuer, checkKeysApart, missingIssuer } from "../checks/issuer-checks.ts";
import { hasIssuerList } from "../checks/issuer-paths.ts";
import { checkListeners } from "../checks/listen-checks.ts";
import { checkSharing } from "../checks/room-checks.ts";
import { createReloadedSecrets } from "../reload/index.ts";
import { NOTHING_RELOADED, type ReloadedSecrets } from "../reload/reloaded-secrets.ts";
import type { Timers } from "../reload/repeat.ts";
import { document as documentOfOne, documentOfSeveral } from "../schema/schema.ts";
import { checkPreviousSecrets } from "../secrets/secret-places.ts";
import type { Environment } from "../secrets/secret-source.ts";
import { resolveSecrets, standInSecrets } from "../secrets/secret-values.ts";
import { createSecretsManager, type SecretsManagerOptions } from "../secrets/secrets-manager.ts";
import { readThemeFiles } from "../themes/theme-files.ts";
import { assembleConfig, findWarnings } from "./assemble.ts";
import type { UsherConfig } from "./config.ts";
import { readEnvironment } from "./environment.ts";
import type { Path } from "./raw-document.ts";
import { parseYaml } from "./yaml.ts";

const DEFAULT_SECRETS_FILE = ".usher/secrets.json";

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
  readonly timers?: Timers;
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
  const name = options.file ?? "the configuration";
  const raw = await readDocument(options, name);
  const baseDir = options.file === undefined ? resolve(".") : dirname(resolve(options.file));

  const { overrides, faults: environmentFaults } = readEnvironment(options.env);
  const ignoresStoreUrl = overrides.store !== null;
  const secretsManager = createSecretsManager(options.secretsManager);
  const context = { env: options.env, baseDir, secretsManager };
  const needsSecrets = options.needsSecrets !== false;
  const secrets = needsSecrets
    ? await resolveSecrets(raw, context, ignoresStoreUrl)
    : standInSecrets(raw, ignoresStoreUrl);
  const themeFiles = await readThemeFiles(raw, baseDir);
  const checked = hasIssuerList(raw) ? documentOfSeveral.safeParse(raw) : documentOfOne.safeParse(raw);
  const faults = [
    ...environmentFaults,
    ...(checked.error?.issues ?? []).map((issue) => faultAt(raw, issue.path as Path, issue.message)),
    ...secrets.faults,
    ...checkPreviousSecrets(raw),
    ...crossCheck(raw),
    ...themeFiles.faults,
    ...checkSharing(
      raw,
      overrides.store?.type === "redis" ? overrides.store.url : (secrets.values.get("store.url")?.[0] ?? null),
    ),
    ...checkKeysApart(raw, secrets.values),
    ...checkListeners(raw, overrides.port),
    ...missingIssuer(raw, options.env),
    ...ambiguousIssuer(raw, options.env),
  ];
  if (faults.length > 0 || !checked.success) {
    secretsManager.close();
    throw new ConfigError(`${name} has ${faults.length} ${faults.length === 1 ? "fault" : "faults"}:`, faults);
  }

  const { secrets_file } = checked.data;
  const writtenSecretsFile =
    secrets_file === undefined ? resolve(DEFAULT_SECRETS_FILE) : resolve(baseDir, secrets_file);
  const config = assembleConfig({
    document: checked.data,
    secrets: secrets.values,
    overrides,
    secretsFile: overrides.secretsFile ?? writtenSecretsFile,
    ...(checked.data.locales !== undefined && { localesDir: resolve(baseDir, checked.data.locales) }),
    themes: { logos: themeFiles.logos, baseDir },
  });
  const { clock = systemClock, random, timers } = options;
  const { values } = secrets;
  const refreshMs = checked.data.secrets.refresh;
  return {
    config,
    reloaded: needsSecrets
      ? createReloadedSecrets({
          raw,
          values,
          issuers: config.issuers,
          context: { ...context, refreshMs, random },
          clock,
          timers,
        })
      : NOTHING_RELOADED,
    warnings: [...secrets.warnings, ...themeFiles.warnings, ...findWarnings(checked.data, config, clock.now())],
  };
}

async function readDocument({ file, text, document }: LoadOptions, name: string): Promise<unknown> {
  if (document !== undefined) {
    return document;
  }
  return parseYaml(text ?? (await readText(file ?? "")), name);
}

async function readText(file: string): Promise<string> {
  const refuse = (message: string) =>
    new ConfigError("The configuration can't be read:", [{ path: file, value: null, message }]);
  let bytes: Buffer;
  try {
    bytes = await readFile(file);
  } catch (error) {
    throw refuse(adviceFor(error instanceof Error && "code" in error ? error.code : "unknown error"));
  }
  if (!isUtf8(bytes)) throw refuse("is not UTF-8: save it in that encoding");
  return bytes.toString("utf8");
}

function adviceFor(code: unknown): string {
  switch (code) {
    case "ENOENT":
      return "there is no such file: give the path of a YAML file with --config";
    case "EISDIR":
      return "is a folder: give the path of a YAML file with --config";
    default:
      return `can't be read (${code}): it must be readable to the user that Usher runs as`;
  }
}
