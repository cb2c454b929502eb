import { reportProbe, reportSite } from "../../core/adaptive/load.ts";
import type { LoadReport } from "../contract/room-store.ts";
import type { RoomData } from "./data.ts";

/** What one process probed, or the site reported. */
export function reportLoad(room: RoomData, report: LoadReport): void {
  if (report.source === "probe") reportProbe(room, report.latencyMs);
  else reportSite(room, report.latencyMs, report.errorRate, report.signal);
}
