import { EventEmitter } from "node:events";
import { expect, test } from "vitest";
import type { RoomEvents } from "../../../../src/room/events.ts";
import type { Checkpoints } from "../../../../src/room/replica/checkpoints.ts";
import { RoomReplica } from "../../../../src/room/replica/room-replica.ts";
import { StateFeed } from "../../../../src/room/replica/state-feed.ts";
import { createMemoryStore } from "../../../../src/store/memory/index.ts";
import { okValue } from "../../../contract/room-driver.ts";
import { createMovedClock } from "../../../support/moved-clock.ts";
import { manualSettings } from "../../../support/room-settings.ts";
import { createSeededRandom } from "../../../support/seeded-random.ts";

const room = "tickets";
const noCheckpoints = { put: () => {}, flush: () => {} } as Partial<Checkpoints> as Checkpoints;

/** A room with one visitor inside, and a process that has heard nothing yet. */
async function createFeed() {
  const clock = createMovedClock();
  const { rooms } = createMemoryStore({ clock, random: createSeededRandom("feed") });
  const { incarnation } = await rooms.contribute({ room, fileSettings: manualSettings, memory: null, isNewRoom: true });
  const { edition, joinedMs } = okValue(await rooms.join(room, incarnation, 1));
  await rooms.adminStep(room, incarnation, { step: "increment", by: 1 }, null);
  const claim = {
    sub: "visitor",
    edition,
    position: 1,
    joinedMs,
    login: null,
    address: null,
    proof: null,
    bypass: null,
  };
  await rooms.claim(room, incarnation, claim);
  const events = new EventEmitter<RoomEvents>();
  const phases: string[] = [];
  events.on("room.phase_changed", ({ phase }) => phases.push(phase));
  const replica = new RoomReplica(noCheckpoints, room, room);
  const feed = new StateFeed(room, { replica, fileSettings: manualSettings, clock, events });
  const tick = async () => okValue(await rooms.tick(room, incarnation, feed.cursor));
  return { clock, rooms, incarnation, replica, feed, tick, phases };
}

test("an answer that a later one has overtaken changes nothing: no event, no age, no cursor, no admission", async () => {
  const { clock, rooms, incarnation, replica, feed, tick, phases } = await createFeed();
  feed.sync(await tick());
  await rooms.adminStep(room, incarnation, { step: "alarm", isSet: true }, null);
  clock.advance(500);
  const earlier = { ...(await tick()), more: true };
  await rooms.adminStep(room, incarnation, { step: "alarm", isSet: false }, null);
  await rooms.endAdmission(room, incarnation, "visitor", "completed");
  clock.advance(500);
  const later = await tick();
  expect(earlier.state.phase).toBe("paused");

  expect(feed.sync(later)).toBe(false);
  const { cursor, syncedMs } = feed;
  clock.advance(500);
  expect(feed.sync({ ...earlier, admissions: [{ ...knowledgeOf(replica), ended: null }] })).toBe(false);
  expect(phases).toEqual([]);
  expect([feed.cursor, feed.syncedMs]).toEqual([cursor, syncedMs]);
  expect(replica.state).toBe(later.state);
  expect(replica.admission("visitor")?.ended).toBe("completed");
});

test("a later answer is taken: its phase, its age, its cursor", async () => {
  const { clock, rooms, incarnation, feed, tick, phases } = await createFeed();
  feed.sync(await tick());
  const before = feed.syncedMs;
  await rooms.adminStep(room, incarnation, { step: "alarm", isSet: true }, null);
  clock.advance(500);
  const changes = { ...(await tick()), more: true };
  expect(feed.sync(changes)).toBe(true);
  expect(phases).toEqual(["paused"]);
  expect([feed.syncedMs, feed.cursor]).toEqual([before + 500, changes.cursor]);
});

function knowledgeOf(replica: RoomReplica) {
  const admission = replica.admission("visitor");
  if (admission === undefined) throw new Error("no admission");
  return admission;
}
