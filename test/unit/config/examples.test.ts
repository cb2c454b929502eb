import { readFileSync } from "node:fs";
import { fileURLToPath } from "node:url";
import { Ajv } from "ajv";
import { describe, expect, it } from "vitest";
import { parse } from "yaml";
import { z } from "zod";
import { demoDocument } from "../../../examples/demo/index.ts";
import { ConfigError } from "../../../src/config/checks/faults.ts";
import { loadDemoConfig } from "../../../src/config/load.ts";
import { documentSchemas } from "../../../src/config/schema/schema.ts";
import { loadConfig, parts } from "../../support/load-config.ts";
import { manualSettings } from "../../support/room-settings.ts";

const example = fileURLToPath(new URL("../../../config/usher.example.yaml", import.meta.url));
const compose = fileURLToPath(new URL("../../../config/compose.yaml", import.meta.url));

/** Every key of a schema, at any depth. */
function keysOf(schema: unknown): string[] {
  if (schema instanceof z.ZodObject) {
    return Object.entries(schema.shape).flatMap(([key, inner]) => [key, ...keysOf(inner)]);
  }
  if (schema instanceof z.ZodDiscriminatedUnion) {
    return schema.options.flatMap(keysOf);
  }
  if (schema instanceof z.ZodArray) {
    return keysOf(schema.element);
  }
  const isWrapper =
    schema instanceof z.ZodOptional ||
    schema instanceof z.ZodNullable ||
    schema instanceof z.ZodDefault ||
    schema instanceof z.ZodPrefault;
  return isWrapper ? keysOf(schema.unwrap()) : [];
}

describe("config/usher.example.yaml", () => {
  const env = {
    TURNSTILE_SECRET: "secret-of-the-challenge",
    REDIS_URL: "redis://localhost:6379",
    TOUR_REDIS_URL: "redis://localhost:6380",
    SHOP_CLIENT_SECRET: "s".repeat(32),
    USHER_SIGN_IN_SECRET: "p".repeat(32),
    USHER_TICKET_KEY: "t".repeat(32),
    USHER_COOKIE_KEY: "c".repeat(32),
  };

  it("is valid, without a warning", async () => {
    const clock = { now: () => Date.UTC(2027, 0, 1) };
    const { config, warnings } = await loadConfig({ file: example, env, clock });
    expect(warnings).toEqual([]);
    expect(config.issuers[0]?.rooms.map((room) => room.id)).toEqual(["tickets", "checkout"]);
    expect(config.issuers[0]?.rooms[0]?.settings.schedule).toEqual({
      prequeueAtMs: Date.UTC(2031, 4, 10, 7, 30),
      opensAtMs: Date.UTC(2031, 4, 10, 8),
      endsAtMs: Date.UTC(2031, 4, 10, 21),
    });
    expect(config.issuers[0]?.clients.map((client) => client.clientId)).toEqual(["shop-alb", "shop-app"]);
  });

  it("keeps its keys beside the file, wherever it is copied to", async () => {
    const text = readFileSync(example, "utf8");
    const { config } = await loadConfig({ text, file: "/srv/shop/usher.yaml", env });
    expect(config.secretsFile).toBe("/srv/shop/.usher/secrets.json");
  });

  it("mentions every key there is", () => {
    const text = readFileSync(example, "utf8");
    const keys = keysOf(documentSchemas(parts).ofOne);
    expect(keys.length).toBeGreaterThan(50);
    for (const key of keys) {
      expect(text).toMatch(new RegExp(`\\b${key}:`));
    }
  });
});

describe("config/compose.yaml", () => {
  it("is valid with what compose.yaml supplies", async () => {
    const env = {
      SHOP_CLIENT_SECRET: "s".repeat(32),
      USHER_REDIS_URL: "redis://:password@redis:6379",
      USHER_ADMIN_API_KEY: "a".repeat(32),
    };
    const { config, warnings } = await loadConfig({ file: compose, env });
    expect(warnings).toEqual([]);
    expect(config.store).toEqual({ type: "redis", url: "redis://:password@redis:6379", prefix: "usher:" });
  });
});

describe("config/usher.schema.json, for editors", () => {
  const schema: object = JSON.parse(
    readFileSync(new URL("../../../config/usher.schema.json", import.meta.url), "utf8"),
  );
  const isTaken = new Ajv({ allErrors: true, allowUnionTypes: true, strictRequired: false }).compile(schema);
  const faultsOf = (document: unknown) => {
    isTaken(document);
    return (isTaken.errors ?? []).map(({ instancePath, message }) => `${instancePath}: ${message}`);
  };

  it.each([example, compose])("takes %s, which names it", (file) => {
    const text = readFileSync(file, "utf8");
    expect(text).toMatch(/^# yaml-language-server: \$schema=\.\/usher\.schema\.json\n/);
    expect(faultsOf(parse(text))).toEqual([]);
  });

  it("takes the demonstration, and several issuers", () => {
    expect(faultsOf(demoDocument({ port: 3000, demoPort: 3001, clientSecret: "secret", crowd: 0 }))).toEqual([]);
    expect(faultsOf({ issuers: [{ issuer: "https://a.example", rooms: [{ id: "a" }] }] })).toEqual([]);
  });

  it("refuses unknown keys, wrong kinds of values and ones out of bounds", () => {
    const room = { id: "A", inlett: {}, admission: { duration: 20 }, max_waiting: -1, joins_per_address: "none" };
    const faults = faultsOf({ issuer: "https://a.example", rooms: [room], log_level: "loud", theme: { logo: {} } });
    for (const path of [
      "/rooms/0",
      "/rooms/0/id",
      "/rooms/0/admission/duration",
      "/rooms/0/max_waiting",
      "/rooms/0/joins_per_address",
      "/log_level",
      "/theme/logo",
    ]) {
      expect(
        faults.some((fault) => fault.startsWith(`${path}: `)),
        path,
      ).toBe(true);
    }
  });
});

describe("the demonstration", () => {
  const clientSecret = "secret-of-this-start";
  const load = (env: Record<string, string>) =>
    loadDemoConfig({ env, parts }, (ports) => demoDocument({ ...ports, clientSecret, crowd: 0 }));

  it.each([
    [0, manualSettings.inlet],
    [200, expect.objectContaining({ type: "periodic", outflowPerMinute: 60 })],
  ])("passes the same checks as a file, with a crowd of %i", async (crowd, inlet) => {
    const { config } = await loadConfig({
      document: demoDocument({ port: 3000, demoPort: 3001, clientSecret, crowd }),
      env: {},
    });
    expect(config.issuers[0]?.clients).toEqual([
      expect.objectContaining({
        clientId: "demo-site",
        clientSecret,
        redirectUris: ["http://localhost:3001/callback"],
        initiateLoginUri: "http://localhost:3001/",
        rooms: ["demo"],
        // The site keeps each login by itself.
        rememberedLogins: "many",
      }),
    ]);
    expect(config.issuers[0]?.rooms).toEqual([
      expect.objectContaining({
        id: "demo",
        settings: expect.objectContaining({ inlet }),
      }),
    ]);
  });

  it("follows the ports of the environment", async () => {
    const { config } = await load({ PORT: "4000", USHER_DEMO_PORT: "4001" });
    expect(config.issuers[0]?.issuer).toBe("http://localhost:4000");
    expect(config.listen.port).toBe(4000);
    expect(config.demoPort).toBe(4001);
    expect(config.issuers[0]?.clients[0]?.redirectUris).toEqual(["http://localhost:4001/callback"]);
  });

  it("takes the defaults of the wire contract, an issuer and a Redis from the environment", async () => {
    const env = { USHER_ISSUER: "http://127.0.0.1:9000", USHER_REDIS_URL: "redis://localhost" };
    const { config } = await load(env);
    expect(config).toMatchObject({
      listen: { port: 3000 },
      demoPort: 3001,
      issuers: [{ issuer: "http://127.0.0.1:9000" }],
    });
    expect(config.store.type).toBe("redis");
  });

  it.each([{ PORT: "0" }, { PORT: "3001" }, { PORT: "x" }, { USHER_DEMO_PORT: "3000" }, { USHER_DEMO_PORT: "99999" }])(
    "refuses %j",
    async (env) => {
      await expect(load(env)).rejects.toBeInstanceOf(ConfigError);
    },
  );
});
