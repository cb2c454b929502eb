/** What the status page says of a room in each of its states, and what it costs, with a clock that is moved and a store that goes away. */
import Koa from "koa";
import request from "supertest";
import { beforeEach, expect, test } from "vitest";
import { statusFacts } from "../../../../src/features/status-page/facts.ts";
import type { IncidentView } from "../../../../src/features/status-page/incidents.ts";
import { type StatusPageOptions, statusPageRoutes } from "../../../../src/features/status-page/visitor-routes.ts";
import type { RoomSettings } from "../../../../src/store/contract/room-settings.ts";
import { manualSettings } from "../../../support/room-settings.ts";
import { createSharedWorld, joinOne, type Process, type SharedWorld } from "../../../unit/room/processes.ts";
import { conditions, roomThatIs } from "../../../unit/web/visitor/still-conditions.ts";

let world: SharedWorld;
let incidents: IncidentView[];
beforeEach(() => {
  world = createSharedWorld("status page");
  incidents = [];
});

async function open(changes: Partial<RoomSettings> = {}): Promise<Process> {
  const process = world.process("a", { isNewInstallation: true, settings: { ...manualSettings, ...changes } });
  await process.refresh();
  return process;
}

function factsOf({ room }: Process, named: readonly string[] | null = null) {
  return statusFacts(
    { rooms: { all: [room] }, incidents: { all: incidents }, status: { enabled: true, rooms: named } },
    Math.floor(world.clock.now()),
  );
}
const conditionOf = (process: Process) => factsOf(process).view.rooms[0]?.condition;
const step = ({ room }: Process, asked: Parameters<Process["room"]["operations"]["step"]>[0]) =>
  room.operations.step(asked, null, "test");

function incidentOf(id: string, changes: Partial<IncidentView> = {}): IncidentView {
  const updates = [{ at_ms: 1_000, state: "investigating", text: "Words." }] as const;
  const facts = { title: id, language: null, rooms: null, state: "investigating", openedMs: 1_000, resolvedMs: null };
  return { id, updates, ...facts, ...changes } as IncidentView;
}

test("an open room: nobody waits, nobody is let in, the line moves, as it is", async () => {
  const process = await open();
  expect([conditionOf(process), factsOf(process).json.rooms[0]?.moving]).toEqual(["nobody", null]);
  const ticket = await joinOne(process, world.clock.now());
  await joinOne(process, world.clock.now());
  await process.refresh();
  expect([conditionOf(process), factsOf(process).json.rooms[0]?.moving]).toEqual(["still", false]);
  await step(process, { step: "increment", by: 1 });
  await process.room.claim(ticket, null);
  await world.pass(2_000, [process]);
  expect([conditionOf(process), factsOf(process).json.rooms[0]?.moving]).toEqual(["moving", true]);
  expect(factsOf(process).view.isWell).toBe(true);
  await world.pass(180_000, [process]);
  expect(conditionOf(process)).toBe("still");
});

test("steps of operators, and that a pause is not well", async () => {
  const process = await open();
  await step(process, { step: "pause" });
  expect(factsOf(process).view).toMatchObject({ isWell: false, rooms: [{ condition: "paused", reason: "operator" }] });
  await step(process, { step: "resume" });
  await step(process, { step: "phase", phase: "passthrough" });
  expect(conditionOf(process)).toBe("passthrough");
  await step(process, { step: "phase", phase: "ended" });
  expect(factsOf(process).view).toMatchObject({ isWell: true, rooms: [{ condition: "ended", reason: null }] });
});

test("a room whose idle phase everybody passes is open without a line", async () => {
  expect(conditionOf(await open({ whenIdle: "pass_through", schedule: scheduleIn(60_000) }))).toBe("passthrough");
});

function scheduleIn(ms: number) {
  const opensAtMs = world.clock.now() + 2 * ms;
  return { prequeueAtMs: world.clock.now() + ms, opensAtMs, endsAtMs: opensAtMs + ms };
}

test("times are told as long as they are to come", async () => {
  const schedule = scheduleIn(60_000);
  const process = await open({ schedule });
  const { prequeueAtMs: lineAtMs, opensAtMs: doorsAtMs } = schedule;
  expect(factsOf(process).view.rooms[0]).toMatchObject({ condition: "idle", lineAtMs, doorsAtMs });
  await world.pass(61_000, [process]);
  expect(factsOf(process).view.rooms[0]).toMatchObject({ condition: "prequeue", lineAtMs: null, doorsAtMs });
  await world.pass(60_000, [process]);
  expect(factsOf(process).view.rooms[0]).toMatchObject({ condition: "nobody", lineAtMs: null, doorsAtMs: null });
  await world.pass(60_000, [process]);
  expect(factsOf(process).view.rooms[0]).toMatchObject({ condition: "ended", lineAtMs: null, doorsAtMs: null });
});

test("a room that opens without entry numbers before has one time", async () => {
  const opensAtMs = world.clock.now() + 60_000;
  const process = await open({ schedule: { prequeueAtMs: null, opensAtMs, endsAtMs: null } });
  expect(factsOf(process).view.rooms[0]).toMatchObject({ condition: "idle", lineAtMs: opensAtMs, doorsAtMs: null });
});

test("what nobody knows yet, and what is away, is interrupted", async () => {
  const unknown = world.process("b", { isNewInstallation: true });
  expect(factsOf(unknown)).toMatchObject({
    view: { isWell: false, rooms: [{ condition: "interrupted" }] },
    json: { rooms: [{ phase: null, moving: null, opens_at: null }] },
  });
  const process = await open();
  world.setAway(true);
  await world.pass(5_000, [process]);
  expect(factsOf(process)).toMatchObject({
    view: { isWell: false, rooms: [{ condition: "interrupted" }] },
    json: { rooms: [{ phase: "open", availability: "away", moving: null }] },
  });
});

test("rooms that are not named, and those for rehearsals, are not shown; nor is an incident of theirs", async () => {
  const process = await open({ rehearsal: true });
  incidents = [
    incidentOf("of-all"),
    incidentOf("of-room", { rooms: ["tickets"] }),
    incidentOf("of-other", { rooms: ["other"] }),
  ];
  expect(factsOf(process).json).toMatchObject({ rooms: [], incidents: [{ id: "of-all", rooms: null }] });
  expect(factsOf(process, ["other"]).json.rooms).toEqual([]);
  incidents.push(incidentOf("of-both", { rooms: ["hidden", "tickets"] }));
  expect(factsOf(process, ["tickets"])).toMatchObject({
    json: {
      rooms: [{ room: "tickets" }],
      incidents: [{ id: "of-all" }, { id: "of-room" }, { id: "of-both", rooms: ["tickets"] }],
    },
    view: { isWell: false, incidents: [{ rooms: [] }, { rooms: ["Tickets"] }, { rooms: ["Tickets"] }] },
  });
});

test("a resolved incident is shown apart, and all is well", async () => {
  const process = await open();
  incidents = [incidentOf("over", { state: "resolved", resolvedMs: 2_000 })];
  expect(factsOf(process)).toMatchObject({
    view: { isWell: true, incidents: [], resolved: [{ id: "over" }] },
    json: { well: true, incidents: [{ id: "over", resolved_at: "1970-01-01T00:00:02.000Z" }] },
  });
});

test("however many ask, it is looked at once a second and made once for each language, without the store", async () => {
  const process = await open();
  let looked = 0;
  const made: unknown[] = [];
  const options: StatusPageOptions = {
    issuer: "https://queue.example.com",
    rooms: {
      get all() {
        looked++;
        return [process.room];
      },
    },
    incidents: { all: incidents },
    status: { enabled: true, rooms: null, theme: undefined, language: () => "de" },
    pages: {
      languages: ["de", "en"],
      withoutScript(_, __, { chosen }) {
        made.push(chosen);
        const body = Buffer.from(`page ${chosen}`);
        return { plain: body, gzip: body, etag: `W/"${chosen}"`, language: chosen ?? "", contentSecurityPolicy: "" };
      },
    },
    clock: world.clock,
  };
  const agent = request(new Koa().use(statusPageRoutes(options).routes()).callback());
  world.setAway(true);
  const ask = (path: string) => agent.get(path).set("Accept-Encoding", "identity");
  for (let time = 0; time < 10; time++) {
    expect((await ask("/status")).text).toBe("page de");
    expect((await ask("/status?language=en")).text).toBe("page en");
    expect((await ask("/status?language=xx")).text).toBe("page de");
    expect((await ask("/status.json")).body).toMatchObject({ rooms: [{ room: "tickets" }] });
  }
  expect([looked, made]).toEqual([1, ["de", "en"]]);
  // As before: nothing is made anew.
  world.clock.advance(1_000);
  await ask("/status");
  expect([looked, made]).toEqual([2, ["de", "en"]]);
  world.clock.advance(60_000);
  await ask("/status?language=en");
  expect([looked, made]).toEqual([3, ["de", "en", "en"]]);
});

test("without a status page there is nothing at its addresses", async () => {
  const { rooms } = factsOf(await open()).json;
  expect(rooms).toHaveLength(1);
  const nothing = new Proxy({}, { get: () => undefined }) as StatusPageOptions;
  const options = { ...nothing, issuer: "https://queue.example.com", status: { enabled: false } } as StatusPageOptions;
  const agent = request(new Koa().use(statusPageRoutes(options).routes()).callback());
  for (const path of ["/status", "/status.json"]) expect((await agent.get(path)).status).toBe(404);
});

test.each(Object.entries(conditions))(
  "a room that is %s is said to move only where its line does",
  async (name, condition) => {
    const { line } = condition;
    const { world, room } = await roomThatIs(name, condition);
    const { view, json } = statusFacts(
      { rooms: { all: [room] }, incidents: { all: [] }, status: { enabled: true, rooms: null } },
      Math.floor(world.clock.now()),
    );
    const said = view.rooms[0]?.condition;
    if (line === "held" || name === "away") expect([said, json.rooms[0]?.moving]).toEqual(["interrupted", null]);
    else if (line === "moves") expect(["moving", "still"]).toContain(said);
    else expect([said, json.rooms[0]?.moving]).toEqual([name, null]);
  },
);
