import { ConfigError } from "../checks/faults.ts";
import type { Environment } from "../secrets/secret-source.ts";
import { DEFAULT_PORT, readEnvironment } from "./environment.ts";
import { type LoadedConfig, loadConfig } from "./load.ts";

export interface DemoOptions {
  /** Port of the gateway. */
  readonly port: number;
  /** Port of the protected site. */
  readonly demoPort: number;
  /** Made at each start; shared by gateway and site. */
  readonly clientSecret: string;
}

/** The configuration of the demonstration, as a document: it goes through the same checks as a file. */
export function demoConfig({ port, demoPort, clientSecret }: DemoOptions): Record<string, unknown> {
  const site = `http://localhost:${demoPort}`;
  return {
    issuer: `http://localhost:${port}`,
    listen: { host: "127.0.0.1", port },
    store: { type: "memory" },
    // What is tried out is kept apart from what is run in earnest.
    secrets_file: ".usher/demo/secrets.json",
    rooms: [
      {
        id: "demo",
        title: "Demonstration",
        inlet: { type: "manual" },
        // Where the example of a site that links lead to is, unless it is told otherwise.
        targets: ["http://localhost:8080/", "http://localhost:8080/*"],
      },
    ],
    clients: [
      {
        client_id: "demo-site",
        client_secret: clientSecret,
        redirect_uris: [`${site}/callback`],
        post_logout_redirect_uris: [`${site}/`],
        room: "demo",
        initiate_login_uri: `${site}/`,
        remembered_logins: "many",
      },
    ],
  };
}

/**
 * The demonstration with the ports and everything else that the environment says.
 * @throws ConfigError with all faults at once.
 */
export async function loadDemoConfig(options: { env: Environment; clientSecret: string }): Promise<LoadedConfig> {
  const { overrides } = readEnvironment(options.env);
  const { demoPort } = overrides;
  const port = overrides.port ?? DEFAULT_PORT;
  if (port === 0 || port === demoPort) {
    const message = `expected a port of its own, other than the demonstration site's (${demoPort})`;
    throw new ConfigError("The demonstration can't start:", [{ path: "PORT", value: String(port), message }]);
  }
  const document = demoConfig({ port, demoPort, clientSecret: options.clientSecret });
  return loadConfig({ document, env: options.env, file: undefined });
}
