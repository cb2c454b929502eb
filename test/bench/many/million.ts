import { joinAll } from "./join-all.ts";
import { pollAsPages } from "./poll-as-pages.ts";
import { openRoom } from "./room.ts";
import { wipeAndLetIn } from "./wipe-and-let-in.ts";

/** What Redis takes with the seconds, however many wait: rows of statistics, buffers of connections. */
const redisBytesOfTime = 250_000;

/** So many wait in one room: they join, their pages ask, the store is emptied, all are let in. */
export async function measureMillion(count: number) {
  const room = await openRoom();
  try {
    const { figures: joins, ...crowd } = await joinAll(room, count);
    process.stderr.write(`${JSON.stringify({ joins })}\n`);
    const polls = await pollAsPages(room, count);
    process.stderr.write(`${JSON.stringify({ polls })}\n`);
    const wipe = await wipeAndLetIn(room, count, crowd);
    const isOnePerSecond = ({ varnish, nginx }: typeof polls) =>
      [varnish, nginx].every((cache) => cache.reached_gateway_per_second < 2 && cache.failures === 0);
    return {
      figures: { joins, polls, wipe },
      goals: {
        "every position once, in order, counted alike": [
          joins.failures === 0,
          joins.count === count && joins.highest === count && joins.counted_by_gateway === count,
          joins.repeated === 0 && joins.out_of_order === 0,
        ].every(Boolean),
        "no byte of Redis for one who waits": joins.redis_bytes_added < redisBytesOfTime,
        "a cache asks once a second": isOnePerSecond(polls),
        "recovered in 5 s": wipe.recovered_sec < 5,
        "nobody loses the place, enters early or is kept out": Object.values(wipe.wrong).every((each) => each === 0),
        "every page that asks meanwhile is answered": wipe.polls.failures === 0,
        "the line never goes back": wipe.status.went_back === 0,
      },
    };
  } finally {
    await room.close();
  }
}
