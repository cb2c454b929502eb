/** What goes wrong, and what is done to the room, at moments of the simulation. */
import { createDrawKey } from "./draw-plan.ts";
import { movePlaces } from "./movers.ts";
import { changeSettings, reportLoad, takeStep } from "./operator.ts";
import { sendLinks } from "./staff.ts";
import type { Surroundings } from "./visitors.ts";
import type { Cut, Gateway } from "./world.ts";

export type Fault =
  /** Some or all gateways cannot reach the store, or do not get all its answers. */
  | { fault: "cut"; atMs: number; forMs: number; gateways: readonly number[]; cut: Cut }
  /** The store loses everything. */
  | { fault: "wipe"; atMs: number }
  /** The store comes back as it was so long ago, as another server run. */
  | { fault: "rollback"; atMs: number; toAgoMs: number }
  /** The data is put back as it was so long ago, while the server runs on. */
  | { fault: "put_back"; atMs: number; toAgoMs: number }
  /** What a process writes down is lost. */
  | { fault: "checkpoints"; atMs: number; forMs: number; gateway: number }
  /** A process ends and comes back. */
  | { fault: "restart"; atMs: number; forMs: number; gateway: number; how: "orderly" | "killed" }
  /** Every clock is set. */
  | { fault: "clock"; atMs: number; byMs: number }
  /** Nobody and nothing does anything. */
  | { fault: "sleep"; atMs: number; forMs: number }
  | { fault: "pause"; atMs: number; forMs: number }
  | { fault: "alarm"; atMs: number; forMs: number }
  | { fault: "phase"; atMs: number; forMs: number; phase: "idle" | "prequeue" | "ended" | "passthrough" }
  | { fault: "limit"; atMs: number; outflowPerMinute: number }
  | { fault: "capacity"; atMs: number; maxActive: number }
  | { fault: "increment"; atMs: number; by: number }
  | { fault: "reset"; atMs: number }
  /** Every process gets another draw key, and keeps the ones before. */
  | { fault: "draw_key"; atMs: number }
  /** The site of an `adaptive` inlet says how it is: once, or that it can take nobody for so long. */
  | { fault: "load"; atMs: number; latencyMs: number; errorRate: number }
  | { fault: "signal"; atMs: number; forMs: number }
  /** An operator sends out so many bypass links. */
  | { fault: "links"; atMs: number; count: number }
  /** So many of those who wait carry their place to another browser. */
  | { fault: "moves"; atMs: number; count: number }
  /** Those who wait press reload, each so often, all at once. */
  | { fault: "reload"; atMs: number; times: number };

export function planFault(sim: Surroundings, fault: Fault): void {
  const { queue, trace } = sim;
  if (fault.fault === "rollback" || fault.fault === "put_back")
    queue.call(fault.atMs - fault.toAgoMs, async () => {
      await sim.world.server.save();
      sim.rules.saved();
    });
  queue.call(fault.atMs, async (nowMs) => {
    trace.note(nowMs, "FAULT", fault);
    await begin(sim, fault);
  });
  if ("forMs" in fault && fault.fault !== "sleep") {
    queue.call(fault.atMs + fault.forMs, async (nowMs) => {
      trace.note(nowMs, "FAULT IS OVER", fault);
      await end(sim, fault);
    });
  }
}

function gatewayAt(sim: Surroundings, index: number): Gateway {
  const { gateways } = sim.world;
  return gateways[index % gateways.length] as Gateway;
}

async function begin(sim: Surroundings, fault: Fault): Promise<void> {
  const { world, time } = sim;
  switch (fault.fault) {
    case "cut":
      for (const index of fault.gateways) gatewayAt(sim, index).cut = fault.cut;
      return;
    case "wipe":
      sim.rules.lost("empty");
      return world.server.wipe();
    case "rollback":
      sim.rules.lost("saved");
      return world.server.restore();
    case "put_back":
      sim.rules.lost("put_back");
      return world.server.restoreInPlace();
    case "checkpoints":
      gatewayAt(sim, fault.gateway).areCheckpointsLost = true;
      return;
    case "restart":
      if (fault.how === "killed") sim.rules.processKilled();
      return world.stop(gatewayAt(sim, fault.gateway), fault.how);
    case "clock":
      return time.step(fault.byMs);
    case "sleep":
      return time.sleep(fault.forMs);
    case "pause":
      return takeStep(sim, { step: "pause" });
    case "alarm":
      return takeStep(sim, { step: "alarm", isSet: true });
    case "phase":
      return takeStep(sim, { step: "phase", phase: fault.phase });
    case "limit":
      return changeSettings(sim, { inlet: { outflowPerMinute: fault.outflowPerMinute } });
    case "capacity":
      return changeSettings(sim, { inlet: { maxActive: fault.maxActive } });
    case "increment":
      return takeStep(sim, { step: "increment", by: fault.by });
    case "reset":
      return takeStep(sim, { step: "reset" });
    case "draw_key":
      world.drawKeys.unshift(createDrawKey(world.drawKeys.length + 1));
      return;
    case "load":
      return reportLoad(sim, { latencyMs: fault.latencyMs, errorRate: fault.errorRate });
    case "signal":
      return reportLoad(sim, { signal: "off" });
    case "links":
      return sendLinks(sim, fault.count);
    case "moves":
      return movePlaces(sim, fault.count);
    case "reload":
      return reload(sim, fault.times);
  }
}

async function end(sim: Surroundings, fault: Fault): Promise<void> {
  switch (fault.fault) {
    case "cut":
      for (const index of fault.gateways) gatewayAt(sim, index).cut = { kind: "none" };
      return;
    case "checkpoints":
      gatewayAt(sim, fault.gateway).areCheckpointsLost = false;
      return;
    case "restart":
      return sim.world.start(gatewayAt(sim, fault.gateway));
    case "pause":
      return takeStep(sim, { step: "resume" });
    case "alarm":
      return takeStep(sim, { step: "alarm", isSet: false });
    case "phase":
      return takeStep(sim, { step: "phase", phase: "open" });
    case "signal":
      return reportLoad(sim, { signal: "on" });
    default:
  }
}

async function reload(sim: Surroundings, times: number): Promise<void> {
  const visits: Promise<void>[] = [];
  for (const visitor of sim.waiting) {
    // Without a ticket a reload is another visitor.
    if (visitor.position === null) continue;
    for (let time = 0; time < times; time++) visits.push(visitor.enter());
  }
  await Promise.all(visits);
}
