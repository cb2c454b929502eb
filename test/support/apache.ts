/** Apache with mod_auth_openidc: a real relying party, with its own private configuration. */
import { existsSync, readFileSync } from "node:fs";
import { copyFile, mkdir, readFile, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { answers, freePort } from "./ports.ts";
import { findProgram, type Running, startProcess } from "./processes.ts";
import { makeTempDir } from "./temp-dir.ts";

export const APACHE_MODULES_FOLDER = "/usr/lib/apache2/modules";
const TEMPLATE_FILE = new URL("./apache/httpd.conf", import.meta.url);
const PAGE_FILE = new URL("./apache/index.shtml", import.meta.url);

export interface ApacheOptions {
  issuer: string;
  clientId: string;
  clientSecret: string;
  port?: number;
  /** Seconds that mod_auth_openidc remembers a login; its default is 300. */
  stateTimeoutSec?: number;
  /** `OIDCDefaultURL`: where a late or unknown callback is sent. */
  defaultUrl?: string;
  /** Further lines inside the virtual host. */
  extraLines?: readonly string[];
}

export interface Apache {
  /** `http://localhost:PORT`; everything under it is protected. */
  readonly origin: string;
  readonly redirectUri: string;
  readonly process: Running;
  errorLog(): string;
  stop(): Promise<void>;
}

/** The addresses by which Apache on `port` is registered as a client. */
export function apacheUris(port: number) {
  const origin = `http://localhost:${port}`;
  return { origin, redirectUri: `${origin}/oidc/callback`, loggedOutUri: `${origin}/open/` };
}

export function findApache(): string {
  const program = findProgram("apache2") ?? findProgram("httpd");
  if (program === undefined) throw new Error("this test needs Apache (apache2) with mod_auth_openidc");
  return program;
}

export async function startApache(options: ApacheOptions): Promise<Apache> {
  const port = options.port ?? (await freePort());
  const folder = await makeTempDir("apache", true);
  for (const site of ["site", "site/open", "site/api"]) {
    await mkdir(join(folder.path, site));
    await copyFile(PAGE_FILE, join(folder.path, site, "index.shtml"));
  }
  const configFile = join(folder.path, "httpd.conf");
  await writeFile(configFile, fillIn(await readFile(TEMPLATE_FILE, "utf8"), values(folder.path, port, options)));
  const process = startProcess({
    name: "apache",
    command: findApache(),
    args: ["-d", folder.path, "-f", configFile, "-DFOREGROUND"],
  });
  const { origin, redirectUri, loggedOutUri } = apacheUris(port);
  const errorLog = () => readFileSync(join(folder.path, "error.log"), "utf8");
  try {
    await process.waitUntil(`Apache on port ${port}`, () => answers(loggedOutUri));
  } catch (cause) {
    const log = existsSync(join(folder.path, "error.log")) ? errorLog() : "";
    await process.stop();
    await folder.remove();
    throw new Error(`Apache did not start: ${log}`, { cause });
  }
  return {
    origin,
    redirectUri,
    process,
    errorLog,
    async stop() {
      await process.stop();
      await folder.remove();
    },
  };
}

function values(folder: string, port: number, options: ApacheOptions): Record<string, string> {
  const { origin, redirectUri } = apacheUris(port);
  const extraLines = [...(options.extraLines ?? [])];
  if (options.stateTimeoutSec !== undefined) extraLines.push(`OIDCStateTimeout ${options.stateTimeoutSec}`);
  if (options.defaultUrl !== undefined) extraLines.push(`OIDCDefaultURL ${options.defaultUrl}`);
  return {
    MODULES: APACHE_MODULES_FOLDER,
    FOLDER: folder,
    PORT: String(port),
    ORIGIN: origin,
    REDIRECT_URI: redirectUri,
    ISSUER: options.issuer,
    CLIENT_ID: options.clientId,
    CLIENT_SECRET: options.clientSecret,
    // Workers of an Apache that is started as root must not stay root.
    USER: process.getuid?.() === 0 ? "User nobody\nGroup nogroup" : "",
    EXTRA: extraLines.join("\n  "),
  };
}

function fillIn(template: string, values: Record<string, string>): string {
  return template.replace(/@([A-Z_]+)@/g, (_, name: string) => {
    const value = values[name];
    if (value === undefined) throw new Error(`httpd.conf: no value for ${name}`);
    return value;
  });
}
