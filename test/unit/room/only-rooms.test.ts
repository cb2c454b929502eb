import { expect, test } from "vitest";
import {
  createCheckpoints,
  createKeyRing,
  createTicketCodec,
  createWaitingRooms,
  onlyRooms,
} from "../../../src/room/index.ts";
import { createMemoryStore } from "../../../src/store/memory/index.ts";
import { createMovedClock } from "../../support/moved-clock.ts";
import { manualSettings } from "../../support/room-settings.ts";
import { createSeededRandom } from "../../support/seeded-random.ts";
import { tempDirOfTest } from "../../support/temp-dir-of-test.ts";

test("of all rooms only those named are found: by id, by visitor, in the list", () => {
  const clock = createMovedClock();
  const random = createSeededRandom("only-rooms");
  const all = createWaitingRooms({
    store: createMemoryStore({ clock, random }).rooms,
    rooms: ["a", "b", "c"].map((id) => ({ id, settings: manualSettings })),
    tickets: () => createTicketCodec(createKeyRing([{ kid: "key", secret: Buffer.alloc(32, 7) }])),
    checkpoints: createCheckpoints({
      directory: tempDirOfTest("rooms"),
      processName: "one",
      isNewInstallation: true,
      onFailure: () => {},
    }),
    clock,
    random,
  });
  const some = onlyRooms(all, (id) => ["c", "a", "nowhere"].includes(id));
  expect(some.all).toEqual([all.get("a"), all.get("c")]);
  expect(some.get("a")).toBe(all.get("a"));
  expect([some.get("b"), some.get("nowhere")]).toEqual([undefined, undefined]);
  const [inA, inB] = ["a", "b"].map((id) => all.get(id)?.visitorWithoutPlace().sub ?? "");
  expect(some.ofVisitor(inA ?? "")).toBe(all.get("a"));
  expect(all.ofVisitor(inB ?? "")).toBe(all.get("b"));
  expect(some.ofVisitor(inB ?? "")).toBeUndefined();
  expect(some.events).toBe(all.events);
});
