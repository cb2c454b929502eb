/** Steps that wait for a second person: how long, how many, and that each is taken once. */
import { join } from "node:path";
import { afterEach, beforeEach, expect, it } from "vitest";
import { systemRandom } from "../../../src/lib/clock-and-random.ts";
import { type Approvals, approvalsName, createApprovals, createRegistryFile } from "../../../src/registry/index.ts";
import type { SharedDocuments } from "../../../src/store/contract/room-store.ts";
import { createMemoryStore } from "../../../src/store/memory/index.ts";
import { createMovedClock, type MovedClock } from "../../support/moved-clock.ts";
import { makeTempDir, type TempDir } from "../../support/temp-dir.ts";

let folder: TempDir;
let clock: MovedClock;
let documents: SharedDocuments;
let copies = 0;
const withoutRight = new Set<string>();

beforeEach(async () => {
  folder = await makeTempDir("approvals");
  clock = createMovedClock();
  documents = createMemoryStore({ clock, random: systemRandom }).documents;
});
afterEach(() => {
  withoutRight.clear();
  return folder.remove();
});

/** A process that shares the store with the others. */
const open = (): Approvals =>
  createApprovals({
    documents,
    file: createRegistryFile(join(folder.path, `${copies++}.json`), approvalsName),
    clock,
    random: systemRandom,
    isRightful: ({ asked_by: { id } }) => !withoutRight.has(id),
    report: () => undefined,
  });
const by = (name: string) =>
  ({ kind: "person", id: `person:${name}`, name, identity: `person:${name}`, author: `person:${name}` }) as const;
const asked = { room: "shop", step: "end", edition: 1, basePhase: "open", phaseSinceMs: 5, by: by("ada") } as const;

it("is taken once, of any number of calls at once at all processes", async () => {
  const all = [open(), open(), open()];
  const { id } = await open().ask(asked);
  const taken = await Promise.allSettled(all.flatMap((each) => [each.take("shop", id), each.take("shop", id)]));
  expect(taken.filter(({ status }) => status === "fulfilled")).toHaveLength(1);
  for (const each of taken) if (each.status === "rejected") expect(each.reason).toMatchObject({ code: "not_found" });
});

it("waits ten minutes, in its own room", async () => {
  const approvals = open();
  const { id } = await approvals.ask(asked);
  expect(() => approvals.find("bar", id)).toThrow(/no such step/);
  await expect(approvals.take("bar", id)).rejects.toMatchObject({ code: "not_found" });
  clock.advance(10 * 60_000 - 1);
  expect(approvals.find("shop", id)).toMatchObject({ id, step: "end" });
  clock.advance(1);
  expect(approvals.pendingIn("shop")).toEqual([]);
  expect(() => approvals.find("shop", id)).toThrow(/no such step/);
  await expect(approvals.take("shop", id)).rejects.toMatchObject({ code: "not_found" });
});

it("is one of a kind in a room: the same person gets it again, another is told of it, another state replaces it", async () => {
  const approvals = open();
  const first = await approvals.ask(asked);
  clock.advance(60_000);
  expect(await approvals.ask(asked)).toEqual(first);
  await expect(approvals.ask({ ...asked, by: by("bob") })).rejects.toThrow(/ada has asked for the same/);
  const anew = await approvals.ask({ ...asked, edition: 2, by: by("bob") });
  expect(approvals.pendingIn("shop")).toEqual([anew]);
  await approvals.ask({ ...asked, step: "reset" });
  expect(approvals.pendingIn("shop").map(({ step }) => step)).toEqual(["end", "reset"]);
});

it("ends with the right of who asked: nobody sees, approves or withdraws it, and another may ask", async () => {
  const approvals = open();
  const { id } = await approvals.ask(asked);
  withoutRight.add("person:ada");
  expect(approvals.pendingIn("shop")).toEqual([]);
  expect(() => approvals.find("shop", id)).toThrow(/no such step/);
  await expect(approvals.take("shop", id)).rejects.toMatchObject({ code: "not_found" });
  await approvals.ask({ ...asked, by: by("bob") });
  // What has ended does not come back with the right.
  withoutRight.clear();
  expect(() => approvals.find("shop", id)).toThrow(/no such step/);
});

it("is for the room as it was: a phase that has come back is another one", async () => {
  const approvals = open();
  const first = await approvals.ask(asked);
  const again = await approvals.ask({ ...asked, phaseSinceMs: 6, by: by("bob") });
  expect(again.id).not.toBe(first.id);
  expect(approvals.pendingIn("shop")).toEqual([again]);
});

it("is bounded in number", async () => {
  const approvals = open();
  for (let room = 0; room < 300; room++) await approvals.ask({ ...asked, room: `room-${room}` });
  await expect(approvals.ask(asked)).rejects.toMatchObject({ code: "conflict" });
  clock.advance(10 * 60_000);
  expect(await approvals.ask(asked)).toMatchObject({ room: "shop" });
});

it("a step that a gateway of 0.2.0 has left is over, and hinders nothing", async () => {
  const pending = {
    room: "shop",
    step: "end",
    edition: 1,
    base_phase: "open",
    asked_by: { kind: "person", id: "person:ada", name: "ada", author: "person:ada" },
    asked_ms: clock.now() - 1_000,
    expires_ms: clock.now() + 600_000,
  };
  await documents.replace(approvalsName, JSON.stringify({ format: 1, pending: { old: pending } }), 0);
  const approvals = open();
  await approvals.registry.refresh();
  expect(approvals.registry.fault).toBeNull();
  const { id } = await approvals.ask({ ...asked, by: by("bea") });
  await approvals.take("shop", id);
});
