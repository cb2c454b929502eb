/** What can be said of the Helm chart without Helm: its values, their schema, and what it has from elsewhere. */
import { readdirSync, readFileSync } from "node:fs";
import { Ajv } from "ajv";
import { describe, expect, it } from "vitest";
import { parse } from "yaml";
import { chartFiles } from "../../../scripts/lib/chart-files.ts";
import { loadConfig } from "../../support/load-config.ts";

const read = (file: string) => readFileSync(new URL(`../../../${file}`, import.meta.url), "utf8");
const chart = "deploy/helm/usher";
/** As Helm reads it. */
const readValues = (file: string) => parse(read(`${chart}/${file}`), { version: "1.1" }) as Record<string, unknown>;

interface Schema {
  readonly type?: string | string[];
  readonly properties?: Record<string, Schema>;
  readonly $ref?: string;
}
const schema = JSON.parse(read(`${chart}/values.schema.json`)) as Schema & { definitions: Record<string, Schema> };
const isTaken = new Ajv({ allErrors: true, allowUnionTypes: true, strictRequired: false }).compile(schema);
const values = readValues("values.yaml");

/** Every key of the schema with its path, those of `config` aside: they are the program's. */
function keysOf(given: Schema, path = ""): string[] {
  const { properties = {} } = given.$ref === undefined ? given : (schema.definitions[given.$ref.slice(14)] ?? {});
  return Object.entries(properties)
    .filter(([key]) => key !== "global" && path !== ".config")
    .flatMap(([key, inner]) => [`${path}.${key}`, ...keysOf(inner, `${path}.${key}`)]);
}

describe("the values of the chart", () => {
  it("are taken by their schema, and so are the examples", () => {
    expect([isTaken(values), isTaken.errors]).toEqual([true, null]);
    const examples = readdirSync(new URL(`../../../${chart}/ci`, import.meta.url));
    expect(examples).toHaveLength(3);
    for (const example of examples) {
      const { config: ofDefaults, ...defaults } = values as { config: object };
      const { config, ...others } = readValues(`ci/${example}`) as { config: { listen?: object } };
      const listen = { ...(ofDefaults as { listen: object }).listen, ...config.listen };
      const laidOver = { ...defaults, ...others, config: { ...ofDefaults, ...config, listen } };
      expect([example, isTaken(laidOver), isTaken.errors]).toEqual([example, true, null]);
    }
  });

  it("have every key of the schema, so that values.yaml says all that may be set", () => {
    const keys = keysOf(schema);
    expect(keys.length).toBeGreaterThan(50);
    const isThere = (path: string) =>
      path
        .split(".")
        .slice(1)
        .reduce<unknown>((value, key) => (value as Record<string, unknown> | undefined)?.[key], values) !== undefined;
    expect(keys.filter((path) => !isThere(path))).toEqual([]);
  });

  it.each([
    ["a misspelled key", { replicas: 3 }],
    ["one pod", { replicaCount: 1 }],
    ["a tag for a digest", { image: { repository: "usher", digest: "0.2.0" } }],
    [
      "operators that listen where no probe reaches",
      { config: { ...(values.config as object), admin: { listen: { host: "127.0.0.1", port: 3100 } } } },
    ],
    [
      "a drain that is no number of seconds",
      { config: { ...(values.config as object), listen: { host: "0.0.0.0", port: 3000, drain: "1m" } } },
    ],
  ])("%s is refused", (_, changed) => {
    expect(isTaken({ ...values, ...changed })).toBe(false);
  });

  it("are a configuration that Usher takes, as soon as there is an issuer and a room", async () => {
    const rooms = [{ id: "tickets", targets: ["https://shop.example.com/"] }];
    const document = { ...(values.config as object), issuer: "https://queue.example.com", rooms };
    const env = { USHER_ADMIN_API_KEY: "k".repeat(32), USHER_REDIS_URL: "redis://redis:6379" };
    const { config, warnings } = await loadConfig({ document, env, needsSecrets: false });
    expect(config.listen).toMatchObject({ host: "0.0.0.0", port: 3000, drainMs: 10_000 });
    expect(warnings).toEqual([]);
  });
});

it("versions and alerts of the chart are those of the package and of deploy/monitoring", () => {
  const { version } = JSON.parse(read("package.json")) as { version: string };
  expect(parse(read(`${chart}/Chart.yaml`))).toMatchObject({ version, appVersion: version });
  for (const [file, text] of Object.entries(chartFiles(read))) expect([file, read(file)]).toEqual([file, text]);
});

it("the Redis of the chart is that of compose.yaml", () => {
  const { services } = parse(read("compose.yaml")) as { services: { redis: { image: string; command: string[] } } };
  const { redis } = values as { redis: { image: string; maxmemory: string } };
  expect(redis.image).toBe(services.redis.image);
  const own = /exec (redis-server .*) --dir \/data/.exec(read(`${chart}/templates/redis.yaml`))?.[1];
  const ofCompose = services.redis.command.at(-1)?.replace("$$", "$").replace("exec ", "");
  expect(own?.replace("{{ .Values.redis.maxmemory }}", redis.maxmemory)).toBe(ofCompose);
});

it("README.md names every key of the Secret that the values ask for", () => {
  const named = [...read(`${chart}/values.yaml`).matchAll(/\/run\/secrets\/usher\/([\w.-]+)/g)].map(([, key]) => key);
  const { secret, redis } = values as { secret: { env: object }; redis: { urlKey: string; passwordKey: string } };
  for (const key of [...named, ...Object.values(secret.env), redis.urlKey, redis.passwordKey]) {
    expect(read(`${chart}/README.md`)).toContain(`\`${key}\``);
  }
  expect(named).toHaveLength(3);
});
