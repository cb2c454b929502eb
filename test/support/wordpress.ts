/** WordPress with the settings of its guide and Usher's must-use plugin, on a database of its own; nothing of this machine's. */
import { spawnSync } from "node:child_process";
import { copyFile, cp, mkdir, readdir, symlink, writeFile } from "node:fs/promises";
import { basename, join } from "node:path";
import { fileURLToPath } from "node:url";
import { readGuide, replaceAll } from "./guide.ts";
import { accepts } from "./ports.ts";
import { findProgram, type Running, startProcess } from "./processes.ts";
import { makeTempDir } from "./temp-dir.ts";

const WORDPRESS_FOLDER = "/usr/share/wordpress";
const OWN_FILES = new URL("./wordpress/", import.meta.url);
const MUST_USE_PLUGIN = fileURLToPath(new URL("../../examples/wordpress.php", import.meta.url));
const DATABASE = "wordpress";
/** Of the must-use plugin, where tests wait for it. */
export const ASKED_EVERY_SEC = 1;

/** A folder with the plugin itself, for those who have it; default: a double. */
const PLUGIN_FOLDER = process.env.WORDPRESS_OIDC_PLUGIN;

export interface WordpressOptions {
  port: number;
  issuer: string;
  clientId: string;
  clientSecret: string;
  /** Without Usher's own must-use plugin: as the plugin alone does it. */
  withoutMustUse?: boolean;
}

export interface Wordpress {
  /** `http://localhost:PORT`. */
  readonly origin: string;
  readonly process: Running;
  stop(): Promise<void>;
}

export interface Database {
  readonly socket: string;
  stop(): Promise<void>;
}

const guide = readGuide("wordpress");

/** The guide's client, for the site on `port`. */
export function wordpressClient(port: number): Record<string, unknown> {
  return guide.client({ "https://shop.example.com": originOn(port) });
}

/** A MariaDB that anybody may use who can open its socket; sites of one test share it. */
export async function startDatabase(): Promise<Database> {
  const folder = await makeTempDir("mariadb");
  const socket = join(folder.path, "db.sock");
  const data = join(folder.path, "data");
  await mkdir(data);
  const asRoot = process.getuid?.() === 0 ? ["--user=root"] : [];
  const paths = [`--datadir=${data}`, `--socket=${socket}`, `--pid-file=${join(folder.path, "pid")}`];
  const program = startProcess({
    name: "mariadb",
    command: need("mariadbd"),
    args: [
      "--no-defaults",
      ...asRoot,
      ...paths,
      "--skip-networking",
      "--skip-grant-tables",
      "--innodb-buffer-pool-size=16M",
    ],
  });
  const stop = async () => {
    await program.stop();
    await folder.remove();
  };
  try {
    await program.waitForOutput(/ready for connections/);
  } catch (error) {
    await stop();
    throw error;
  }
  return { socket, stop };
}

/** Sets up a WordPress in `database` and serves it. */
export async function startWordpress(database: Database, options: WordpressOptions): Promise<Wordpress> {
  const folder = await makeTempDir("wordpress");
  const pluginFile = await layOut(folder.path, options);
  await writeFile(join(folder.path, "wp-config.php"), configuration(folder.path, database, options));
  const settings = ["-d", "display_errors=stderr", "-d", "opcache.enable_cli=1"];
  const env = { ...process.env, SITE_FOLDER: folder.path, PLUGIN_FILE: pluginFile };
  const create = `CREATE DATABASE IF NOT EXISTS ${DATABASE}`;
  runOnce("mariadb", ["--no-defaults", `--socket=${database.socket}`, "-e", create], env);
  runOnce("php", [...settings, ownFile("install.php")], env);
  const program = startProcess({
    name: "wordpress",
    command: need("php"),
    args: [...settings, "-S", `127.0.0.1:${options.port}`, "-t", folder.path, ownFile("router.php")],
    env,
  });
  const stop = async () => {
    await program.stop();
    await folder.remove();
  };
  try {
    await program.waitUntil(`WordPress on port ${options.port}`, () => accepts(options.port));
  } catch (error) {
    await stop();
    throw error;
  }
  return { origin: originOn(options.port), process: program, stop };
}

/** Debian's WordPress by links, and beside it what is the site's own; answers where the plugin's main file is. */
async function layOut(folder: string, { withoutMustUse }: WordpressOptions): Promise<string> {
  for (const name of await readdir(WORDPRESS_FOLDER)) {
    const isOwn = name === "wp-content" || name === "wp-config.php";
    if (!isOwn) await symlink(join(WORDPRESS_FOLDER, name), join(folder, name));
  }
  const content = join(folder, "wp-content");
  for (const name of ["plugins", "mu-plugins", "themes"]) await mkdir(join(content, name), { recursive: true });
  await cp(ownFile("theme"), join(content, "themes/shop"), { recursive: true });
  await writeFile(join(folder, "goodbye.html"), "goodbye");
  const mustUse = withoutMustUse ? ownFile("plugin-settings.php") : MUST_USE_PLUGIN;
  await copyFile(mustUse, join(content, "mu-plugins/usher.php"));
  if (PLUGIN_FOLDER === undefined) {
    await copyFile(ownFile("double.php"), join(content, "plugins/double.php"));
    return "double.php";
  }
  const name = basename(PLUGIN_FOLDER);
  await cp(PLUGIN_FOLDER, join(content, "plugins", name), { recursive: true });
  return `${name}/openid-connect-generic.php`;
}

/** The guide's lines with the test's addresses, and what an installation has beside them. */
function configuration(folder: string, { socket }: Database, options: WordpressOptions): string {
  const documented = replaceAll(guide.block("php"), {
    "https://queue.example.com": options.issuer,
    "shop-wordpress": options.clientId,
    "the secret of the client": options.clientSecret,
  });
  const constants = {
    DB_NAME: DATABASE,
    DB_USER: "root",
    DB_PASSWORD: "",
    DB_HOST: `localhost:${socket}`,
    WP_HOME: originOn(options.port),
    WP_SITEURL: originOn(options.port),
    WP_CONTENT_DIR: join(folder, "wp-content"),
    // Nobody else is asked for anything.
    WP_HTTP_BLOCK_EXTERNAL: "1",
    WP_ACCESSIBLE_HOSTS: "localhost",
    DISABLE_WP_CRON: "1",
    USHER_ASK_SECONDS: String(ASKED_EVERY_SEC),
  };
  const own = Object.entries(constants).map(([name, value]) => `define( '${name}', '${value}' );`);
  return `<?php\n${own.join("\n")}\n${documented}\n$table_prefix = 'wp_';\nrequire_once ABSPATH . 'wp-settings.php';\n`;
}

const originOn = (port: number) => `http://localhost:${port}`;
const ownFile = (name: string) => fileURLToPath(new URL(name, OWN_FILES));

function need(name: string): string {
  const program = findProgram(name);
  if (program === undefined) throw new Error(`this test needs the program ${name}`);
  return program;
}

function runOnce(name: string, args: string[], env: NodeJS.ProcessEnv): void {
  const { status, stdout, stderr } = spawnSync(need(name), args, { env, encoding: "utf8" });
  if (status !== 0) throw new Error(`${name} ended with ${status}:\n${stdout}${stderr}`);
}
