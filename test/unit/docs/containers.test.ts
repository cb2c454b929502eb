/** What compose.yaml and Dockerfile promise of the containers, read from them: there is no engine here to run them. */
import { readFileSync } from "node:fs";
import { describe, expect, it } from "vitest";
import { parse } from "yaml";

interface Service {
  image?: string;
  command?: string[];
  environment: Record<string, string>;
  ports?: string[];
  networks: string[];
}

const read = (name: string) => readFileSync(new URL(`../../../${name}`, import.meta.url), "utf8");
const text = read("compose.yaml");
const compose = parse(text) as { services: Record<"redis" | "usher", Service>; networks: Record<string, object> };
const { redis, usher } = compose.services;

describe("the containers", () => {
  it.each(Object.entries(compose.services))("%s: may write where it must, and has no rights to spare", (_, service) => {
    expect(service).toMatchObject({
      read_only: true,
      tmpfs: ["/tmp"],
      cap_drop: ["ALL"],
      security_opt: ["no-new-privileges:true"],
      mem_limit: expect.stringMatching(/^\d+[mg]$/),
      pids_limit: expect.any(Number),
    });
  });

  it("Redis wants a password, evicts nothing, and is reached by Usher alone", () => {
    expect(redis.command?.at(-1)).toMatch(/^exec redis-server --requirepass "\$\$REDISCLI_AUTH" .*noeviction/);
    expect(usher.environment.USHER_REDIS_URL).toMatch(/^redis:\/\/:\$\{REDIS_PASSWORD:\?[^}]+\}@redis:6379$/);
    expect([redis.ports, redis.networks, usher.networks]).toEqual([undefined, ["store"], ["default", "store"]]);
    expect(compose.networks.store).toEqual({ internal: true });
  });

  it("the operators' listener is published nowhere", () => {
    const { admin } = parse(read("config/compose.yaml")) as { admin: { listen: { host?: string; port: number } } };
    expect(usher.environment.USHER_ADMIN).toBe(`http://127.0.0.1:${admin.listen.port}`);
    expect(admin.listen.host).toBeUndefined();
    expect(usher.ports).toEqual(["127.0.0.1:3000:3000"]);
  });

  it("the lines at the top make every secret that is required", () => {
    const required = [...text.matchAll(/\$\{(\w+):\?/g)].map(([, name]) => name);
    const made = [...text.matchAll(/secret (\w+);/g)].map(([, name]) => name);
    expect(new Set(made)).toEqual(new Set(required));
    expect(made.length).toBe(3);
  });

  it("every image is pinned by a digest, and the pins are renewed", () => {
    const built = [...read("Dockerfile").matchAll(/^FROM (\S+)/gm)].map(([, image]) => image);
    expect(built).toHaveLength(2);
    for (const image of [...built, redis.image])
      expect(image).toMatch(/^(node|redis):\d+\.\d+\.\d+-(slim|alpine)@sha256:[0-9a-f]{64}$/);
    const { updates } = parse(read(".github/dependabot.yml")) as { updates: { "package-ecosystem": string }[] };
    expect(updates.map((each) => each["package-ecosystem"])).toEqual(
      expect.arrayContaining(["docker", "docker-compose"]),
    );
  });
});

it("no package may run a script when it is installed", () => {
  expect(read(".npmrc")).toMatch(/^ignore-scripts=true$/m);
  expect(read("Dockerfile")).toMatch(/^COPY package\.json package-lock\.json \.npmrc \.\/$/m);
});
