/** What deploy/ promises of AWS, beside what the documents and the program say; and the Terraform module and the CloudFormation template, which are the same. */
import { execFileSync } from "node:child_process";
import { mkdtempSync, readdirSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { parse } from "yaml";
import { read, template, terraform } from "../../support/deploy-aws.ts";
import { readGuide } from "../../support/guide.ts";
import { loadConfig } from "../../support/load-config.ts";

const module = terraform("waiting-room");
const stack = template("usher");
const container = stack.resource("TaskDefinition").ContainerDefinitions[0];

const [ROOMS, CLIENTS] = ["[{ id: tickets, inlet: { type: periodic, outflow_per_minute: 600 } }]", "[]"];
const GIVEN = `rooms: ${ROOMS}\nclients: ${CLIENTS}`;
const values: Record<string, string> = {
  host_name: "queue.example.com",
  trusted_proxies: '["10.0.0.0/20","10.0.16.0/20"]',
  keys_secret_arn: "arn:aws:secretsmanager:eu-west-1:123456789012:secret:usher/keys-AbCdEf",
};
const fill = (text: string, of: Record<string, string>) => text.replaceAll(/\$\{(\w+)\}/g, (_, name) => of[name] ?? "");

const ofModule = `${fill(read("deploy/terraform/aws/waiting-room/usher.yaml.tftpl"), values)}\n${GIVEN}`;
const ofStack = fill(container.Environment.find(({ Name }: { Name: string }) => Name === "CONFIGURATION").Value, {
  HostName: values.host_name ?? "",
  TrustedProxies: "10.0.0.0/20, 10.0.16.0/20",
  KeysSecretArn: values.keys_secret_arn ?? "",
  Rooms: ROOMS,
  Clients: CLIENTS,
});

describe("the configuration", () => {
  it("is the same from both", () => {
    expect(parse(ofStack)).toEqual(parse(ofModule));
  });

  it("is one that Usher takes, with the ports and the drain that the load balancer and ECS are set to", async () => {
    // Keys would be fetched.
    const { keys, ...document } = parse(ofModule);
    const { config } = await loadConfig({
      document,
      env: { USHER_REDIS_URL: "rediss://:token@store.example.com:6379", USHER_ADMIN_API_KEY: "k".repeat(64) },
    });
    expect(Object.keys(keys)).toEqual(["signing", "tickets", "cookies"]);
    expect(config.listen.port).toBe(module.number("port", "aws_lb_target_group", "usher"));
    expect(config.admin.listen?.port).toBe(3100);
    const check = module.block("aws_lb_target_group", "usher", "health_check");
    const noticedMs = Number(check.interval) * Number(check.unhealthy_threshold) * 1_000;
    expect(config.listen.drainMs).toBeGreaterThan(noticedMs);
    const [stopSec] = /(?<=stopTimeout = )\d+/.exec(module.text) ?? [];
    expect(Number(stopSec) * 1_000).toBe(config.listen.drainMs + 5_000);
    expect(container.StopTimeout).toBe(Number(stopSec));
  });

  it("is one with the rooms of the tutorial, too", async () => {
    const [, rooms = ""] = /```yaml\n(rooms:[\s\S]*?)```/.exec(read("docs/tutorials/cognito-in-an-hour.md")) ?? [];
    const { keys: _, ...document } = parse(`${ofModule.replace(GIVEN, "")}${rooms}`);
    const [client] = document.clients;
    const { client_secret: secret, ...others } = client;
    expect(secret).toEqual({ from: "aws_secrets_manager", secret_id: "usher/clients", key: "shop" });
    expect(readGuide("cognito").client()).toMatchObject(others);
    const { warnings } = await loadConfig({
      document: { ...document, clients: [{ ...client, client_secret: "s".repeat(32) }] },
      env: { USHER_REDIS_URL: "rediss://:token@store.example.com:6379", USHER_ADMIN_API_KEY: "k".repeat(64) },
    });
    expect(warnings).toEqual([]);
  });

  it("is written by the task's command, which then gives Usher the store's address", () => {
    const dir = mkdtempSync(join(tmpdir(), "usher-task-"));
    // Stands for Node: tells what it was called with.
    writeFileSync(join(dir, "node"), '#!/bin/sh\necho "$USHER_REDIS_URL $@"\ncat "$4"\n', { mode: 0o755 });
    try {
      for (const command of [module.command, container.Command[0]]) {
        const output = execFileSync("/bin/sh", ["-c", command.replaceAll("/var/lib/usher", dir)], {
          env: { CONFIGURATION: ofModule, STORE_TOKEN: "t0ken", STORE_HOST: "store.example.com", PATH: `${dir}:/bin` },
          encoding: "utf8",
        });
        const call = `rediss://:t0ken@store.example.com:6379 dist/main.js serve --config ${dir}/usher.yaml`;
        expect(output).toBe(`${call}\n${ofModule}`);
      }
    } finally {
      rmSync(dir, { recursive: true });
    }
  });
});

describe("the task", () => {
  it("gets what its command and Usher read from the environment, and no more", () => {
    const given = [...container.Environment, ...container.Secrets].map(({ Name }: { Name: string }) => Name).sort();
    expect(module.environment).toEqual(given);
    const inCommand = [...module.command.matchAll(/\$(\w+)/g)].map(([, name]) => name);
    const documented = [...read("docs/configuration.md").matchAll(/^\| `([A-Z_]+)` \|/gm)].map(([, name]) => name);
    expect(documented).toContain("USHER_ADMIN_API_KEY");
    // The SDK reads it.
    expect(given.filter((name) => ![...inCommand, ...documented, "AWS_REGION"].includes(name))).toEqual([]);
  });

  it("has no rights to spare, and writes where the image lets its user", () => {
    expect(container).toMatchObject({
      User: "node",
      ReadonlyRootFilesystem: true,
      LinuxParameters: { Capabilities: { Drop: ["ALL"] } },
      MountPoints: [{ SourceVolume: "state", ContainerPath: "/var/lib/usher" }],
    });
    expect(module.text).toMatch(/user\s+= "node"/);
    expect(module.text).toMatch(/readonlyRootFilesystem = true/);
    expect(module.text).toMatch(/containerPath = "\/var\/lib\/usher"/);
    expect(read("Dockerfile")).toMatch(/chown node:node \/var\/lib\/usher[\s\S]*VOLUME \/var\/lib\/usher/);
  });

  it("is taken out of the load balancer by /readyz and killed by nobody for it", () => {
    expect(module.number("health_check_grace_period_seconds", "aws_ecs_service", "usher")).toBe(2 ** 31 - 1);
    expect(stack.resource("Service").HealthCheckGracePeriodSeconds).toBe(2 ** 31 - 1);
    const check = module.block("aws_lb_target_group", "usher", "health_check");
    expect(check).toMatchObject({ port: "3100", path: "/readyz", matcher: "200" });
    expect(stack.resource("TargetGroup")).toMatchObject({
      HealthCheckPort: check.port,
      HealthCheckPath: check.path,
      HealthCheckIntervalSeconds: Number(check.interval),
      UnhealthyThresholdCount: Number(check.unhealthy_threshold),
      Port: 3000,
    });
  });
});

describe("the load balancer", () => {
  it("refuses what docs/deploy.md wants refused, in the five values that a rule takes", () => {
    const refused = module.list("aws_lb_listener_rule", "refused", "values");
    expect(stack.resource("Refused").Conditions[0].PathPatternConfig.Values).toEqual(refused);
    expect(refused.length).toBeLessThanOrEqual(5);
    const [, section = ""] = /## What must be refused\n([\s\S]*?)\n## |$/.exec(`${read("docs/deploy.md")}\n## `) ?? [];
    const documented = [...section.matchAll(/https:\/\/queue\.example\.com(\/\S+)/g)].map(([, path = ""]) => path);
    expect(documented).toHaveLength(4);
    const patterns = refused.map((value) => new RegExp(`^${value.replaceAll("*", ".*")}$`));
    expect([...documented, "/readyz"].filter((path) => !patterns.some((pattern) => pattern.test(path)))).toEqual([]);
    // What visitors and relying parties ask is not.
    const open = ["/authorize", "/token", "/userinfo", "/rooms/tickets/status", "/rooms/tickets/enter", "/healthz"];
    expect(open.filter((path) => patterns.some((pattern) => pattern.test(path)))).toEqual([]);
  });

  it("is alone with the operators in reaching the operators' listener", () => {
    const rules = ["LoadBalancerGroup", "TasksGroup"].flatMap((name) => stack.resource(name).SecurityGroupIngress);
    const open = rules.filter(({ FromPort, ToPort }) => FromPort <= 3100 && 3100 <= ToPort);
    expect(open.map(({ CidrIp }) => CidrIp)).toEqual(["OperatorCidr"]);
    const ofModule = [...module.resources("aws_vpc_security_group_ingress_rule")].filter(([, text]) =>
      /3100/.test(text),
    );
    expect(ofModule.map(([name]) => name)).toEqual(["from_load_balancer", "operators"]);
  });
});

describe("the store", () => {
  it("evicts nothing, fails over, and speaks TLS alone", () => {
    const store = stack.resource("Store");
    expect(stack.resource("StoreParameters").Properties).toEqual({ "maxmemory-policy": "noeviction" });
    expect(module.block("aws_elasticache_parameter_group", "store", "parameter")).toEqual({
      name: "maxmemory-policy",
      value: "noeviction",
    });
    const settings = module.arguments("aws_elasticache_replication_group", "store");
    expect(settings).toMatchObject({
      engine: store.Engine,
      engine_version: store.EngineVersion,
      automatic_failover_enabled: String(store.AutomaticFailoverEnabled),
      multi_az_enabled: String(store.MultiAZEnabled),
      transit_encryption_mode: store.TransitEncryptionMode,
    });
    expect([store.AutomaticFailoverEnabled, store.MultiAZEnabled, store.TransitEncryptionMode]).toEqual([
      true,
      true,
      "required",
    ]);
    expect(store.CacheParameterGroupName).toBe("StoreParameters");
    expect(settings.parameter_group_name).toBe("aws_elasticache_parameter_group.store.name");
  });
});

describe("alarms", () => {
  it("are those of the document, in the module and in the template", () => {
    const [, table = ""] = /\n## Alarms\n([\s\S]*?)\n## /.exec(read("docs/aws.md")) ?? [];
    const documented = [...table.matchAll(/^\| `(\w+)` \|/gm)].map(([, metric]) => metric);
    const ofModule = [...module.text.matchAll(/metric(?:_name)?\s+= "(\w+)"/g)].map(([, metric]) => metric);
    const ofStack = stack.ofType("AWS::CloudWatch::Alarm").map(({ MetricName }) => MetricName);
    const named = new Set(ofStack.filter((name) => !name.includes("AWS::StackName")));
    expect(new Set(ofModule)).toEqual(named);
    expect(new Set(documented)).toEqual(named);
  });

  it("are about events of the log that there are, and rules that there are", () => {
    const patterns = stack.ofType("AWS::Logs::MetricFilter").map(({ FilterPattern }) => FilterPattern as string);
    const events = patterns.flatMap((text) => [...text.matchAll(/"([\w.]+)"/g)].map(([, event = ""]) => event));
    expect(events.length).toBeGreaterThan(10);
    const known = new Set([...read("docs/log-events.md").matchAll(/`([\w.]+)`/g)].map(([, event]) => event));
    expect(events.filter((event) => !known.has(event))).toEqual([]);
    const [ofModule = ""] = /events = \{[\s\S]*?\n {2}\}/.exec(module.text) ?? [];
    expect([...ofModule.matchAll(/"([\w.]+)"/g)].map(([, event]) => event)).toEqual(events);
    const rules = read("deploy/monitoring/usher.rules.yml");
    const named = [...read("docs/aws.md").matchAll(/`(Usher[A-Z]\w+)`/g)].map(([, rule = ""]) => rule);
    expect(named.length).toBeGreaterThan(8);
    expect(named.filter((rule) => !rules.includes(`alert: ${rule}\n`))).toEqual([]);
  });
});

describe("the site's rules", () => {
  it("have the order, the paths and the endpoints of the guide, and are taken out by a switch", () => {
    const site = template("protected-site", { IsOut: false });
    const guide = read("docs/relying-parties/alb.md");
    const rows = [...guide.matchAll(/^\| `(\w+)` \| (\d+) \|/gm)].map(([, name, priority]) => [name, Number(priority)]);
    expect(rows).toEqual([
      ["never_queue", 10],
      ["api", 20],
      ["checkout", 30],
      ["site", 40],
    ]);
    const rules = ["NeverQueueRule", "ApiRule", "SiteRule"].map((name) => site.resource(name));
    expect(rules.map(({ Priority }) => Priority)).toEqual([10, 20, 40]);
    const typesOf = ({ Actions }: { Actions: { Type?: string }[] }) => Actions.flatMap(({ Type }) => Type ?? []);
    expect(rules.map(typesOf)).toEqual([
      ["forward"],
      ["authenticate-oidc", "forward"],
      ["authenticate-oidc", "forward"],
    ]);
    const out = template("protected-site", { IsOut: true });
    expect(["ApiRule", "SiteRule"].map((name) => typesOf(out.resource(name)))).toEqual([["forward"], ["forward"]]);
    const defaults = terraform("protected-site").text;
    for (const path of site.parameter("NeverQueue").Default.split(",")) expect(defaults).toContain(`"${path}"`);
    expect(read("deploy/terraform/aws/protected-site/tests/rules.tftest.hcl")).toContain(
      "api = 20, room-check-out = 30, site = 40",
    );
  });
});

it("descriptions of security groups have the characters that EC2 takes", () => {
  for (const name of readdirSync(new URL("../../../deploy/terraform/aws", import.meta.url))) {
    for (const type of [
      "aws_security_group",
      "aws_vpc_security_group_ingress_rule",
      "aws_vpc_security_group_egress_rule",
    ])
      for (const [, text] of terraform(name).resources(type))
        expect(/description\s+= "(.*)"/.exec(text)?.[1]).toMatch(/^[a-zA-Z0-9. _\-:/()#,@[\]+=&;{}!$*]+$/);
  }
});
