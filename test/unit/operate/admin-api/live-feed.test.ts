/** The stream of figures: computed once for all, told to those who may see it, bounded. */
import type { Readable } from "node:stream";
import { afterEach, beforeEach, describe, expect, it, vi } from "vitest";
import { createCompany, type SayWatchers } from "../../../../src/operate/admin-api/events/company.ts";
import { createLiveFeed, type Watcher } from "../../../../src/operate/admin-api/events/live-feed.ts";
import type { WaitingRoom } from "../../../../src/room/index.ts";

let asked = 0;
/** As a process knows it before it has asked the store: the figures themselves are the end-to-end test's. */
const room = (id: string) =>
  ({
    id,
    get title() {
      asked++;
      return `Room ${id}`;
    },
    availability: "away",
    state: null,
  }) as unknown as WaitingRoom;

const watcher = (changes: Partial<Watcher> = {}): Watcher => ({
  reader: "person ada",
  inRoom: null,
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
    get text() {
      return text;
    },
    get hasEnded() {
      return hasEnded;
    },
  };
}

const create = (say: SayWatchers = async () => []) => {
  const rooms = ["one", "two"].map(room);
  const company = createCompany(say);
  return createLiveFeed({
    rooms: { all: rooms },
    clock: { now: () => 1_000 },
    fourEyes: { pendingIn: () => [] },
    company,
  });
};
const inRoom = (name: string, room = "one") =>
  watcher({
    reader: `person ${name}`,
    inRoom: { room, reader: `person ${name}`, kind: "person", name, role: "viewer" },
  });
/** The names of the others, each time that they were told. */
const toldOf = (told: { text: string }) =>
  [...told.text.matchAll(/^event: company\ndata: (.*)\n\n/gm)].map(([, json = ""]) =>
    (JSON.parse(json) as { people: { name: string }[] }).people.map(({ name }) => name),
  );

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

describe("who else has a room open", () => {
  it("is told to those who have it open, and told again when it changes", async () => {
    const feed = create();
    const ada = read(feed.open(inRoom("ada")));
    const twice = feed.open(inRoom("bob"));
    for (const stream of [twice, feed.open(inRoom("bob")), feed.open(inRoom("cy", "two"))]) read(stream);
    const none = read(feed.open(watcher({ reader: "person dee" })));
    await turn();
    await seconds(3);
    expect(toldOf(ada)).toEqual([[], ["bob"]]);
    twice?.destroy();
    await seconds(2);
    expect(toldOf(ada)).toEqual([[], ["bob"]]);
    expect(none.text).not.toContain("company");
  });

  it("asks the store once in four seconds for all, and never while nobody has a room open", async () => {
    const asked: string[] = [];
    const feed = create(async (text) => {
      asked.push(text);
      return [];
    });
    read(feed.open(watcher()));
    await seconds(9);
    expect(asked).toEqual([]);
    const streams = Array.from({ length: 10 }, (_, n) => feed.open(inRoom(`n${n}`)));
    for (const stream of streams) read(stream);
    await seconds(8);
    expect(asked).toHaveLength(2);
    for (const stream of streams) stream?.destroy();
    await seconds(20);
    // That nobody is here any more.
    expect(asked.slice(2)).toEqual([""]);
  });

  it("is no longer known where the store stays away, and comes from builds that this one can read alone", async () => {
    let texts: string[] | null = [
      JSON.stringify([{ room: "one", reader: "key ops", kind: "key", name: "ops", role: "admin" }]),
      '{"format":2}',
      "{",
    ];
    const feed = create(async () => {
      if (texts === null) throw new Error("away");
      return texts;
    });
    const ada = read(feed.open(inRoom("ada")));
    await turn();
    await seconds(1);
    expect(toldOf(ada)).toEqual([[], ["ops"]]);
    texts = null;
    await seconds(9);
    expect(toldOf(ada)).toHaveLength(2);
    await seconds(5);
    expect(toldOf(ada)).toEqual([[], ["ops"], []]);
  });
});
