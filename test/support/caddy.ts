/** Caddy in front of a site, with a configuration of its own and nothing else of this machine's. */
import { writeFile } from "node:fs/promises";
import { join } from "node:path";
import { accepts } from "./ports.ts";
import { findProgram, type Running, startProcess } from "./processes.ts";
import { makeTempDir } from "./temp-dir.ts";

export interface CaddyOptions {
  port: number;
  /** What the Caddyfile says; `port` is where it listens. */
  sites: string;
}

export interface Caddy {
  readonly process: Running;
  stop(): Promise<void>;
}

export async function startCaddy({ port, sites }: CaddyOptions): Promise<Caddy> {
  const program = findProgram("caddy");
  if (program === undefined) throw new Error("this test needs the program caddy");
  const folder = await makeTempDir("caddy", true);
  const configFile = join(folder.path, "Caddyfile");
  await writeFile(configFile, `{\n  admin off\n  auto_https off\n}\n${sites}\n`);
  const process = startProcess({
    name: "caddy",
    command: program,
    args: ["run", "--config", configFile, "--adapter", "caddyfile"],
    env: { HOME: folder.path, XDG_CONFIG_HOME: folder.path, XDG_DATA_HOME: folder.path },
  });
  await process.waitUntil(`Caddy on port ${port}`, () => accepts(port));
  return {
    process,
    async stop() {
      await process.stop();
      await folder.remove();
    },
  };
}
