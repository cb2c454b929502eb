/** The inlet `adaptive` in the configuration file. */
import { describe, expect, it } from "vitest";
import { ConfigError } from "../../../src/config/checks/faults.ts";
import { loadConfig } from "../../support/load-config.ts";

const load = (inlet: object) =>
  loadConfig({ document: { issuer: "https://queue.example.com", rooms: [{ id: "a", inlet }] }, env: {} });

async function inletOf(inlet: object) {
  return (await load({ type: "adaptive", outflow_per_minute: 600, ...inlet })).config.issuers[0]?.rooms[0]?.settings
    .inlet;
}

async function faultsOf(inlet: object): Promise<string[]> {
  const outcome = await load(inlet).catch((error: unknown) => error);
  if (!(outcome instanceof ConfigError)) return [];
  return outcome.faults.map(({ path, message }) => `${path.replace("rooms[0].inlet.", "")}: ${message}`);
}

const plain = {
  type: "adaptive",
  outflowPerMinute: 600,
  maxActive: null,
  startsAtMs: null,
  endsAtMs: null,
  sharedOutflow: null,
  gate: null,
};

describe("an adaptive inlet", () => {
  it("needs a limit alone: what is not said is not there", async () => {
    expect(await inletOf({})).toEqual(plain);
    expect(await inletOf({ probe: { url: "http://10.0.0.5/search" }, latency_ms: null })).toEqual({
      ...plain,
      probe: { url: "http://10.0.0.5/search", intervalMs: 2_000, timeoutMs: 5_000 },
    });
  });

  it("says all that there is, with times of its own", async () => {
    const inlet = {
      floor_per_minute: 60,
      start_per_minute: 120,
      step_per_minute: 20,
      latency_ms: 800,
      times_baseline: 2.5,
      error_rate: 0.01,
      decide_every: "30s",
      probe: { url: "https://shop.example.com/", interval: "1s", timeout: "3s" },
      starts_at: "2027-03-01T09:00Z",
      ends_at: "2027-03-01T10:00Z",
    };
    expect(await inletOf(inlet)).toEqual({
      ...plain,
      startsAtMs: Date.UTC(2027, 2, 1, 9),
      endsAtMs: Date.UTC(2027, 2, 1, 10),
      floorPerMinute: 60,
      startPerMinute: 120,
      stepPerMinute: 20,
      latencyMs: 800,
      timesBaseline: 2.5,
      errorRate: 0.01,
      decideEveryMs: 30_000,
      probe: { url: "https://shop.example.com/", intervalMs: 1_000, timeoutMs: 3_000 },
    });
  });

  it("is refused where it makes no sense, with all faults at once", async () => {
    expect(await faultsOf({ type: "adaptive" })).toEqual([
      expect.stringMatching(/^outflow_per_minute: required: an inlet of type adaptive needs it/),
    ]);
    expect(
      await faultsOf({ type: "adaptive", outflow_per_minute: 100, floor_per_minute: 200, start_per_minute: 150 }),
    ).toEqual([
      "floor_per_minute: expected at most outflow_per_minute (100)",
      "start_per_minute: expected at most outflow_per_minute (100)",
    ]);
    expect(
      await faultsOf({ type: "adaptive", outflow_per_minute: 100, floor_per_minute: 60, start_per_minute: 50 }),
    ).toEqual(["start_per_minute: expected at least floor_per_minute (60)"]);
    expect(
      await faultsOf({
        type: "adaptive",
        outflow_per_minute: 100,
        latency_ms: 0,
        times_baseline: 1,
        error_rate: 2,
        decide_every: "100ms",
        probe: { url: "ftp://a/", interval: "10ms", every: "1s" },
        starts_at: "2027-03-01T10:00Z",
        ends_at: "2027-03-01T09:00Z",
      }),
    ).toEqual(
      expect.arrayContaining([
        "latency_ms: expected a number from 1 to 600000",
        "times_baseline: expected a number from 1.2 to 100",
        "error_rate: expected a number from 0 to 1",
        expect.stringMatching(/^decide_every: expected a duration from 1s to 5m/),
        "probe.url: expected an absolute URL: http or https",
        expect.stringMatching(/^probe\.interval: expected a duration from 200ms to 5m/),
        expect.stringMatching(/^probe\.every: unknown key/),
        expect.stringMatching(/^ends_at: expected a time after inlet\.starts_at/),
      ]),
    );
  });

  it("alone has these settings", async () => {
    expect(
      await faultsOf({ type: "periodic", outflow_per_minute: 100, latency_ms: 5, probe: { url: "http://a/" } }),
    ).toEqual([
      "latency_ms: only for type adaptive, not for periodic: leave it out, or change the type",
      "probe: only for type adaptive, not for periodic: leave it out, or change the type",
    ]);
  });
});
