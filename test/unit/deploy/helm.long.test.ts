// Long: runs Helm, which has to be fetched.
/** The chart as Helm renders it: linted, by the schemas of Kubernetes, and as the documents say it is. Skipped, with the reason, where Helm cannot be had. */

import { beforeAll, describe, expect, test } from "vitest";
import { parse } from "yaml";
// @ts-expect-error: a script without types
import { LINTERS, runLinter } from "../../../scripts/lib/linters/index.mjs";
import {
  configurationOf,
  helmTemplate,
  type Labelled,
  type Manifest,
  manifestsOf,
  notesOf,
  only,
  readDocument,
  whyNoHelm,
} from "../../support/kubernetes/chart.ts";
import { loadConfig } from "../../support/load-config.ts";
import { tempDirOfTest } from "../../support/temp-dir-of-test.ts";

const linters = (LINTERS as { name: string; artefact: string }[]).filter(({ artefact }) => artefact === "kubernetes");

test.for(linters)("$name finds nothing", { timeout: 20 * 60_000 }, async (linter, { skip }) => {
  const { outcome, text } = await runLinter(linter);
  if (outcome === "unavailable") skip(text);
  expect(outcome, text).toBe("clean");
});

const withoutHelm = await whyNoHelm();
if (withoutHelm !== undefined) process.stderr.write(`the rendered chart is not tested: ${withoutHelm}\n`);

/** Whether everything that `wanted` has is there. */
const isSelected = ({ matchLabels }: Labelled, labels: Record<string, string>) =>
  Object.entries(matchLabels).every(([key, value]) => labels[key] === value);

const podsOf = (manifests: readonly Manifest[]) => manifests.filter(({ kind }) => kind === "StatefulSet");

describe.skipIf(withoutHelm !== undefined).each(["try", "ingress", "alb"])("the chart, example %s", (example) => {
  let manifests: Manifest[];
  let usher: Manifest;
  beforeAll(async () => {
    manifests = await manifestsOf(example);
    usher = only(manifests, "StatefulSet");
  });

  test("the configuration is one that Usher takes, without a warning", async () => {
    const env = { USHER_ADMIN_API_KEY: "k".repeat(32), USHER_REDIS_URL: "redis://redis:6379" };
    const { config, warnings } = await loadConfig({ text: configurationOf(manifests), env, needsSecrets: false });
    expect(warnings).toEqual([]);
    expect(config.issuers.flatMap(({ rooms }) => rooms).length).toBeGreaterThan(0);
  });

  test("every pod runs without root, rights and a token, on a file system that it cannot write", () => {
    for (const { spec } of podsOf(manifests)) {
      const pod = spec.template.spec;
      expect(pod).toMatchObject({
        automountServiceAccountToken: false,
        enableServiceLinks: false,
        securityContext: { runAsNonRoot: true, seccompProfile: { type: "RuntimeDefault" } },
      });
      for (const key of ["runAsUser", "fsGroup"]) expect(pod.securityContext[key]).toBeGreaterThan(0);
      for (const container of pod.containers) {
        expect(container.securityContext).toEqual({
          allowPrivilegeEscalation: false,
          readOnlyRootFilesystem: true,
          capabilities: { drop: ["ALL"] },
        });
        expect(container.resources).toMatchObject({
          requests: { cpu: expect.any(String) },
          limits: { memory: expect.any(String) },
        });
        expect(container.resources.limits).not.toHaveProperty("cpu");
      }
    }
  });

  test("ports and probes are those of docs/deploy.md, and visitors are not turned away because Redis is", () => {
    const [{ ports, startupProbe, readinessProbe, livenessProbe }] = usher.spec.template.spec.containers;
    const { listen, admin } = parse(configurationOf(manifests));
    expect(ports).toEqual([
      { name: "http", containerPort: listen.port },
      { name: "operators", containerPort: admin.listen.port },
    ]);
    expect(readDocument("docs/deploy.md")).toMatch(/Usher :3000[\s\S]*:3100 operators: \/admin, \/metrics, \/readyz/);
    expect([listen.port, admin.listen.port]).toEqual([3000, 3100]);
    expect(startupProbe.httpGet).toEqual({ path: "/readyz", port: "operators" });
    expect(readinessProbe.httpGet).toEqual({ path: "/healthz", port: "http" });
    expect(livenessProbe.httpGet).toEqual({ path: "/healthz", port: "operators" });
  });

  test("a pod has the drain and at least five seconds more to end, as docs/upgrade.md asks", () => {
    expect(readDocument("docs/upgrade.md")).toMatch(
      /`terminationGracePeriodSeconds` \(Kubernetes\).*`listen\.drain` and five seconds/,
    );
    const drainSec = Number.parseInt(parse(configurationOf(manifests)).listen.drain, 10);
    expect(drainSec).toBeGreaterThanOrEqual(5);
    expect(usher.spec.template.spec.terminationGracePeriodSeconds).toBeGreaterThanOrEqual(drainSec + 5);
  });

  test("each pod has a disk of its own for its checkpoints, and at least one other serves while it is replaced", () => {
    const { spec } = usher;
    const { volumeMounts } = spec.template.spec.containers[0];
    expect(spec.volumeClaimTemplates.map(({ metadata }: Manifest) => metadata.name)).toEqual(["state"]);
    expect(volumeMounts).toContainEqual({ name: "state", mountPath: "/var/lib/usher" });
    expect(readDocument("Dockerfile")).toContain("USHER_SECRETS_FILE=/var/lib/usher/secrets.json");
    const replicas = spec.replicas ?? only(manifests, "HorizontalPodAutoscaler").spec.minReplicas;
    expect(replicas).toBeGreaterThanOrEqual(2);
    expect(spec).toMatchObject({ podManagementPolicy: "Parallel", updateStrategy: { type: "RollingUpdate" } });
    expect(only(manifests, "PodDisruptionBudget").spec.maxUnavailable).toBe(1);
    expect(
      spec.template.spec.topologySpreadConstraints.map(({ topologyKey }: { topologyKey: string }) => topologyKey),
    ).toEqual(["topology.kubernetes.io/zone", "kubernetes.io/hostname"]);
  });

  test("what selects the gateways selects them, and nothing else", () => {
    const own = usher.spec.template.metadata.labels;
    const others = podsOf(manifests).filter((each) => each !== usher);
    const selectors = [
      usher.spec.selector,
      only(manifests, "PodDisruptionBudget").spec.selector,
      only(manifests, "NetworkPolicy").spec.podSelector,
      ...["usher", "usher-operators"].map((name) => ({ matchLabels: only(manifests, "Service", name).spec.selector })),
      ...usher.spec.template.spec.topologySpreadConstraints.map(
        (each: { labelSelector: Labelled }) => each.labelSelector,
      ),
    ];
    for (const selector of selectors) {
      expect(isSelected(selector, own)).toBe(true);
      for (const other of others) expect(isSelected(selector, other.spec.template.metadata.labels)).toBe(false);
    }
  });

  test("the chart makes no Secret and holds none: it refers to the one that is named", () => {
    expect(manifests.filter(({ kind }) => kind === "Secret")).toEqual([]);
    for (const { spec } of podsOf(manifests)) {
      for (const { name, value, valueFrom } of spec.template.spec.containers[0].env) {
        if (value === undefined) expect(valueFrom.secretKeyRef).toMatchObject({ name: "usher" });
        else
          expect([name, value]).toEqual([
            name,
            expect.stringMatching(/^(http:\/\/127\.0\.0\.1:3100|redis:\/\/:\$\(REDIS_PASSWORD\)@usher-redis:6379)$/),
          ]);
      }
    }
    const { volumes } = usher.spec.template.spec;
    expect(volumes).toContainEqual({ name: "secret", secret: { secretName: "usher", defaultMode: 0o440 } });
  });

  test("nobody reaches a port without being named, and no Ingress leads to the operators'", () => {
    const { policyTypes, ingress } = only(manifests, "NetworkPolicy").spec;
    expect(policyTypes).toEqual(["Ingress"]);
    const ports = ingress.map((rule: { ports: { port: string }[] }) => rule.ports.map(({ port }) => port).join());
    expect(ports).toEqual(["http", "operators"]);
    for (const { from } of ingress) expect(from.length).toBeGreaterThan(0);
    const backends = manifests
      .filter(({ kind }) => kind === "Ingress")
      .flatMap(({ spec }) => spec.rules)
      .flatMap(({ http }) => http.paths)
      .map(({ backend }) => `${backend.service.name} ${backend.service.port.name}`);
    expect([...new Set(backends)].sort()).toEqual(
      { try: [], ingress: ["usher http"], alb: ["refuse use-annotation", "usher http"] }[example],
    );
  });
});

describe.skipIf(withoutHelm !== undefined)("the chart", () => {
  test("a changed configuration restarts the pods, another change of values does not", async () => {
    const checksumOf = async (...args: string[]) =>
      only(await manifestsOf("try", ...args), "StatefulSet").spec.template.metadata.annotations["checksum/config"];
    const [first, same, changed] = [
      await checksumOf(),
      await checksumOf("--set", "replicaCount=4"),
      await checksumOf("--set", "config.log_level=debug"),
    ];
    expect([same === first, changed === first]).toEqual([true, false]);
  });

  test("values of YAML come to the configuration as they are: large numbers, times, words in quotes", async () => {
    const { rooms, listen } = parse(configurationOf(await manifestsOf("ingress")));
    expect(rooms[0]).toMatchObject({
      max_waiting: 1_000_000,
      while_waiting: "off",
      schedule: { opens_at: "2031-05-10T10:00" },
    });
    expect(listen).toEqual({ host: "0.0.0.0", port: 3000, trusted_proxies: ["10.244.0.0/16"], drain: "15s" });
  });

  test("with the autoscaler nobody else says how many pods there are", async () => {
    const manifests = await manifestsOf("ingress");
    expect(only(manifests, "StatefulSet").spec).not.toHaveProperty("replicas");
    const { scaleTargetRef, metrics } = only(manifests, "HorizontalPodAutoscaler").spec;
    expect(scaleTargetRef).toEqual({ apiVersion: "apps/v1", kind: "StatefulSet", name: "usher" });
    expect(metrics.map(({ type }: { type: string }) => type)).toEqual(["Resource", "Pods"]);
  });

  test("the host of the Ingress and its certificate is the issuer's, with several issuers each", async () => {
    const hostsOf = async (example: string) => {
      const { rules, tls } = only(await manifestsOf(example), "Ingress").spec;
      return { hosts: rules.map(({ host }: { host: string }) => host), tls };
    };
    expect(await hostsOf("ingress")).toEqual({
      hosts: ["queue.example.com"],
      tls: [{ secretName: "queue-tls", hosts: ["queue.example.com"] }],
    });
    expect((await hostsOf("alb")).hosts).toEqual(["queue.one.example", "queue.two.example"]);
  });

  test("the Prometheus Operator finds every pod by itself, ready or not, and has the alerts of deploy/monitoring", async () => {
    const manifests = await manifestsOf("ingress");
    const { selector, endpoints } = only(manifests, "ServiceMonitor").spec;
    const services = manifests.filter(
      ({ kind, metadata }) => kind === "Service" && isSelected(selector, metadata.labels),
    );
    expect(services.map(({ metadata }) => metadata.name)).toEqual(["usher-operators"]);
    expect(services[0]?.spec).toMatchObject({ clusterIP: "None", publishNotReadyAddresses: true });
    expect(services[0]?.spec.ports.map(({ name }: { name: string }) => name)).toEqual([endpoints[0].port]);
    expect(only(manifests, "PrometheusRule").spec).toEqual(parse(readDocument("deploy/monitoring/usher.rules.yml")));
  });

  test("a backup is made again and again by a pod without rights, which alone reaches the operators' port for it", async () => {
    const manifests = await manifestsOf("ingress");
    const { schedule, concurrencyPolicy, jobTemplate } = only(manifests, "CronJob", "usher-backup").spec;
    const { metadata, spec } = jobTemplate.spec.template;
    expect([schedule, concurrencyPolicy, spec.restartPolicy]).toEqual(["*/5 * * * *", "Forbid", "Never"]);
    const [{ args, env, securityContext }] = spec.containers;
    expect(args).toEqual(["export", "--dir", "/backups", "--keep", "288"]);
    expect(securityContext).toMatchObject({ readOnlyRootFilesystem: true, capabilities: { drop: ["ALL"] } });
    expect(env[0]).toEqual({ name: "USHER_ADMIN", value: "http://usher-operators:3100" });
    expect(spec.volumes).toContainEqual({
      name: "backups",
      persistentVolumeClaim: { claimName: "usher-backups" },
    });
    const [, { from }] = only(manifests, "NetworkPolicy").spec.ingress;
    expect(isSelected(from[0].podSelector, metadata.labels)).toBe(true);
    for (const pods of podsOf(manifests))
      expect(isSelected(from[0].podSelector, pods.spec.template.metadata.labels)).toBe(false);
    // A Service that has no such pod behind it.
    for (const name of ["usher", "usher-operators"]) {
      const { selector } = only(manifests, "Service", name).spec;
      expect(isSelected({ matchLabels: selector }, metadata.labels)).toBe(false);
    }
    const { code, output } = await helmTemplate("ingress", "--set", "backup.claimName=");
    expect([code, output]).toEqual([1, expect.stringContaining("backup.claimName is missing")]);
  });

  test("its Redis is reached by Usher alone, and gets nowhere", async () => {
    const manifests = await manifestsOf("try");
    const { podSelector, ingress, egress, policyTypes } = only(manifests, "NetworkPolicy", "usher-redis").spec;
    const redis = only(manifests, "StatefulSet", "usher-redis").spec.template;
    expect(isSelected(podSelector, redis.metadata.labels)).toBe(true);
    expect([policyTypes, egress]).toEqual([["Ingress", "Egress"], []]);
    const [{ from }] = ingress;
    expect(ingress).toHaveLength(1);
    expect(isSelected(from[0].podSelector, only(manifests, "StatefulSet").spec.template.metadata.labels)).toBe(true);
    expect(redis.spec.containers[0].args[0]).toMatch(/--maxmemory-policy noeviction --appendonly yes/);
  });

  test.each([
    ["config.issuer=", "config.issuer is missing"],
    ["replicas=3", "Additional property replicas is not allowed"],
    ["replicaCount=1", "replicaCount"],
  ])("--set %s is refused in plain words", async (set, said) => {
    const { code, output } = await helmTemplate("try", "--set", set);
    expect([code, output]).toEqual([1, expect.stringContaining(said)]);
  });

  test("what is printed after an installation ends with the step that verifies", async () => {
    const notes = await notesOf("try", tempDirOfTest("notes"));
    expect(notes).toMatch(/for localhost, in usher\./);
    expect(notes).toMatch(/exec usher-0 -- node dist\/main\.js resume ROOM/);
    expect(notes.trim().split("\n").at(-1)?.trim()).toBe(
      "kubectl -n usher exec usher-0 -- node dist/main.js doctor --config /etc/usher/usher.yaml",
    );
  });
});
