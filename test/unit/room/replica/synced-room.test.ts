import { EventEmitter } from "node:events";
import { expect, test } from "vitest";
import type { RoomEvents } from "../../../../src/room/events.ts";
import type { Checkpoints } from "../../../../src/room/replica/checkpoints/checkpoints.ts";
import { SyncedRoom } from "../../../../src/room/replica/synced-room.ts";
import type { Outcome, RoomChanges, RoomStore } from "../../../../src/store/contract/room-store.ts";
import { createMemoryStore } from "../../../../src/store/memory/index.ts";
import { okValue } from "../../../contract/room-driver.ts";
import { createMovedClock } from "../../../support/moved-clock.ts";
import { manualSettings } from "../../../support/room-settings.ts";
import { createSeededRandom } from "../../../support/seeded-random.ts";

const room = "tickets";
const noCheckpoints = { put: () => {}, flush: () => {}, recall: () => [], lastSeen: () => null };

/** A room with one visitor inside, and a process that has synced it once. */
async function createSynced() {
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
  await rooms.claim(room, incarnation, [claim]);
  const events = new EventEmitter<RoomEvents>();
  const phases: string[] = [];
  events.on("room.phase_changed", ({ phase }) => phases.push(phase));
  /** Where the process has asked for changes from, and the answers that it gets in place of the store's. */
  const asked: number[] = [];
  const answers: RoomChanges[] = [];
  const tick: RoomStore["tick"] = async (id, known, cursor): Promise<Outcome<RoomChanges>> => {
    asked.push(cursor);
    const value = answers.shift();
    return value === undefined ? rooms.tick(id, known, cursor) : { result: "ok", value };
  };
  const synced = new SyncedRoom({
    id: room,
    name: room,
    fileSettings: manualSettings,
    isNewRoom: false,
    clock,
    events,
    store: { ...rooms, tick },
    checkpoints: noCheckpoints as Partial<Checkpoints> as Checkpoints,
  });
  await synced.refresh();
  asked.length = 0;
  const cursor = okValue(await rooms.tick(room, incarnation, 0)).cursor;
  return {
    clock,
    rooms,
    incarnation,
    synced,
    asked,
    answers,
    phases,
    next: () => rooms.tick(room, incarnation, cursor),
  };
}

test("an answer that a later one has overtaken changes nothing: no event, no age, no cursor, no admission", async () => {
  const { clock, rooms, incarnation, synced, asked, answers, phases, next } = await createSynced();
  await rooms.adminStep(room, incarnation, { step: "alarm", isSet: true }, null);
  clock.advance(500);
  const earlier = { ...okValue(await next()), more: true };
  await rooms.adminStep(room, incarnation, { step: "alarm", isSet: false }, null);
  await rooms.endAdmission(room, incarnation, "visitor", "completed");
  clock.advance(500);
  const later = okValue(await next());
  expect(earlier.state.phase).toBe("paused");

  answers.push(later);
  await synced.refresh();
  const { refreshedMs } = synced;
  clock.advance(500);
  const admission = synced.replica.admission("visitor");
  if (admission === undefined) throw new Error("no admission");
  answers.push({ ...earlier, admissions: [{ ...admission, ended: null }] });
  await synced.refresh();
  expect(asked).toHaveLength(2);
  expect(phases).toEqual([]);
  expect(synced.refreshedMs).toBe(refreshedMs);
  expect(synced.state).toBe(later.state);
  expect(synced.replica.admission("visitor")?.ended).toBe("completed");
  await synced.refresh();
  expect(asked[2]).toBe(later.cursor);
});

test("a later answer is taken: its phase, its age, its cursor", async () => {
  const { clock, rooms, incarnation, synced, asked, answers, phases, next } = await createSynced();
  const before = synced.refreshedMs;
  await rooms.adminStep(room, incarnation, { step: "alarm", isSet: true }, null);
  clock.advance(500);
  const changes = { ...okValue(await next()), more: true };
  answers.push(changes);
  await synced.refresh();
  expect(phases).toEqual(["paused"]);
  expect(asked).toEqual([asked[0], changes.cursor]);
  expect(synced.refreshedMs).toBe(before + 500);
});
