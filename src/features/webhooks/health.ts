import { z } from "zod";
import type { Clock } from "../../lib/clock-and-random.ts";
import { timeOrNone, timeOrNull } from "../../operate/admin-api/bodies.ts";
import { featureHealth } from "../../operate/feature.ts";
import { type Attention, seconds, warning } from "../../operate/health/attention/attention.ts";
import type { Deliveries } from "./deliveries.ts";

const webhooksMax = 50;
const behindMs = 60_000;
/** For so long after an event was given up this is shown as not well. */
const reportedForMs = 3_600_000;

/** What a process reports of its deliveries. */
const self = z
  .array(z.object({ id: z.string().max(200), lag_ms: z.number(), given_up_ms: z.number().nullable() }))
  .max(webhooksMax)
  .catch([]);
type Self = z.output<typeof self>;

/** @returns makes the report of this process; an event counts as given up when a report first has it */
export function createDeliveryReport(deliveries: Pick<Deliveries, "figures">, clock: Clock): () => Self {
  const giveUps = new Map<string, { count: number; atMs: number | null }>();
  return () =>
    deliveries
      .figures()
      .slice(0, webhooksMax)
      .map(({ webhook, lagMs, counts: { given_up: count } }) => {
        const before = giveUps.get(webhook);
        const isMore = count > (before?.count ?? 0);
        const atMs = isMore ? clock.now() : (before?.atMs ?? null);
        giveUps.set(webhook, { count, atMs });
        return { id: webhook, lag_ms: Math.round(lagMs), given_up_ms: atMs };
      });
}

const webhook = z
  .object({ webhook: z.string(), lag_ms: z.number(), given_up_at: timeOrNone })
  .meta({ id: "HealthWebhook" });

/** Of each webhook, whatever process sends to it: the greatest lag, and when an event was last given up; null for never. */
function worstOf(selves: readonly Self[]) {
  const worst = new Map<string, { lagMs: number; gaveUpMs: number | null }>();
  for (const { id, lag_ms, given_up_ms } of selves.flat()) {
    const before = worst.get(id);
    const gaveUp = [before?.gaveUpMs ?? null, given_up_ms].filter((atMs) => atMs !== null);
    worst.set(id, {
      lagMs: Math.max(lag_ms, before?.lagMs ?? 0),
      gaveUpMs: gaveUp.length === 0 ? null : Math.max(...gaveUp),
    });
  }
  return [...worst].map(([id, figures]) => ({ id, ...figures }));
}

export const webhooksHealth = featureHealth({
  self,
  attention: (selves, nowMs) =>
    worstOf(selves).flatMap(({ id, lagMs, gaveUpMs }): Attention[] => [
      ...(lagMs > behindMs
        ? [
            warning({
              code: "webhook_behind",
              about: id,
              text: `The webhook ${id} is ${seconds(lagMs)} behind: its receiver refuses or does not answer. usher webhooks test ${id} shows what it says.`,
            }),
          ]
        : []),
      ...(gaveUpMs !== null && nowMs - gaveUpMs < reportedForMs
        ? [
            warning({
              code: "webhook_gave_up",
              about: id,
              text: `An event for the webhook ${id} was given up ${seconds(nowMs - gaveUpMs)} ago. It is among its dead letters, and can be sent again.`,
            }),
          ]
        : []),
    ]),
  member: "webhooks",
  answer: z.array(webhook),
  answerOf: (selves) =>
    worstOf(selves).map(({ id, lagMs, gaveUpMs }) => ({
      webhook: id,
      lag_ms: lagMs,
      given_up_at: timeOrNull(gaveUpMs),
    })),
});
