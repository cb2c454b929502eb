/** The stream of figures: computed once for all, told to those who may see it, bounded. */
import type { Readable } from "node:stream";
import { afterEach, beforeEach, describe, expect, it, vi } from "vitest";
import { createLiveFeed, type Watcher } from "../../../../src/http/admin/events/live-feed.ts";
import type { WaitingRoom } from "../../../../src/room/index.ts";

let asked = 0;
/** As a process knows it before it has asked the store: the figures themselves are the end-to-end test's. */
const room = (id: string) =>
  ({
    id,
    title: `Room ${id}`,
    availability: "away",
    get state() {
      asked++;
      return null;
    },
  }) as unknown as WaitingRoom;

const watcher = (changes: Partial<Watcher> = {}): Watcher => ({
  reader: "person ada",
  isFor: () => true,
  mayRead: () => true,
  ...changes,
});

function read(stream: Readable | null) {
  let text = "";
  let hasEnded = false;
  stream?.on("data", (chunk) => {
    text += String(chunk);
  });
  stream?.on("close", () => {
    hasEnded = true;
  });
  return {
    get frames(): { at: string; rooms: { room: string; age_ms: number | null }[] }[] {
      return [...text.matchAll(/^event: figures\ndata: (.*)\n\n/gm)].map(([, json = ""]) => JSON.parse(json));
    },
    get hasEnded() {
      return hasEnded;
    },
  };
}

const create = (ids = ["one", "two"]) => {
  const rooms = ids.map(room);
  return createLiveFeed({ rooms: { all: rooms }, clock: { now: () => 1_000 }, fourEyes: { pendingIn: () => [] } });
};

beforeEach(() => {
  vi.useFakeTimers({ toFake: ["setInterval", "clearInterval"] });
  asked = 0;
});
afterEach(() => {
  vi.useRealTimers();
});

const turn = () => new Promise((resolve) => setImmediate(resolve));
async function seconds(count: number): Promise<void> {
  for (let second = 0; second < count; second++) {
    vi.advanceTimersByTime(1_000);
    await turn();
  }
}

describe("the stream of figures", () => {
  it("tells each second what its reader may see, and at once when it is opened", async () => {
    const feed = create();
    const all = read(feed.open(watcher()));
    const some = read(feed.open(watcher({ isFor: (id) => id === "two" })));
    await turn();
    await seconds(2);
    expect(all.frames.map(({ rooms }) => rooms.map((each) => each.room))).toEqual(Array(3).fill(["one", "two"]));
    expect(some.frames.map(({ rooms }) => rooms.map((each) => each.room))).toEqual(Array(3).fill(["two"]));
    expect(all.frames[0]).toMatchObject({ at: "1970-01-01T00:00:01.000Z", rooms: [{ age_ms: null }, {}] });
  });

  it("is computed once a second however many watch, and not at all while nobody does", async () => {
    const feed = create();
    await seconds(3);
    expect(asked).toBe(0);
    const streams = Array.from({ length: 10 }, () => feed.open(watcher()));
    for (const stream of streams) read(stream);
    await turn();
    asked = 0;
    await seconds(1);
    // Of each of the two rooms.
    expect(asked).toBe(2 * 1);
    for (const stream of streams) stream?.destroy();
    await turn();
    asked = 0;
    await seconds(5);
    expect([asked, feed.count]).toEqual([0, 0]);
  });

  it("ends within a second for one who may read no more, and for all when the process stops", async () => {
    const feed = create();
    let mayRead = true;
    const revoked = read(feed.open(watcher({ mayRead: () => mayRead })));
    const other = read(feed.open(watcher()));
    await turn();
    await seconds(1);
    mayRead = false;
    await seconds(1);
    expect([revoked.hasEnded, other.hasEnded]).toEqual([true, false]);
    expect(revoked.frames).toHaveLength(2);
    feed.close();
    await turn();
    expect([other.hasEnded, feed.count, feed.open(watcher())]).toEqual([true, 0, null]);
  });

  it("is open so often for one, and for all", () => {
    const feed = create();
    const open = (reader: string) => feed.open(watcher({ reader }));
    expect(Array.from({ length: 21 }, () => open("ada") !== null).filter(Boolean)).toHaveLength(20);
    for (const reader of ["b", "c", "d", "e"]) for (let n = 0; n < 20; n++) expect(open(reader)).not.toBeNull();
    expect([open("f"), feed.count]).toEqual([null, 100]);
  });

  it("ends for one who may read no more, and for all when the process stops, though they do not read", async () => {
    const feed = create();
    let mayRead = true;
    const revoked = feed.open(watcher({ mayRead: () => mayRead }));
    // As a connection that takes no more does.
    const held = feed.open(watcher({ mayRead: () => mayRead }));
    read(held);
    held?.pause();
    const other = feed.open(watcher());
    await turn();
    mayRead = false;
    await seconds(1);
    expect([revoked?.destroyed, held?.destroyed, other?.destroyed, feed.count]).toEqual([true, true, false, 1]);
    feed.close();
    await turn();
    expect([other?.destroyed, feed.count]).toEqual([true, 0]);
  });

  it("leaves news out for a reader that does not read, keeps no pile of them, and gives it up", async () => {
    const feed = create();
    const stream = feed.open(watcher());
    const unread = stream?.readableLength ?? 0;
    await seconds(30);
    expect(stream?.readableLength).toBe(unread);
    await seconds(2);
    expect([stream?.destroyed, feed.count]).toEqual([true, 0]);
  });
});
