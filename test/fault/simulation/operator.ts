/** What people do who run the room, and keep trying until it is done. */
import { UsherError } from "../../../src/lib/errors.ts";
import type { SiteLoad } from "../../../src/room/operator/room-operations.ts";
import type { WaitingRoom } from "../../../src/room/waiting-room.ts";
import type { RoomSettingsPatch } from "../../../src/store/contract/room-settings.ts";
import type { AdminStep } from "../../../src/store/contract/room-store.ts";
import { withPatch } from "../../support/room-settings.ts";
import { tryTo } from "./gate.ts";
import type { Surroundings } from "./visitors.ts";

const retryMs = 1_000;
let requests = 0;

type Act = (room: WaitingRoom) => Promise<unknown>;
/** What could not be done yet, oldest first. */
const undone = new WeakMap<Surroundings, Act[]>();

/** Does it now, or as soon as a process can, and in turn; answers when the first try is over. */
export async function keepTrying(sim: Surroundings, act: Act): Promise<void> {
  const before = undone.get(sim);
  if (before !== undefined) {
    before.push(act);
    return;
  }
  undone.set(sim, [act]);
  await tryAll(sim);
}

async function tryAll(sim: Surroundings): Promise<void> {
  const acts = undone.get(sim) ?? [];
  for (let [act] = acts; act !== undefined; [act] = acts) {
    const room = sim.world.pickGateway()?.room;
    const isDone = room !== undefined && room.state !== null && (await tryUnlessConflict(room, act));
    if (!isDone) {
      sim.queue.call(sim.time.nowMs + retryMs, () => tryAll(sim));
      return;
    }
    acts.shift();
  }
  undone.delete(sim);
}

async function tryUnlessConflict(room: WaitingRoom, act: Act): Promise<boolean> {
  try {
    return await tryTo(() => act(room));
  } catch (error) {
    if (error instanceof UsherError && error.code === "conflict") return false;
    throw error;
  }
}

export function takeStep(sim: Surroundings, step: AdminStep): Promise<void> {
  const requestId = `step-${requests++}`;
  return keepTrying(sim, (room) => room.operations.step(step, requestId, "operator"));
}

/** As the site does, or a monitor of it. */
export function reportLoad(sim: Surroundings, load: Partial<SiteLoad>): Promise<void> {
  const none: SiteLoad = { latencyMs: null, errorRate: null, signal: null };
  return keepTrying(sim, (room) => room.operations.reportLoad({ ...none, ...load }, "operator"));
}

export function changeSettings(sim: Surroundings, patch: RoomSettingsPatch): Promise<void> {
  return keepTrying(sim, async (room) => {
    const { state } = room;
    if (state === null) return;
    const { file, live } = state.settings;
    const inlet = { ...live.inlet, ...patch.inlet };
    const admission = { ...live.admission, ...patch.admission };
    const merged: RoomSettingsPatch = { ...live, ...patch, inlet, admission };
    await room.operations.changeSettings(merged, withPatch(file, merged), state.version, "operator");
  });
}
