import type { Finding } from "../../../../lib/finding.ts";
import { askGateway, type Gateway } from "../../gateway.ts";
import { CommandError } from "../../terminal.ts";
import type { Report } from "./report.ts";

/** As the route takes them. */
const mendMax = 50;
const textMax = 1_000;
const aboutMax = 40;

/**
 * Has the gateway keep what the rehearsal came to, for the console.
 *
 * @param pass that it was begun with
 * @returns why it does not; null where it does
 */
export async function keepResult(
  gateway: Gateway,
  pass: string,
  report: Report,
  findings: readonly Finding[],
): Promise<string | null> {
  const { asked, visitors, outflow, gateways } = report;
  const { arrived, joined, admitted, no_shows, waiting, lost_places, ghosts } = visitors;
  const body = {
    pass,
    began_at: report.began_at,
    seconds: report.seconds,
    stopped: report.stopped,
    way: report.way,
    ...{ visitors: asked.visitors, arrived, joined, admitted, no_shows, waiting, lost_places, ghosts },
    most_in_a_minute: outflow.most_in_a_minute,
    limit_per_minute: outflow.limit_per_minute?.most ?? null,
    differences: gateways?.differences ?? null,
    mend: findings.slice(0, mendMax).flatMap(({ about, status, text }) => {
      // A rehearsal finds nothing that is well.
      return status === "ok" ? [] : [{ about: about.slice(0, aboutMax), status, text: text.slice(0, textMax) }];
    }),
  };
  try {
    const params = { path: { room: report.room } };
    await askGateway(gateway, (api) => api.PUT("/admin/rooms/{room}/rehearsal", { params, body }));
    return null;
  } catch (error) {
    if (error instanceof CommandError) return error.message;
    throw error;
  }
}
