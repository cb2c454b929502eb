import { expect, it } from "vitest";
import { settingsOf } from "../../../../src/config/index.ts";
import { beaconSettings } from "../../../../src/features/beacon/settings.ts";
import { loadConfig } from "../../../support/load-config.ts";

const document = { issuer: "https://q.example", rooms: [{ id: "a" }] };
const chain = { hash: "a".repeat(64), public_key: "b".repeat(192), genesis: 1_600_000_000, period: 3 };

it("leaves mirrors and chain to the program where the file names none", async () => {
  const { config } = await loadConfig({ document, env: {} });
  expect(settingsOf(config, beaconSettings)).toEqual({ timeoutMs: 3_000 });
});

it("may be of another chain", async () => {
  const urls = ["https://drand.example"];
  const { config } = await loadConfig({ document: { ...document, beacon: { urls, timeout: "1s", chain } }, env: {} });
  const { public_key: publicKey, ...others } = chain;
  expect(settingsOf(config, beaconSettings)).toEqual({ urls, timeoutMs: 1_000, chain: { publicKey, ...others } });
});

it("is refused with all its faults at once", async () => {
  const beacon = { urls: ["drand.example"], chain: { ...chain, hash: "A" } };
  const refused = expect(loadConfig({ document: { ...document, beacon }, env: {} })).rejects;
  await refused.toThrow(/beacon\.urls\[0\][\s\S]*beacon\.chain\.hash/);
});
