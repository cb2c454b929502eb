import { expect, it } from "vitest";
import { refusalReasons } from "../../../src/core/ports/statistics-ring.ts";
import type { EventText, RoomEvent, RoomMemory } from "../../../src/store/contract/room-store.ts";
import type { RoomTest } from "../room-context.ts";
import { minute, okValue, type Place, type RoomDriver } from "../room-driver.ts";

const holder = { webhook: "hook", holder: "one", from: 0, limit: 10 };

/** What is told of a room, and how it is handed to webhooks. */
export const events: RoomTest = (context) => {
  const told = async (room: RoomDriver, after = 0): Promise<readonly RoomEvent[]> =>
    (await room.store.events.read(room.room, after, 1_000)).events;
  const kinds = async (room: RoomDriver) => (await told(room)).map(({ kind }) => kind);
  const last = async (room: RoomDriver) => (await told(room)).at(-1);
  /** Rows as a process takes them with the state. */
  const rows = async (room: RoomDriver, after = -1): Promise<readonly EventText[]> =>
    okValue(await room.rooms.tick(room.room, room.incarnation, 0, after)).events;
  const remembered = async (room: RoomDriver): Promise<RoomMemory> => {
    const { state } = await room.tick();
    return room.memory({ events: { ...state.events, rows: await rows(room) } });
  };
  const ids = (all: readonly RoomEvent[]) => all.map(({ id }) => id);

  it("tells the phase that a new room begins in, and each one after it, with its reason", async () => {
    const room = await context.room().open();
    const { edition } = await room.state();
    await room.step({ step: "pause" });
    await room.step({ step: "resume" });
    await room.phase("ended");
    const all = await told(room);
    expect(all.map(({ seq: _, id: __, atMs: ___, ...event }) => event)).toEqual([
      { kind: "phase", edition, phase: "open", reason: null, before: null },
      { kind: "hold", hold: "operator", isSet: true },
      { kind: "phase", edition, phase: "paused", reason: "operator", before: { phase: "open", reason: null } },
      { kind: "hold", hold: "operator", isSet: false },
      { kind: "phase", edition, phase: "open", reason: null, before: { phase: "paused", reason: "operator" } },
      { kind: "phase", edition, phase: "ended", reason: null, before: { phase: "open", reason: null } },
    ]);
    expect(new Set(ids(all)).size).toBe(all.length);
    expect(all.map(({ seq }) => seq)).toEqual(all.map(({ seq }) => seq).toSorted((a, b) => a - b));
    expect(all[0]?.atMs).toBe(context.harness.nowMs());
  });

  it("tells nothing of what changes nothing, however many processes tick", async () => {
    const room = await context.room().open();
    const other = await context.harness.second();
    await room.step({ step: "pause" });
    const before = await kinds(room);
    await room.step({ step: "pause" });
    await room.change({});
    await Promise.all(
      Array.from({ length: 6 }, (_, index) =>
        (index % 2 ? room.store : other).rooms.tick(room.room, room.incarnation, 0, 0),
      ),
    );
    expect((await kinds(room)).filter((kind) => kind !== "settings")).toEqual(before);
  });

  it("tells what the schedule does, without an operator, once", async () => {
    const opensAtMs = context.harness.nowMs() + minute;
    const room = await context.room({ schedule: { opensAtMs } }).open();
    expect(await last(room)).toMatchObject({ kind: "phase", phase: "idle", before: null });
    await room.pass(minute);
    await room.pass(2_000);
    const phases = (await told(room)).filter(({ kind }) => kind === "phase");
    expect(phases).toMatchObject([{ phase: "idle" }, { phase: "open", before: { phase: "idle" } }]);
    const lateMs = (phases[1]?.atMs ?? 0) - opensAtMs;
    expect(lateMs).toBeGreaterThanOrEqual(0);
    expect(lateMs).toBeLessThan(1_000);
  });

  it("tells holds of health within a tick", async () => {
    const room = await context.room({ gate: { url: "x", unhealthyAfter: 2, healthyAfter: 1 } as never }).open();
    await room.report(false, 2);
    await room.tick();
    expect((await told(room)).slice(1)).toMatchObject([
      { kind: "hold", hold: "unhealthy", isSet: true },
      { kind: "phase", phase: "paused", reason: "unhealthy" },
    ]);
  });

  it("tells settings as they were and are, and that a room is sold out", async () => {
    const room = await context.room().open();
    await room.change({ message: { severity: "sold_out", texts: [{ language: null, text: "Aus: vorbei" }] } });
    await room.change({ inlet: { outflowPerMinute: 60 } });
    const [, first, soldOut, held, second, over, open] = await told(room);
    expect(first).toMatchObject({ kind: "settings" });
    expect(soldOut).toMatchObject({ kind: "sold_out", isSoldOut: true, hasReturns: true });
    expect(held).toMatchObject({ kind: "phase", phase: "paused", reason: "sold_out" });
    expect(over).toMatchObject({ kind: "sold_out", isSoldOut: false });
    expect(open).toMatchObject({ kind: "phase", phase: "open", before: { reason: "sold_out" } });
    if (second?.kind !== "settings") throw new Error("no settings were told");
    expect(JSON.parse(second.before).message.texts[0].text).toBe("Aus: vorbei");
    expect(JSON.parse(second.after).inlet.outflowPerMinute).toBe(60);
    expect(second.version).toBe((await room.state()).version);
  });

  it("tells that a room is full once, and that it is so no more", async () => {
    const room = await context.room({ maxWaiting: 2 }).open();
    await room.join(2);
    await room.join(2);
    await room.join(1);
    await room.tick();
    await room.tick();
    const full = async () => (await told(room)).filter(({ kind }) => kind === "full");
    expect(await full()).toMatchObject([{ isFull: true }]);
    await room.serve(1);
    await room.tick();
    expect(await full()).toMatchObject([{ isFull: true }, { isFull: false }]);
  });

  it("tells when many are refused a place in a minute, of all processes together, and when few are again", async () => {
    const room = await context.room().open();
    const refused = (rate: number, entries: number, network: number) => {
      const counts = refusalReasons.map(() => 0);
      counts[refusalReasons.indexOf("too_many_from_address")] = rate;
      counts[refusalReasons.indexOf("too_many_entries")] = entries;
      counts[refusalReasons.indexOf("network_refused")] = network;
      return counts;
    };
    let sequence = 0;
    const report = (process: number, counts: number[]) =>
      room.rooms.recordStatistics(room.room, room.incarnation, {
        process,
        sequence: ++sequence,
        refused: counts,
        pages: [],
      });
    const nextMinute = async () => {
      await room.pass(minute);
      await room.rooms.recordStatistics(room.room, room.incarnation, null);
    };
    const toldOfRefusals = async () => (await told(room)).filter((event) => event.kind === "refusals");
    await nextMinute();
    await room.join(100);
    await report(1, refused(49, 0, 0));
    await nextMinute();
    expect(await toldOfRefusals()).toEqual([]);
    await room.join(1);
    await report(1, refused(20, 10, 0));
    await report(2, refused(0, 0, 20));
    await nextMinute();
    await report(1, refused(60, 0, 0));
    await nextMinute();
    const many = { isMany: true, joined: 1, refused: { rate: 20, entries: 10, network: 20 } };
    expect(await toldOfRefusals()).toMatchObject([many]);
    await room.join(2_000);
    await report(2, refused(60, 0, 0));
    await nextMinute();
    const few = { isMany: false, joined: 2_000, refused: { rate: 60, entries: 0, network: 0 } };
    expect(await toldOfRefusals()).toMatchObject([many, few]);
  });

  it("tells a new edition, and what its draws come to", async () => {
    const room = await context.room({ draw: { order: "random", beacon: "none" } }).open();
    const { edition } = await room.state();
    await room.phase("prequeue");
    await room.commit();
    await room.tick();
    await room.join(3);
    await room.phase("open");
    await room.pass(5_000);
    await room.pass(3_000);
    expect(await room.fix()).toBe(true);
    await room.tick();
    const draws = (await told(room)).filter((event) => event.kind === "draw");
    expect(draws.map(({ stage }) => stage)).toEqual(["committed", "closing", "closed", "drawn"]);
    expect(draws.at(-1)).toMatchObject({ edition, draw: 1, first: 1, last: 3, seed: "seed-1" });
    expect(draws.slice(0, 3).every(({ seed }) => seed === "")).toBe(true);
    await room.step({ step: "reset" });
    const now = await room.state();
    expect(await told(room)).toContainEqual(
      expect.objectContaining({ kind: "edition", edition: now.edition, before: edition }),
    );
  });

  it("tells figures once a minute, and the sealed head of the log if it has moved", async () => {
    const room = await context.room({ limit: 600 }).open();
    await room.join(5);
    await room.pass(3 * minute + 5_000);
    const figures = (await told(room)).filter((event) => event.kind === "figures");
    expect(figures).toHaveLength(3);
    expect(figures[0]?.figures).toMatchObject({
      phase: "open",
      queued: 5,
      serving: 0,
      waiting: 5,
      limitPerMinute: 600,
    });
    expect(await kinds(room)).not.toContain("log_sealed");
    const head = { seq: 1, hash: "a".repeat(64) };
    await room.rooms.moveLogMark(room.room, "sealed", { seq: 0, hash: "" }, head);
    await room.pass(2 * minute);
    expect((await told(room)).filter(({ kind }) => kind === "log_sealed")).toMatchObject([{ head }]);
  });

  it("tells admissions and their ends where the room is to", async () => {
    const quiet = await context.room().open();
    const file = { ...quiet.file, admissionEvents: true };
    const room = await new (quiet.constructor as typeof RoomDriver)(context.harness, "told", file).open();
    for (const each of [quiet, room]) {
      const [one, two] = (await each.places(2)) as [Place, Place];
      await each.serve(2);
      await each.admit(one);
      await each.admit(one, { login: "again" });
      await each.admit(two);
      await each.end(one.sub, "revoked");
      await each.end(one.sub, "logout");
      await each.pass(21 * minute, 5_000);
    }
    const ofAdmissions = async (each: RoomDriver) =>
      (await told(each)).filter(({ kind }) => kind === "admission" || kind === "admission_ended");
    expect(await ofAdmissions(quiet)).toEqual([]);
    const { edition } = await room.state();
    expect(await ofAdmissions(room)).toMatchObject([
      { kind: "admission", sub: `sub-${edition}-1`, position: 1, via: "queue", edition },
      { kind: "admission", sub: `sub-${edition}-2`, position: 2 },
      { kind: "admission_ended", sub: `sub-${edition}-1`, end: "revoked" },
      { kind: "admission_ended", sub: `sub-${edition}-2`, end: "expired" },
    ]);
  });

  it("hands the newest to a process that has seen none, and then those behind the last one it saw", async () => {
    const room = await context.room().open();
    for (let turn = 0; turn < 60; turn++) await room.step({ step: turn % 2 === 0 ? "pause" : "resume" });
    const newest = await rows(room);
    expect(newest).toHaveLength(100);
    const { events: state } = await room.state();
    expect(newest.at(-1)?.seq).toBe(state.last);
    expect(await rows(room, state.last)).toEqual([]);
    expect(await rows(room, newest[97]?.seq ?? 0)).toEqual(newest.slice(98));
    expect((await rows(room, 0)).map(({ seq }) => seq)).toEqual((await told(room)).slice(0, 100).map(({ seq }) => seq));
    expect((await room.tick()).events).toEqual([]);
  });

  it("keeps the order though the clock is set back", async () => {
    const room = await context.room().open();
    await context.harness.advance(-minute);
    await room.step({ step: "pause" });
    const all = await told(room);
    expect(all).toHaveLength(3);
    expect(new Set(ids(all)).size).toBe(3);
  });

  it("are read backwards too, a page at a time", async () => {
    const room = await context.room().open();
    await room.step({ step: "pause" });
    await room.step({ step: "resume" });
    const all = await told(room);
    const { events: store } = room.store;
    const end = Number.MAX_SAFE_INTEGER;
    expect(await store.readBefore(room.room, end, 1_000)).toEqual(all.toReversed());
    const first = await store.readBefore(room.room, end, 2);
    expect(first).toEqual(all.toReversed().slice(0, 2));
    expect(await store.readBefore(room.room, first.at(-1)?.seq ?? 0, 2)).toEqual(all.toReversed().slice(2, 4));
    expect(await store.readBefore(room.room, all[0]?.seq ?? 0, 2)).toEqual([]);
  });

  it("have numbers behind the time that a reader had come to, though the clock is set back", async () => {
    const room = await context.room().open();
    const before = await room.tick();
    const readThrough = before.state.nowMs * 10 - 1;
    await context.harness.advance(-minute);
    const { state } = await room.tick();
    expect(state.events.last).toBeGreaterThanOrEqual(readThrough);
    await room.step({ step: "pause" });
    for (const { seq } of (await told(room)).slice(1)) expect(seq).toBeGreaterThan(readThrough);
    const { events: store } = room.store;
    const row = (version: number) => ({ version, atMs: version, json: JSON.stringify({ version }) });
    await store.publish({ source: null, events: [row(1)], memory: { last: readThrough } });
    expect((await store.read("*", 0, 10)).events.every(({ seq }) => seq > readThrough)).toBe(true);
  });

  it("go on behind a loss: what a process has seen is told again under its id, and nothing anew", async () => {
    const room = await context.room().open();
    await context.harness.save();
    await room.step({ step: "pause" });
    await room.change({ maxWaiting: 7 });
    const before = await told(room);
    const memory = await remembered(room);
    await context.harness.restore();
    expect((await told(room)).length).toBeLessThan(before.length);
    await room.recover(memory);
    const after = await told(room);
    expect(after.slice(0, before.length)).toEqual(before);
    expect(after.slice(before.length).map(({ kind }) => kind)).toEqual(["recovered"]);
    await room.recover(memory);
    expect(new Set(ids(await told(room))).size).toBe((await told(room)).length);
  });

  it("go on behind the loss of everything", async () => {
    const room = await context.room().open();
    await room.step({ step: "pause" });
    const before = await told(room);
    const memory = await remembered(room);
    await context.harness.wipe();
    await room.recover(memory);
    const after = await told(room);
    expect(after.slice(0, before.length)).toEqual(before);
    expect(after.slice(before.length).map(({ kind }) => kind)).toEqual(["recovered"]);
  });

  it("are told behind later ones where a process comes late with them, each once", async () => {
    const room = await context.room().open();
    await context.harness.save();
    const early = await remembered(room);
    await room.step({ step: "pause" });
    const late = await remembered(room);
    const lost = (await told(room)).slice(-2);
    await context.harness.restore();
    await room.recover(early);
    await room.phase("ended");
    const known = await told(room);
    for (let turn = 0; turn < 2; turn++) await room.contribute({ memory: late });
    await context.harness.advance(2_500);
    await room.contribute();
    const all = await told(room);
    expect(ids(all).filter((id) => id === lost[0]?.id)).toHaveLength(1);
    expect(ids(all).filter((id) => id === lost[1]?.id)).toHaveLength(1);
    expect(all.slice(0, known.length)).toEqual(known);
    const again = all.find(({ id }) => id === lost[0]?.id);
    expect({ ...again, seq: 0 }).toEqual({ ...lost[0], seq: 0 });
  });

  it("tells that a room nobody remembers is held", async () => {
    const room = await context.room().open();
    await context.harness.wipe();
    await room.recover(null);
    if (!context.harness.store.isShared) return;
    expect(await told(room)).toMatchObject([
      { kind: "recovered" },
      { kind: "hold", hold: "recovered", isSet: true },
      { kind: "phase", phase: "paused", reason: "recovered", before: null },
    ]);
  });

  it("are forgotten, the oldest first, beyond ten thousand or somewhat more", async () => {
    const room = await context.room().open();
    const { state } = await room.tick();
    const many = Array.from({ length: 10_400 }, (_, index) => ({ seq: state.events.last + 1 + index, text: "o5:1" }));
    for (let from = 0; from < many.length; from += 200) {
      const part = many.slice(from, from + 200);
      const seen = { ...state.events, last: part.at(-1)?.seq ?? 0, rows: part };
      await room.contribute({ memory: await room.memory({ events: seen }) });
    }
    await room.pass(minute + 1_000);
    let count = 0;
    for (let after = 0; ; ) {
      const page = await told(room, after);
      if (page.length === 0) break;
      count += page.length;
      after = page.at(-1)?.seq ?? 0;
    }
    expect(count).toBeGreaterThanOrEqual(10_000);
    expect(count).toBeLessThanOrEqual(10_200);

    // A webhook that had taken none of the forgotten is told so, until it has gone on.
    const taken = await room.store.events.take(room.room, { ...holder, from: 1 });
    if (taken.result !== "taken") throw new Error("nothing was taken");
    expect(taken.missedAfter).toBe(1);
    const through = (taken.events[0]?.seq ?? 0) - 1;
    await room.store.events.settle(room.room, "hook", "one", { outcome: "delivered", through });
    const next = await room.store.events.take(room.room, holder);
    expect(next).toMatchObject({ result: "taken", missedAfter: null, events: taken.events });
  });

  it("of the installation are told once, for each version of a source", async () => {
    const { events: store } = context.harness.store;
    const other = await context.harness.second();
    const row = (version: number) => ({ version, atMs: 1_000 + version, json: JSON.stringify({ version }) });
    const offer = { source: "registry", events: [row(1), row(2)] };
    await Promise.all([
      store.publish(offer),
      other.events.publish(offer),
      store.publish({ ...offer, events: [row(1)] }),
    ]);
    await store.publish({ source: "registry", events: [row(2), row(3)] });
    await store.publish({ source: null, events: [row(1), row(4), row(4)] });
    const { events: all } = await store.read("*", 0, 100);
    expect(all.map((event) => event.kind === "other" && JSON.parse(event.json).version)).toEqual([1, 2, 3, 4]);
    expect(all[0]).toMatchObject({ atMs: 1_001 });
  });

  it("of the installation come back behind a loss, each once, and with numbers that were not used before it", async () => {
    const { events: store } = context.harness.store;
    const row = (version: number) => ({ version, atMs: 1_000 + version, json: JSON.stringify({ version }) });
    await store.publish({ source: "registry", events: [row(1)] });
    await context.harness.save();
    await store.publish({ source: "registry", events: [row(2), row(3)] });
    const { last } = await store.read("*", 0, 100);
    await context.harness.restore();
    const memory = { from: 0, last: last + 50 };
    for (let turn = 0; turn < 2; turn++) await store.publish({ source: null, events: [row(2), row(3)], memory });
    await store.publish({ source: "registry", events: [row(2), row(3)] });
    const { events: all } = await store.read("*", 0, 100);
    expect(all.map((event) => event.kind === "other" && JSON.parse(event.json).version)).toEqual([1, 2, 3]);
    expect(all[1]?.seq).toBeGreaterThan(last + 50);
  });

  it("of a source that has noted more than it keeps are told, and that some are missing", async () => {
    const { events: store } = context.harness.store;
    const row = (version: number) => ({ version, atMs: 1_000 + version, json: JSON.stringify({ version }) });
    await store.publish({ source: "registry", events: [row(1)] });
    const cut = { source: "registry", events: [row(8), row(9)], isCut: true };
    for (let turn = 0; turn < 2; turn++) await store.publish(cut);
    const { events: all } = await store.read("*", 0, 100);
    const versions = (told: readonly RoomEvent[]) =>
      told.map((event) => event.kind === "other" && JSON.parse(event.json).version);
    expect(versions(all)).toEqual([1, 8, 9]);
    const first = await store.take("*", { ...holder, webhook: "cut", limit: 1 });
    if (first.result !== "taken") throw new Error("nothing was taken");
    expect([versions(first.events), first.missedAfter]).toEqual([[1], null]);
    const through = first.events[0]?.seq ?? 0;
    await store.settle("*", "cut", "one", { outcome: "delivered", through });
    const next = await store.take("*", { ...holder, webhook: "cut" });
    if (next.result !== "taken") throw new Error("nothing was taken");
    expect([versions(next.events), next.missedAfter]).toEqual([[8, 9], through]);
    await store.settle("*", "cut", "one", { outcome: "delivered", through: (next.events[0]?.seq ?? 0) - 1 });
    expect(await store.take("*", { ...holder, webhook: "cut" })).toMatchObject({ missedAfter: null });
  });

  it("that nobody remembers are told to each webhook that may not have had them, once, and of what came later", async () => {
    const room = await context.room().open();
    const { store } = room;
    await context.harness.save();
    const kept = (await told(room)).at(-1)?.seq ?? 0;
    for (let turn = 0; turn < 20; turn++) await room.step({ step: turn % 2 === 0 ? "pause" : "resume" });
    const { state } = await room.tick();
    const all = await rows(room, 0);
    const memory = (since: number) => {
      const from = all[since]?.seq ?? 0;
      return room.memory({ events: { ...state.events, rows: all.filter(({ seq }) => seq > from), from } });
    };
    const little = await memory(30);
    const more = await memory(20);
    await context.harness.restore();
    await room.recover(little);
    // Another process comes that remembers more.
    await room.contribute({ memory: more });
    await context.harness.advance(2_500);
    await room.contribute();
    const take = (webhook: string, from: number) => store.events.take(room.room, { ...holder, webhook, from });
    const first = await take("had all before", kept);
    expect(first).toMatchObject({ result: "taken", missedAfter: kept });
    if (first.result !== "taken") return;
    expect(first.events[0]?.seq).toBeGreaterThan(all[30]?.seq ?? 0);
    const through = (first.events[0]?.seq ?? 0) - 1;
    await store.events.settle(room.room, "had all before", "one", { outcome: "delivered", through });
    expect(await take("had all before", kept)).toMatchObject({ result: "taken", missedAfter: null });
    // One that has not come so far gets what is there first.
    const early = await take("had nothing", 0);
    expect(early).toMatchObject({ result: "taken", missedAfter: null });
    expect(early.result === "taken" && early.events[0]?.seq).toBe(all[0]?.seq);
    expect(await take("made since", all.at(-1)?.seq ?? 0)).toMatchObject({ missedAfter: null });
  });

  it("are handed to one process at a time, from where the webhook begins", async () => {
    const room = await context.room().open();
    const { store } = room;
    await room.step({ step: "pause" });
    const all = await told(room);
    const first = await store.events.take(room.room, { ...holder, limit: 2 });
    const nowMs = context.harness.nowMs();
    expect(first).toEqual({ result: "taken", events: all.slice(0, 2), attempts: 0, missedAfter: null, nowMs });
    const two = { ...holder, holder: "two" };
    expect(await store.events.take(room.room, two)).toEqual({ result: "busy", waitMs: 15_000 });
    expect(await store.events.settle(room.room, "hook", "two", { outcome: "delivered", through: 9e15 })).toBe(false);
    const through = all[0]?.seq ?? 0;
    expect(await store.events.settle(room.room, "hook", "one", { outcome: "delivered", through })).toBe(true);
    await context.harness.advance(14_999);
    expect(await store.events.take(room.room, two)).toEqual({ result: "busy", waitMs: 1 });
    await context.harness.advance(1);
    expect(await store.events.take(room.room, two)).toMatchObject({ result: "taken", events: all.slice(1) });
    expect(await store.events.settle(room.room, "hook", "one", { outcome: "delivered", through })).toBe(false);
    const lastSeq = all.at(-1)?.seq ?? 0;
    expect(await store.events.settle(room.room, "hook", "two", { outcome: "delivered", through: lastSeq })).toBe(true);
    expect(await store.events.take(room.room, two)).toEqual({ result: "done", cursor: lastSeq });
    expect(await store.events.take(room.room, { ...holder, webhook: "new", from: lastSeq })).toMatchObject({
      result: "done",
    });
  });

  it("are tried again when it is time, by any process, and not before", async () => {
    const room = await context.room().open();
    const { store } = room;
    await store.events.take(room.room, holder);
    expect(await store.events.settle(room.room, "hook", "one", { outcome: "failed", retryMs: 4_000 })).toBe(true);
    const two = { ...holder, holder: "two" };
    expect(await store.events.take(room.room, two)).toEqual({ result: "waiting", waitMs: 4_000 });
    await context.harness.advance(-600_000_000);
    const turned = await store.events.take(room.room, two);
    expect(turned.result === "waiting" && turned.waitMs).toBe(3_600_000);
    await context.harness.advance(600_004_000);
    expect(await store.events.take(room.room, two)).toMatchObject({ result: "taken", attempts: 1 });
    expect(await store.events.settle(room.room, "hook", "two", { outcome: "released" })).toBe(true);
    expect(await store.events.take(room.room, holder)).toMatchObject({ result: "taken", attempts: 1 });
  });

  it("that are given up are dead letters, and what is behind them goes on", async () => {
    const room = await context.room().open();
    await room.step({ step: "pause" });
    const { events: store } = room.store;
    const [first, second] = await told(room);
    await store.take(room.room, holder);
    const letter = JSON.stringify({ webhook: "hook", reason: "503" });
    const through = first?.seq ?? 0;
    expect(await store.settle(room.room, "hook", "one", { outcome: "given_up", through, letter })).toBe(true);
    const letters = await store.deadLetters(room.room, 0, 10);
    expect(letters.map(({ text }) => text)).toEqual([letter]);
    const seq = letters[0]?.seq ?? 0;
    expect(await store.deadLetters(room.room, seq, 10)).toEqual([]);
    expect(await store.removeDeadLetter(room.room, seq)).toBe(true);
    expect(await store.removeDeadLetter(room.room, seq)).toBe(false);
    const next = await store.take(room.room, holder);
    expect(next.result === "taken" && next.events[0]).toEqual(second);
    await store.forgetWebhook(room.room, "hook");
    expect(await store.take(room.room, { ...holder, holder: "two" })).toMatchObject({ result: "taken", attempts: 0 });
  });

  it("has nothing for a room that is not there", async () => {
    const { events: store } = context.harness.store;
    expect(await store.read("nowhere", 0, 10)).toEqual({ last: 0, events: [] });
    expect(await store.readBefore("nowhere", 7, 10)).toEqual([]);
    expect(await store.take("nowhere", { ...holder, from: 7 })).toEqual({ result: "done", cursor: 7 });
    expect(await store.deadLetters("nowhere", 0, 10)).toEqual([]);
    expect(await store.removeDeadLetter("nowhere", 1)).toBe(false);
    expect(await store.settle("nowhere", "hook", "one", { outcome: "released" })).toBe(false);
  });
};
