/** What `npm run bench` measures of the home: reading a request id, and a poll that does so. */
import { createRequestIds } from "../../../../src/features/aws-home/request-id.ts";
import { systemRandom } from "../../../../src/lib/clock-and-random.ts";
import type { Comparison } from "../../../bench/compare.ts";
import { homeOf, publicPath } from "./home-client.ts";

export const config = homeOf({ Sample: "line" });

/** CPU time of reading one id, in microseconds. */
export function measureDecode(): number {
  const key = { kid: "bench", secret: systemRandom.bytes(32) };
  const ring = [key];
  const ids = createRequestIds({
    issuer: "https://queue.example",
    room: "line",
    line: "",
    keys: () => ring,
    random: systemRandom,
  });
  const now = { edition: 1_900_000_000, claimMs: 1_900_000_000_000 };
  const some = Array.from({ length: 100_000 }, (_, at) =>
    ids.encode({ edition: now.edition, number: at + 1, joinedMs: now.claimMs }),
  );
  const rounds = Array.from({ length: 5 }, () => {
    const since = process.cpuUsage();
    for (const id of some) if (ids.decode(id, now) === null) throw new Error("an id of ours was refused");
    const { user, system } = process.cpuUsage(since);
    return (user + system) / some.length;
  });
  return rounds.sort((a, b) => a - b)[2] ?? Number.NaN;
}

/** A poll for the number of a place that waits. */
export async function measureQueueNum(
  origin: string,
  compare: (asked: { url: string; headers: Record<string, string> }) => Promise<Comparison>,
): Promise<Comparison> {
  const response = await fetch(`${origin}${publicPath}/assign_queue_num`, {
    method: "POST",
    headers: { "Content-Type": "application/json" },
    body: JSON.stringify({ event_id: "Sample" }),
  });
  const { api_request_id: id } = (await response.json()) as { api_request_id: string };
  return compare({ url: `${origin}${publicPath}/queue_num?event_id=Sample&request_id=${id}`, headers: {} });
}
