import { ConfigError } from "../checks/faults.ts";
import type { Environment } from "../secrets/secret-source.ts";
import { DEFAULT_PORT, readEnvironment } from "./environment.ts";
import { type LoadedConfig, loadConfig } from "./load.ts";

export interface DemoPorts {
  /** Of the gateway. */
  readonly port: number;
  /** Of the protected site. */
  readonly demoPort: number;
}

export interface DemoConfigOptions {
  readonly env: Environment;
  /** Makes the document, which goes through the same checks as a file. */
  readonly documentOf: (ports: DemoPorts) => Record<string, unknown>;
}

/**
 * The configuration of a demonstration, with the ports and everything else that the environment says.
 * @throws ConfigError with all faults at once.
 */
export async function loadDemoConfig({ env, documentOf }: DemoConfigOptions): Promise<LoadedConfig> {
  const { overrides } = readEnvironment(env);
  const { demoPort } = overrides;
  const port = overrides.port ?? DEFAULT_PORT;
  if (port === 0 || port === demoPort) {
    const message = `expected a port of its own, other than the demonstration site's (${demoPort})`;
    throw new ConfigError("The demonstration can't start:", [{ path: "PORT", value: String(port), message }]);
  }
  return loadConfig({ document: documentOf({ port, demoPort }), env, file: undefined });
}
