/** A real Prometheus that scrapes gateways of a test, with the rules of deploy/monitoring. */
import { cp, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { stringify } from "yaml";
import { answers, freePort } from "./ports.ts";
import { findProgram, startProcess } from "./processes.ts";
import { makeTempDir } from "./temp-dir.ts";

const rulesFile = fileURLToPath(new URL("../../deploy/monitoring/usher.rules.yml", import.meta.url));

export type Sample = { readonly metric: Readonly<Record<string, string>>; readonly value: readonly [number, string] };

export interface Prometheus {
  /** What an expression gives now. @throws Error in Prometheus's words, where it is none */
  query(expression: string): Promise<readonly Sample[]>;
  /** The answer of another address below /api/v1. */
  get(path: string): Promise<unknown>;
  stop(): Promise<void>;
}

/** @param targets `host:port` of gateways */
export async function startPrometheus(targets: readonly string[]): Promise<Prometheus> {
  const program = findProgram("prometheus");
  if (program === undefined) throw new Error("this test needs the program prometheus");
  const port = await freePort();
  const folder = await makeTempDir("prometheus");
  await cp(rulesFile, join(folder.path, "usher.rules.yml"));
  const config = {
    global: { scrape_interval: "1s", evaluation_interval: "1s" },
    rule_files: ["usher.rules.yml"],
    scrape_configs: [{ job_name: "usher", static_configs: [{ targets }] }],
  };
  await writeFile(join(folder.path, "prometheus.yml"), stringify(config));
  const process = startProcess({
    name: "prometheus",
    command: program,
    args: [
      `--config.file=${join(folder.path, "prometheus.yml")}`,
      `--storage.tsdb.path=${join(folder.path, "data")}`,
      `--web.listen-address=127.0.0.1:${port}`,
    ],
  });
  const origin = `http://127.0.0.1:${port}`;
  await process.waitUntil(`Prometheus on port ${port}`, () => answers(`${origin}/-/ready`));
  const get = async (path: string) => {
    const answer = (await (await fetch(`${origin}/api/v1${path}`)).json()) as {
      status: string;
      error?: string;
      data: unknown;
    };
    if (answer.status !== "success") throw new Error(answer.error);
    return answer.data;
  };
  return {
    get,
    async query(expression) {
      return ((await get(`/query?${new URLSearchParams({ query: expression })}`)) as { result: Sample[] }).result;
    },
    async stop() {
      await process.stop();
      await folder.remove();
    },
  };
}
