/** LemonLDAP::NG: a real relying party, with the settings of its guide and nothing of this machine's. */
import { mkdir, readFile, rename, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { readGuide, replaceAll } from "./guide.ts";
import { accepts } from "./ports.ts";
import { findProgram, type Running, startProcess } from "./processes.ts";
import { makeTempDir } from "./temp-dir.ts";

const OWN_FILES = new URL("./lemonldap/", import.meta.url);
const PORTAL_PATH = "/auth/";

export interface LemonldapOptions {
  port: number;
  issuer: string;
  clientId: string;
  clientSecret: string;
  /** Seconds that the portal remembers a login; default: as in the guide. */
  stateTimeoutSec?: number;
}

export interface Lemonldap {
  /** `http://localhost:PORT`; everything under it is the site, but for the portal at `/auth/`. */
  readonly origin: string;
  readonly process: Running;
  /** Lays settings over the configuration, as an operator does while it runs. */
  change(settings: Record<string, unknown>): Promise<void>;
  stop(): Promise<void>;
}

const guide = readGuide("lemonldap-ng");

/** The guide's client, for the site and the portal on `port`. */
export function lemonldapClient(port: number): Record<string, unknown> {
  return guide.client(addressesOn(port));
}

/** Starts the portal and a site behind it. The issuer has to be there: the portal is given its metadata and keys. */
export async function startLemonldap(options: LemonldapOptions): Promise<Lemonldap> {
  const plackup = findProgram("plackup");
  if (plackup === undefined) throw new Error("this test needs LemonLDAP::NG's portal (liblemonldap-ng-portal-perl)");
  const folder = await makeTempDir("lemonldap");
  for (const name of ["cache", "sessions"]) await mkdir(join(folder.path, name));
  const ini = await readFile(new URL("lemonldap-ng.ini", OWN_FILES), "utf8");
  const iniFile = join(folder.path, "lemonldap-ng.ini");
  await writeFile(iniFile, ini.replaceAll("@FOLDER@", folder.path));
  const settings: Record<string, unknown> = {
    ...ownSettings(folder.path, options.port),
    ...(await documentedSettings(options)),
  };
  let version = 0;
  const save = async (changes: Record<string, unknown>) => {
    Object.assign(settings, changes, { cfgNum: ++version, cfgDate: version });
    // At once: it looks for a new one every second.
    await writeFile(join(folder.path, "next.json"), JSON.stringify(settings));
    await rename(join(folder.path, "next.json"), join(folder.path, `lmConf-${version}.json`));
  };
  await save({});
  const siteFile = fileURLToPath(new URL("site.psgi", OWN_FILES));
  const program = startProcess({
    name: "LemonLDAP::NG",
    command: plackup,
    args: ["--env=deployment", "--host=127.0.0.1", `--port=${options.port}`, siteFile],
    env: { ...process.env, LLNG_DEFAULTCONFFILE: iniFile },
  });
  const stop = async () => {
    await program.stop();
    await folder.remove();
  };
  try {
    await program.waitUntil(`LemonLDAP::NG on port ${options.port}`, () => accepts(options.port));
  } catch (error) {
    await stop();
    throw error;
  }
  return { origin: `http://localhost:${options.port}`, process: program, change: save, stop };
}

/** The guide's addresses, on `port`. Usher takes plain http on localhost only, so the portal has no host of its own. */
function addressesOn(port: number): Record<string, string> {
  const origin = `http://localhost:${port}`;
  return { "https://auth.example.com/": `${origin}${PORTAL_PATH}`, "https://shop.example.com": origin };
}

/** What the guide has the operator merge into the configuration, and the metadata that it has them fetch. */
async function documentedSettings(options: LemonldapOptions): Promise<Record<string, unknown>> {
  const { port, issuer, clientId, clientSecret, stateTimeoutSec } = options;
  const settings = JSON.parse(
    replaceAll(guide.block("json"), {
      ...addressesOn(port),
      "shop.example.com": "localhost",
      "shop-lemonldap": clientId,
      "the secret of the client": clientSecret,
    }),
  );
  const published = async (name: string) => ({ usher: await (await fetch(`${issuer}/.well-known/${name}`)).text() });
  return {
    ...settings,
    oidcOPMetaDataJSON: await published("openid-configuration"),
    oidcOPMetaDataJWKS: await published("jwks.json"),
    ...(stateTimeoutSec !== undefined && { oidcRPStateTimeout: stateTimeoutSec }),
  };
}

/** What an installation has before, in `folder`. */
function ownSettings(folder: string, port: number): Record<string, unknown> {
  const storage = {
    Directory: join(folder, "sessions"),
    LockDirectory: join(folder, "sessions"),
    generateModule: "Lemonldap::NG::Common::Apache::Session::Generate::SHA256",
  };
  return {
    domain: "localhost",
    portal: addressesOn(port)["https://auth.example.com/"],
    whatToTrace: "_user",
    vhostOptions: { localhost: { vhostPort: port } },
    globalStorage: "Apache::Session::File",
    globalStorageOptions: storage,
    localSessionStorage: "Cache::FileCache",
    localSessionStorageOptions: { namespace: "sessions", cache_root: join(folder, "cache"), cache_depth: 1 },
    // There is none, and the usual one needs an image library.
    captcha: "::Main::Plugin",
  };
}
