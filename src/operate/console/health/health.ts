/** How the installation is, as the gateway says it. */
import type { AdminAnswers } from "../../client/index.ts";
import { type Api, take } from "../api/api.ts";

export type Health = AdminAnswers["Health"];
export type HealthProcess = AdminAnswers["HealthProcess"];
export type HealthStore = AdminAnswers["HealthStore"];

export const everyMs = 10_000;
/** An answer that is older is shown as old: two in a row did not come. */
export const oldAfterMs = 2.5 * everyMs;

/** @throws ProblemError */
export function readHealth({ ask }: Api, show: "all" | "attention"): Promise<Health> {
  return take(ask.GET("/admin/health", { params: { query: { show } } }));
}
