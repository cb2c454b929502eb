/** Sites that refuse the tokens of a room, as all processes have counted them: in the console, in `GET /admin/health` and in alerts. */
import { z } from "zod";
import { timeOrNone, timeOrNull } from "../../operate/admin-api/bodies.ts";
import { featureHealth } from "../../operate/feature.ts";
import { type Attention, seconds, warning } from "../../operate/health/attention/attention.ts";
import { faults, type HomeCounts } from "./metrics.ts";

/** Rooms with ways to come and to be let in, and reasons. */
const countsMax = 1_000;
/** For so long after the last one this is shown as not well. */
const shownMs = 900_000;

const counted = z.object({
  room: z.string().max(64),
  what: z.string().max(32),
  is_fault: z.boolean(),
  count: z.number(),
  last_ms: z.number(),
});
/** What a process reports of its visitors. */
const self = z.array(counted).max(countsMax).catch([]);
type Self = z.output<typeof self>;

/** What does not mend itself, and what to do. A token that is over is none: a visitor may have left the site's tab asleep. */
const meanings: Readonly<Record<string, string>> = {
  hash: "its connector has another secret key than homes.queue_it.secret_key",
  eventid: "its connector expects another id than homes.queue_it.rooms has for the room",
  loop: "it sends the same visitors back again and again: it keeps no cookie, or its clock is wrong",
};

export function describeCounts({ all }: Pick<HomeCounts, "all">): Self {
  return all.slice(0, countsMax).map(({ what, room, count, lastMs }) => {
    return { room, what, is_fault: faults.has(what), count, last_ms: lastMs };
  });
}

const roomAnswer = z
  .object({ room: z.string(), sent: z.int(), handed_over: z.int(), refused: z.int(), refused_at: timeOrNone })
  .meta({ id: "HealthQueueItRoom" });

export const queueItHealth = featureHealth({
  self,
  attention(selves, nowMs): Attention[] {
    const recent = selves.flat().filter(({ last_ms }) => nowMs - last_ms < shownMs);
    return roomsOf(recent).flatMap((room) =>
      Object.entries(meanings).flatMap(([what, meaning]): Attention[] => {
        const times = recent.filter((each) => each.room === room && each.what === what).map(({ last_ms }) => last_ms);
        if (times.length === 0) return [];
        const text = `A site refused the token of a visitor of ${room} ${seconds(nowMs - Math.max(...times))} ago (${what}): ${meaning}.`;
        return [warning({ code: "queue_it_refused", about: room, room, text })];
      }),
    );
  },
  member: "queue_it",
  answer: z.array(roomAnswer),
  answerOf: (selves) =>
    roomsOf(selves.flat()).map((room) => {
      const ofRoom = selves.flat().filter((each) => each.room === room);
      const refused = ofRoom.filter(({ is_fault }) => is_fault);
      const sent = ofRoom.filter(({ what }) => what === "sent");
      const sum = (some: typeof ofRoom) => some.reduce((total, { count }) => total + count, 0);
      return {
        room,
        sent: sum(sent),
        handed_over: sum(ofRoom) - sum(sent) - sum(refused),
        refused: sum(refused),
        refused_at: timeOrNull(refused.length === 0 ? null : Math.max(...refused.map(({ last_ms }) => last_ms))),
      };
    }),
});

function roomsOf(counts: Self): string[] {
  return [...new Set(counts.map(({ room }) => room))].sort();
}
