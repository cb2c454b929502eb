import { type Attention, type Installation, seconds, warning } from "./attention.ts";

const behindMs = 60_000;
const toldMs = 3_600_000;

/** What goes out to others: webhooks, and the beacon that is asked for public random numbers. */
export function attentionOfOthers({ processes, nowMs }: Installation): Attention[] {
  const running = processes.filter(({ isGone }) => !isGone).map(({ self }) => self);
  const byWebhook = new Map<string, { lagMs: number; gaveUpMs: number }>();
  for (const { id, lag_ms, given_up_ms } of running.flatMap(({ webhooks }) => webhooks)) {
    const known = byWebhook.get(id);
    byWebhook.set(id, {
      lagMs: Math.max(lag_ms, known?.lagMs ?? 0),
      gaveUpMs: Math.max(given_up_ms ?? 0, known?.gaveUpMs ?? 0),
    });
  }
  const found: Attention[] = [];
  for (const [id, { lagMs, gaveUpMs }] of byWebhook) {
    if (lagMs > behindMs) {
      const text = `The webhook ${id} is ${seconds(lagMs)} behind: its receiver refuses or does not answer. usher webhooks test ${id} shows what it says.`;
      found.push(warning({ code: "webhook_behind", about: id, text }));
    }
    if (nowMs - gaveUpMs < toldMs) {
      const text = `An event for the webhook ${id} was given up ${seconds(nowMs - gaveUpMs)} ago. It is among its dead letters, and can be sent again.`;
      found.push(warning({ code: "webhook_gave_up", about: id, text }));
    }
  }
  const last = (member: "fetched_ms" | "failed_ms") => Math.max(0, ...running.map(({ beacon }) => beacon[member] ?? 0));
  const failedMs = last("failed_ms");
  if (failedMs > last("fetched_ms") && nowMs - failedMs < toldMs) {
    const text = `The public random numbers for draws could not be fetched ${seconds(nowMs - failedMs)} ago. See that the gateways reach a mirror of the beacon before a draw needs it.`;
    found.push(warning({ code: "beacon_fails", text }));
  }
  return found;
}
