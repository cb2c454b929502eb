import { storeUse } from "../store-figures.ts";
import { askAll } from "./ask-all.ts";
import { requestOf } from "./connection.ts";
import { createPositionsSeen } from "./positions-seen.ts";
import type { CrowdedRoom } from "./room.ts";
import { counter, measureCores, residentBytes } from "./use.ts";

/** Of so many tickets one is kept. */
export const keptEvery = 10;

/** Takes so many places by `POST …/tickets`, looks at the position of each, and weighs what those who wait cost. */
export async function joinAll({ gateway, redis, host }: CrowdedRoom, count: number) {
  const seen = createPositionsSeen();
  const tickets = new Map<number, string>();
  let failures = 0;
  const request = requestOf("POST", host, "/rooms/line/tickets");
  const take = async (howMany: number) => {
    const answeredBefore = new Int32Array(howMany);
    const ask = (index: number) => {
      answeredBefore[index] = seen.highest();
      return request;
    };
    await askAll(gateway.port, howMany, ask, ({ status, body }, index) => {
      if (status !== 201) return void failures++;
      const { position, ticket } = JSON.parse(body.toString("latin1")) as { position: number; ticket: string };
      seen.note(position, answeredBefore[index] ?? 0);
      if (position % keptEvery === 0 || position === 1) tickets.set(position, ticket);
    });
  };
  const weigh = async () => ({
    gatewayBytes: residentBytes(gateway.process().pid),
    redisBytes: (await storeUse(redis)).bytes,
  });

  const atStart = await weigh();
  const generatorBefore = process.cpuUsage();
  // The first tenth is not weighed: the program comes to its size, and the room's state to all of its fields.
  const { cores } = await measureCores(gateway, redis, undefined, () => take(count / 10));
  const between = await weigh();
  const rest = await measureCores(gateway, redis, undefined, () => take(count - count / 10));
  const after = await weigh();
  const generator = process.cpuUsage(generatorBefore);
  const sec = cores.sec + rest.cores.sec;
  const perWaiting = (bytes: number) => bytes / (count - count / 10);
  return {
    seen,
    tickets,
    figures: {
      failures,
      ...seen.figures(),
      counted_by_gateway: await counter(gateway, "usher_joins_total"),
      sec,
      per_second: count / sec,
      cores: { ...rest.cores, generator: (generator.user + generator.system) / 1e6 / sec },
      gateway_cpu_us_per_join: (rest.cores.gateway * rest.cores.sec * 1e6) / (count - count / 10),
      gateway_megabytes: [atStart, between, after].map(({ gatewayBytes }) => gatewayBytes / 1e6),
      redis_megabytes: [atStart, between, after].map(({ redisBytes }) => redisBytes / 1e6),
      redis_bytes_added: after.redisBytes - between.redisBytes,
      bytes_per_waiting_visitor: {
        gateway: perWaiting(after.gatewayBytes - between.gatewayBytes),
        redis: perWaiting(after.redisBytes - between.redisBytes),
      },
    },
  };
}
