// Long: follows a tutorial of ten minutes by its commands.
/**
 * docs/tutorials/kubernetes-in-ten-minutes.md without a cluster: its commands make the Secret and the values, Helm renders the chart, and the containers' programs
 * run here as their manifests say (commands, variables, files, probes), but for ports and folders. `kubectl exec` runs in the first pod's place.
 */
import { execFile } from "node:child_process";
import { mkdirSync, readdirSync, readFileSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { fileURLToPath } from "node:url";
import { promisify } from "node:util";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { parse, stringify } from "yaml";
// @ts-expect-error: a script without types
import { CHART, getHelm, renderChart } from "../../../scripts/lib/linters/helm.mjs";
import { readPage } from "../../support/curl-lines.ts";
import { createHttpClient, type HttpClient } from "../../support/http-client.ts";
import { configurationOf, type Manifest, only, readManifests, whyNoHelm } from "../../support/kubernetes/chart.ts";
import { freePorts } from "../../support/ports.ts";
import { type Running, startProcess } from "../../support/processes.ts";
import { makeTempDir, type TempDir } from "../../support/temp-dir.ts";
import { createVisitor } from "../../support/visitor.ts";

const page = readPage("docs/tutorials/kubernetes-in-ten-minutes.md");
const main = fileURLToPath(new URL("../../../dist/main.js", import.meta.url));
const blocksOf = (heading: string, language = "sh") => {
  const section = page.split(/^## /m).find((each) => each.startsWith(`${heading}\n`)) ?? "";
  return [...section.matchAll(new RegExp(`\`\`\`${language}\n([\\s\\S]*?)\`\`\``, "g"))].map(([, text = ""]) => text);
};

interface Variable {
  readonly name: string;
  readonly value?: string;
  readonly valueFrom?: { readonly secretKeyRef: { readonly key: string } };
}

const withoutHelm = await whyNoHelm();
if (withoutHelm !== undefined) process.stderr.write(`the tutorial of Kubernetes is not walked: ${withoutHelm}\n`);

describe.skipIf(withoutHelm !== undefined)("Kubernetes in ten minutes", () => {
  let folder: TempDir;
  let manifests: Manifest[];
  let issuer: string;
  let redis: Running;
  const pods: { readonly process: Running; readonly http: number; readonly operators: number }[] = [];
  let http: HttpClient;
  /** In the folder, with the programs of the page; `kubectl exec` runs as the first pod. */
  let shell: (commands: string) => Promise<string>;

  beforeAll(async () => {
    folder = await makeTempDir("kubernetes");
    http = createHttpClient();
    const helm = await getHelm();
    const valuesFile = join(folder.path, "values.yaml");
    writeFileSync(valuesFile, blocksOf("Values", "yaml")[0] ?? "");
    const podEnvironment = join(folder.path, "pod-0.env");
    writeFileSync(podEnvironment, "");
    const functions = `set -e
      kubectl() {
        [ "$*" = "\${*#* exec usher-0 -- node dist/main.js}" ] && { echo "kubectl $*"; return; }
        shift 7; set -a; . '${podEnvironment}'; set +a; '${process.execPath}' '${main}' "$@"
      }
      helm() { '${helm}' "$@"; }
      npm() { shift 2; '${process.execPath}' '${main}' "$@"; }\n`;
    shell = async (commands) => {
      const script =
        functions +
        commands.replaceAll("deploy/helm/usher", CHART).replaceAll("/etc/usher", join(folder.path, "pod-0"));
      const { stdout } = await promisify(execFile)("sh", ["-c", script], { cwd: folder.path, timeout: 60_000 });
      return stdout;
    };
    await shell(blocksOf("Secrets").join("\n"));
    const { output } = await renderChart(helm, valuesFile);
    manifests = readManifests(output);

    const [redisPort = 0, ...ports] = await freePorts(5);
    const container = only(manifests, "StatefulSet", "usher-redis").spec.template.spec.containers[0];
    const data = join(folder.path, "data");
    mkdirSync(data);
    const [command, ...args] = [...container.command, ...container.args];
    redis = startProcess({
      name: "the chart's Redis",
      command,
      args: args.map((word: string) => word.replace("--dir /data", `--dir '${data}' --port ${redisPort}`)),
      env: variablesOf(container.env),
    });
    await redis.waitForOutput(/Ready to accept connections/);

    issuer = `http://localhost:${ports[0]}`;
    for (const index of [0, 1]) {
      const [visitors = 0, operators = 0] = ports.slice(2 * index);
      pods.push({
        process: startPod(index, visitors, operators, redisPort, podEnvironment),
        http: visitors,
        operators,
      });
    }
  });
  afterAll(async () => {
    for (const { process: pod } of pods) await pod.kill();
    await redis?.stop();
    http?.close();
    await folder?.remove();
  });

  const containerOf = () => only(manifests, "StatefulSet").spec.template.spec.containers[0];
  const inSecret = (key: string) => readFileSync(join(folder.path, "usher-secret", key), "utf8");

  function variablesOf(variables: readonly Variable[]): Record<string, string> {
    const env: Record<string, string> = { PATH: process.env.PATH ?? "" };
    // One may name those before it: $(NAME).
    for (const { name, value, valueFrom } of variables) {
      const text = value ?? inSecret(valueFrom?.secretKeyRef.key ?? "");
      env[name] = text.replace(/\$\((\w+)\)/g, (_, other: string) => env[other] ?? "");
    }
    return env;
  }

  /** A pod's program, with folders of its own in the place of its volumes. */
  function startPod(
    index: number,
    visitors: number,
    operators: number,
    redisPort: number,
    environmentFile: string,
  ): Running {
    const state = join(folder.path, `pod-${index}`);
    mkdirSync(state);
    const configuration = parse(
      configurationOf(manifests).replaceAll("/run/secrets/usher", join(folder.path, "usher-secret")),
    );
    const { listen, admin } = configuration;
    const text = stringify({
      ...configuration,
      issuer,
      listen: { ...listen, host: "127.0.0.1", port: visitors },
      admin: { ...admin, listen: { host: "127.0.0.1", port: operators } },
    });
    writeFileSync(join(state, "usher.yaml"), text);
    const env: Record<string, string> = {
      ...variablesOf(containerOf().env),
      // As in the image.
      USHER_SECRETS_FILE: join(state, "secrets.json"),
      USHER_ADMIN: `http://127.0.0.1:${operators}`,
    };
    env.USHER_REDIS_URL = env.USHER_REDIS_URL?.replace("usher-redis:6379", `127.0.0.1:${redisPort}`) ?? "";
    if (index === 0) {
      writeFileSync(
        environmentFile,
        Object.entries(env)
          .map(([name, value]) => `${name}='${value}'\n`)
          .join(""),
      );
    }
    const args = containerOf().args.map((word: string) => word.replace("/etc/usher", state));
    return startProcess({
      name: `usher-${index}`,
      command: process.execPath,
      args: [main, ...args],
      env,
      cwd: dirname(dirname(main)),
    });
  }

  /** What a probe of the manifest is answered at each pod. */
  async function probe(name: "startupProbe" | "readinessProbe" | "livenessProbe"): Promise<number[]> {
    const { path, port } = containerOf()[name].httpGet;
    const statuses = pods.map(async (pod) => {
      const url = `http://127.0.0.1:${port === "http" ? pod.http : pod.operators}${path}`;
      return fetch(url).then(
        ({ status }) => status,
        () => 0,
      );
    });
    return Promise.all(statuses);
  }

  test("the Secret has all that the chart asks for, and nothing else", () => {
    const asked = containerOf().env.flatMap(({ valueFrom }: Variable) => valueFrom?.secretKeyRef.key ?? []);
    const named = [...configurationOf(manifests).matchAll(/\/run\/secrets\/usher\/([\w.-]+)/g)].map(([, key]) => key);
    expect(readdirSync(join(folder.path, "usher-secret")).sort()).toEqual([...new Set([...asked, ...named])].sort());
  });

  test("the configuration is taken out of the chart, and has no fault", async () => {
    expect(await shell(blocksOf("Values")[0] ?? "")).toMatch(
      /^usher\.yaml has no fault: 1 issuer, 1 room, 0 clients\.$/m,
    );
  });

  test("both pods start, with one Redis and the same keys, and every probe is answered", async () => {
    for (const each of ["startupProbe", "readinessProbe", "livenessProbe"] as const) {
      await expect.poll(() => probe(each), { message: each }).toEqual([200, 200]);
    }
  });

  test("the room begins paused and is resumed once, and the steps that verify end with 0", async () => {
    const statusOf = async () => (await (await fetch(`${issuer}/rooms/tickets/status`)).json()) as { phase: string };
    expect(await statusOf()).toMatchObject({ phase: "paused", phase_reason: "recovered" });
    const resume =
      blocksOf("Install")[0]
        ?.split("\n")
        .find((line) => line.startsWith("kubectl")) ?? "";
    await shell(resume);
    await expect.poll(statusOf).toMatchObject({ phase: "open" });
    const verify = await shell(blocksOf("Verify")[0] ?? "");
    expect(verify).toMatch(/tickets[\s\S]*open/);
    expect(verify).not.toMatch(/^fault/im);
  });

  test("while Redis is away pods stay in service, and a visitor who waits sees the place", async () => {
    await shell("kubectl -n usher exec usher-0 -- node dist/main.js pause tickets");
    await expect.poll(async () => (await (await fetch(`${issuer}/rooms/tickets/status`)).json()).phase).toBe("paused");
    const visitor = createVisitor({ http });
    const enter = `${issuer}/rooms/tickets/enter?target=${encodeURIComponent("http://localhost:8080/")}`;
    const waits = await visitor.navigate(enter);
    expect([waits.status, waits.position]).toEqual([200, 1]);
    await redis.kill();
    await expect.poll(() => probe("startupProbe")).toEqual([503, 503]);
    expect([await probe("readinessProbe"), await probe("livenessProbe")]).toEqual([
      [200, 200],
      [200, 200],
    ]);
    const again = await visitor.navigate(enter);
    expect([again.status, again.position]).toEqual([200, 1]);
  });

  test("a pod that is told to end does so within its time", async () => {
    const graceSec = only(manifests, "StatefulSet").spec.template.spec.terminationGracePeriodSeconds;
    const [pod] = pods;
    const began = Date.now();
    expect(await pod?.process.stop(graceSec * 1_000)).toEqual({ code: 0, signal: null });
    const drainMs = Number.parseInt(parse(configurationOf(manifests)).listen.drain, 10) * 1_000;
    expect(Date.now() - began).toBeGreaterThanOrEqual(drainMs - 100);
  });
});
