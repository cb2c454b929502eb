/** What the rules go by: the state of a room, and of a shared outflow. A store keeps it, and hands it to every operation. */
import type { CountLog } from "./ports/count-log.ts";

/** What a limit is kept by, of a room or of a shared outflow. Times are on its flow clock. */
export interface Limiter {
  readonly flowMs: number;
  /** Admissions within the window. */
  logTotal: number;
  readonly log: CountLog;
  /** Theoretical arrival time of the pacing. */
  tatMs: number;
}
