/** What operators tell the public of what is wrong: how far it has come, how long it is kept, and how much there may be. */
import { join } from "node:path";
import { afterEach, beforeEach, expect, it } from "vitest";
import { createIncidents, type Incidents, incidentsName } from "../../../../src/features/status-page/incidents.ts";
import { INCIDENT_BOUNDS } from "../../../../src/features/status-page/incidents-content.ts";
import { systemRandom } from "../../../../src/lib/clock-and-random.ts";
import { createRegistryFile } from "../../../../src/registry/index.ts";
import type { SharedDocuments } from "../../../../src/store/contract/room-store.ts";
import { createMemoryStore } from "../../../../src/store/memory/index.ts";
import { createMovedClock, type MovedClock } from "../../../support/moved-clock.ts";
import { makeTempDir, type TempDir } from "../../../support/temp-dir.ts";

let folder: TempDir;
let clock: MovedClock;
let documents: SharedDocuments;
let copies = 0;
const dayMs = 24 * 3_600_000;

beforeEach(async () => {
  folder = await makeTempDir("incidents");
  clock = createMovedClock();
  documents = createMemoryStore({ clock, random: systemRandom }).documents;
});
afterEach(() => folder.remove());

/** A process that shares the store with the others. */
const start = (file = `${copies++}.json`, store = documents): Incidents =>
  createIncidents({
    documents: store,
    file: createRegistryFile(join(folder.path, file), incidentsName),
    clock,
    random: systemRandom,
    report: () => undefined,
  });
const slow = { title: "Payments are slow", language: "en", rooms: ["tickets"] } as const;
const first = { state: "investigating", text: "We are looking into it." } as const;

it("has the state of its last update, and is resolved since the first that said so", async () => {
  const incidents = start();
  const openedMs = clock.now();
  const id = await incidents.open({ ...slow, ...first });
  clock.advance(60_000);
  await incidents.update(id, { text: "Still slow." });
  expect(incidents.find(id)).toMatchObject({ ...slow, state: "investigating", openedMs, resolvedMs: null });
  clock.advance(60_000);
  await incidents.update(id, { state: "resolved", text: "Quick again." });
  clock.advance(60_000);
  await incidents.update(id, { text: "It was the bank." });
  expect(incidents.find(id)).toMatchObject({ state: "resolved", resolvedMs: openedMs + 120_000 });
  await incidents.update(id, { state: "monitoring", text: "Slow once more." });
  expect(incidents.find(id)).toMatchObject({ state: "monitoring", resolvedMs: null });
  expect(incidents.find(id).updates.map(({ text }) => text)).toEqual([
    "We are looking into it.",
    "Still slow.",
    "Quick again.",
    "It was the bank.",
    "Slow once more.",
  ]);
});

it("lists what goes on first, then what is resolved, the latest first", async () => {
  const incidents = start();
  const ids: string[] = [];
  for (const title of ["a", "b", "c", "d"]) {
    ids.push(await incidents.open({ ...slow, title, ...first }));
    clock.advance(1_000);
  }
  for (const id of [ids[3], ids[0]]) {
    await incidents.update(id ?? "", { state: "resolved", text: "Over." });
    clock.advance(1_000);
  }
  expect(incidents.all.map(({ title }) => title)).toEqual(["c", "b", "a", "d"]);
});

it("is kept for fourteen days from its last update once it is resolved, and while it goes on for good", async () => {
  const incidents = start();
  const over = await incidents.open({ ...slow, ...first });
  const open = await incidents.open({ ...slow, ...first });
  await incidents.update(over, { state: "resolved", text: "Quick again." });
  clock.advance(13 * dayMs);
  await incidents.update(over, { text: "It was the bank." });
  clock.advance(14 * dayMs - 1);
  expect(incidents.all.map(({ id }) => id)).toEqual([open, over]);
  clock.advance(1);
  expect(incidents.all.map(({ id }) => id)).toEqual([open]);
  expect(() => incidents.find(over)).toThrow(/no incident/);
  await expect(incidents.update(over, { text: "More." })).rejects.toMatchObject({ code: "not_found" });
  // The next change forgets it, which is no news.
  await incidents.update(open, { text: "Still slow." });
  expect(Object.keys(incidents.registry.content.incidents)).toEqual([open]);
  const told = incidents.registry.content.changes?.map(({ id, what }) => [id, what]);
  expect(told?.slice(-2)).toEqual([
    [over, "resolved"],
    [open, "updated"],
  ]);
});

it("notes what was opened, updated, resolved and deleted, with what is published", async () => {
  const incidents = start();
  const id = await incidents.open({ ...slow, ...first });
  await incidents.update(id, { state: "identified", text: "It is the bank." });
  await incidents.update(id, { state: "resolved", text: "Quick again." });
  await incidents.remove(id);
  const { title } = slow;
  expect(incidents.registry.content.changes).toMatchObject([
    { kind: "incident", id, what: "opened", title, incident_state: "investigating" },
    { what: "updated", title, incident_state: "identified" },
    { what: "resolved", title, incident_state: "resolved" },
    { what: "deleted" },
  ]);
});

it("is the same at another process, and after a loss of the store by the copy of this machine", async () => {
  const [one, two] = [start("one.json"), start()];
  const id = await one.open({ ...slow, ...first });
  await two.registry.refresh();
  expect(two.find(id)).toEqual(one.find(id));
  const empty = createMemoryStore({ clock, random: systemRandom }).documents;
  const again = start("one.json", empty);
  expect(again.find(id)).toEqual(one.find(id));
  await again.registry.refresh();
  const other = start("other.json", empty);
  await other.registry.refresh();
  expect(other.find(id)).toEqual(one.find(id));
});

it("two processes that change the same incident at once lose neither's words", async () => {
  const all = [start(), start(), start()];
  const id = (await all[0]?.open({ ...slow, ...first })) ?? "";
  await Promise.all(all.map((each, index) => each.update(id, { text: `from ${index}` })));
  const [reader] = all;
  await reader?.registry.refresh();
  expect(new Set(reader?.find(id).updates.map(({ text }) => text))).toEqual(
    new Set([first.text, "from 0", "from 1", "from 2"]),
  );
});

it("there are fifty at most, with fifty updates, and not too much in all; others are refused and change nothing", async () => {
  const incidents = start();
  const { incidentsMax, updatesMax, textMax } = INCIDENT_BOUNDS;
  const ids: string[] = [];
  for (let count = 0; count < incidentsMax; count++) ids.push(await incidents.open({ ...slow, ...first }));
  await expect(incidents.open({ ...slow, ...first })).rejects.toMatchObject({ code: "conflict" });
  const [one = ""] = ids;
  for (let count = 1; count < updatesMax; count++) await incidents.update(one, { text: "Still." });
  await expect(incidents.update(one, { text: "Still." })).rejects.toMatchObject({ code: "conflict" });
  const long = "é".repeat(textMax);
  const fill = async () => {
    for (const id of ids.slice(1)) await incidents.update(id, { text: long });
  };
  await expect(async () => {
    for (let round = 0; round < 3; round++) await fill();
  }).rejects.toMatchObject({ code: "conflict", message: expect.stringContaining("256 KiB") });
  expect(Buffer.byteLength(JSON.stringify(incidents.registry.content.incidents))).toBeLessThanOrEqual(
    INCIDENT_BOUNDS.bytesMax,
  );
  await incidents.remove(ids[1] ?? "");
  expect(await incidents.open({ ...slow, ...first })).toMatch(/^[0-9a-f]{12}$/);
});
