/** Prequeues by chance, and what goes wrong around their openings. */
import type { Chance } from "./chance.ts";
import type { DrawPlan } from "./draw-plan.ts";
import type { Fault } from "./faults.ts";
import type { Cut } from "./world.ts";

/** A schedule whose opening is near the crowd, or none: then an operator opens the prequeue. */
export function randomDraw(chance: Chance, gateways: number, crowdMs: number): DrawPlan {
  const opensMs = Math.round(crowdMs + chance.between(5_000, 40_000));
  const delay = () => chance.pick([0, 0, 3_000, 29_000, 60_000, null]);
  const isScheduled = chance.isTrue(0.8);
  return {
    order: chance.isTrue(0.9) ? "random" : "arrival",
    beacon: chance.pick(["none", "drand"]),
    beaconDelaysMs: chance.isTrue(0.5) ? [delay()] : Array.from({ length: gateways }, delay),
    prequeueAfterMs: isScheduled ? Math.max(3_500, Math.round(opensMs - chance.between(10_000, 90_000))) : null,
    opensAfterMs: isScheduled ? opensMs : null,
  };
}

/** From shortly before the opening until after a draw that waits for its beacon in vain. */
export function randomDrawFaults(chance: Chance, plan: DrawPlan, gateways: number, crowdMs: number): Fault[] {
  const opensMs = plan.opensAfterMs ?? crowdMs + 20_000;
  const faults: Fault[] = [];
  if (plan.opensAfterMs === null) {
    const atMs = Math.round(Math.max(4_000, opensMs - chance.between(10_000, 60_000)));
    faults.push({ fault: "phase", atMs, forMs: opensMs - atMs, phase: "prequeue" });
  }
  const count = chance.below(4);
  for (let index = 0; index < count; index++) {
    const atMs = Math.round(opensMs + chance.between(-5_000, chance.pick([3_000, 10_000, 45_000])));
    faults.push(...drawFault(chance, gateways, atMs));
  }
  return faults;
}

function drawFault(chance: Chance, gateways: number, atMs: number): Fault[] {
  const some = Array.from({ length: gateways }, (_, index) => index).filter(() => chance.isTrue(0.5));
  const cut: Cut = chance.isTrue(0.5) ? { kind: "away" } : { kind: "deaf", lossRate: 0.3 };
  const forMs = chance.pick([500, 2_000, 6_000, 20_000]);
  const how = chance.pick(["orderly", "killed"] as const);
  const choices: (() => Fault[])[] = [
    () => [{ fault: "wipe", atMs }],
    () => [{ fault: "rollback", atMs, toAgoMs: chance.pick([100, 2_000, 8_000, 25_000]) }],
    () => [{ fault: "cut", atMs, forMs, gateways: some, cut }],
    () => [
      { fault: "cut", atMs, forMs, gateways: some, cut },
      { fault: "wipe", atMs: atMs + chance.below(forMs) },
    ],
    () => [{ fault: "restart", atMs, forMs, gateway: chance.below(gateways), how }],
    () => [
      ...some.map((gateway): Fault => ({ fault: "restart", atMs, forMs: 3_000, gateway, how: "killed" })),
      { fault: "wipe", atMs: atMs + 10 },
    ],
    () => [{ fault: "phase", atMs, forMs, phase: chance.pick(["idle", "prequeue", "ended", "passthrough"]) }],
    () => [{ fault: "pause", atMs, forMs }],
    () => [{ fault: "increment", atMs, by: chance.pick([1, 20, 500]) }],
    () => [{ fault: "clock", atMs, byMs: chance.pick([-3_600_000, -3_000, 3_000, 3_600_000]) }],
    () => [{ fault: "sleep", atMs, forMs: chance.pick([4_000, 60_000]) }],
    () => [{ fault: "draw_key", atMs }],
    () => [{ fault: "reset", atMs }],
  ];
  return chance.pick(choices)();
}
