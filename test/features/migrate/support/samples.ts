/** Exports as the three systems make them, and what the migration has to know besides. */
import { readFileSync } from "node:fs";
import { fileURLToPath } from "node:url";
import { type Input, parseInput } from "../../../../src/features/migrate/input.ts";
import { type Migration, migrate, type System } from "../../../../src/features/migrate/migrate.ts";
import { loadConfig } from "../../../support/load-config.ts";

export const pathOf = (file: string) => fileURLToPath(new URL(file, import.meta.url));

const room = "699d98642c564d2e855e9661899b7252";

export const samples = [
  ["aws", ["aws/core.json", "aws/inlet.json"]],
  ["aws", ["aws/core.json"]],
  ["aws", ["aws/two-accounts.json"]],
  ["queue-it", ["queue-it/integrationconfig.json"]],
  ["queue-it", ["queue-it/body.json"]],
  ["cloudflare", ["cloudflare/rooms.json"]],
  [
    "cloudflare",
    [
      "cloudflare/rooms.json",
      `cloudflare/events-${room}.json`,
      `cloudflare/rules-${room}.json`,
      "cloudflare/settings.json",
    ],
  ],
  ["cloudflare", ["cloudflare/terraform.json"]],
  ["cloudflare", ["cloudflare/terraform.json", "cloudflare/rooms.json"]],
] as const satisfies readonly (readonly [System, readonly string[]])[];

export function readSample(file: string): Input {
  return { file, json: parseInput(readFileSync(pathOf(file), "utf8"), file) };
}

export function migrated(system: System, inputs: readonly Input[]): Migration {
  return migrate(system, inputs, { issuer: null, languages: ["en", "de", "zh-Hans"], nowMs: Date.UTC(2027, 0, 1) });
}

export const secrets = {
  INLETS_SECRET_ACCESS_KEY: "a".repeat(64),
  QUEUE_IT_SECRET_KEY: "b".repeat(64),
};

/** As `usher check` reads it, with the secrets that it names. */
export async function loaded(yaml: string) {
  const { config } = await loadConfig({ text: yaml, env: secrets });
  return config;
}
