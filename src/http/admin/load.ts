import type { z } from "zod";
import { UsherError } from "../../lib/errors.ts";
import type { WaitingRoom } from "../../room/index.ts";
import { adaptiveJson } from "./adaptive-json.ts";
import type { loadBody } from "./bodies.ts";

/**
 * Takes a site's report of its load, and answers the inlet's state with all reports so far. Safe to repeat: another sample
 * of the same value moves no median, and a signal that is given counts once.
 *
 * @throws UsherError `conflict` where the room's inlet is not `adaptive`: nothing would come of the report
 */
export async function takeLoad(room: WaitingRoom, load: z.infer<typeof loadBody>, admin: string) {
  const { latency_ms: latencyMs = null, error_rate: errorRate = null, signal = null } = load;
  if (room.state === null) await room.refresh();
  const type = room.state?.settings.effective.inlet.type;
  if (type !== undefined && type !== "adaptive") {
    throw new UsherError("conflict", `the inlet of this room is ${type}: only adaptive goes by the load of the site`, {
      status: 409,
    });
  }
  await room.operations.reportLoad({ latencyMs, errorRate, signal }, admin);
  const { state } = room;
  return {
    phase: state?.phase ?? null,
    phase_reason: state?.phaseReason ?? null,
    adaptive: state === null ? null : adaptiveJson(state),
  };
}
