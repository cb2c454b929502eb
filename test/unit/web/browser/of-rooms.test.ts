/** What pages remember of rooms in one item: of the 20 that were seen last, whatever else stood there. */
import { expect, test } from "vitest";
import { rememberOf, roomsMax } from "../../../../src/web/browser/of-rooms.ts";

function openStorage(before?: string) {
  const items = new Map<string, string>();
  if (before !== undefined) items.set("key", before);
  const storage = {
    getItem: (key: string) => items.get(key) ?? null,
    setItem: (key: string, value: string) => void items.set(key, value),
  } as Storage;
  return {
    items,
    remember: (room: string, next: (known: unknown) => unknown) => rememberOf(storage, "key", room, next),
  };
}

test("a room finds what was remembered of it, and the one that was seen longest ago goes first", () => {
  const { items, remember } = openStorage();
  for (let room = 0; room < roomsMax; room++) remember(`room-${room}`, () => room);
  expect(remember("room-0", (known) => known)).toBe(0);
  for (let room = 0; room < roomsMax - 1; room++) remember(`later-${room}`, () => room);
  expect(remember("room-0", (known) => known)).toBe(0);
  expect(remember("room-1", (known) => known ?? "none")).toBe("none");
  expect([items.size, JSON.parse(items.get("key") ?? "").length]).toEqual([1, roomsMax]);
});

test.each(["", "{}", "null", "7", '"ab"', "[null]", "[[]]", "[7]", "[["])(
  "what others left there, such as %j, is nothing",
  (junk) => {
    const { remember } = openStorage(junk);
    expect(remember("room", (known) => known ?? "none")).toBe("none");
    expect(remember("room", (known) => known)).toBe("none");
  },
);
