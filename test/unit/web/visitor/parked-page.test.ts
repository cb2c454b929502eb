import { expect, test } from "vitest";
import type { RoomState, WaitingRoom } from "../../../../src/room/index.ts";
import { createViewCache } from "../../../../src/web/visitor/pages/parked-page.ts";

const opensAtMs = Date.UTC(2030, 0, 2, 20, 0);

function makeState(scheduleMarkMs = 0): RoomState {
  const inlet = {
    type: "periodic",
    outflowPerMinute: 60,
    maxActive: null,
    startsAtMs: null,
    endsAtMs: null,
    sharedOutflow: null,
  };
  const admission = { durationMs: 1_200_000, claimWithinMs: 900_000 };
  return {
    phase: "prequeue",
    phaseReason: null,
    serving: 0,
    settings: { effective: { inlet, admission, message: null, schedule: { opensAtMs } } },
    scheduleMarkMs,
    draws: [],
    planLimitPerMinute: 60,
    progress: { spanMs: 0, served: 0, entered: 0 },
    limitChangedMs: 0,
    flowMs: 0,
    nowMs: 0,
    holdRemainingMs: 0,
  } as unknown as RoomState;
}

function makeRoom(state: RoomState): WaitingRoom {
  const settings = state.settings.effective;
  return { id: "tickets", title: "Autumn tour", state, settings, refreshedMs: 1_000 } as WaitingRoom;
}

test("one view serves for as long as the state stays, and one for each reason to wait", () => {
  const viewOf = createViewCache();
  const state = makeState();
  const room = makeRoom(state);
  const full = viewOf(room, state, "held", { by: "capacity", rank: 0 });
  expect(viewOf(room, state, "held", { by: "capacity", rank: 0 })).toBe(full);
  expect(full).toMatchObject({ heldBy: "capacity", isBehind: false });
  const behind = viewOf(room, state, "held", { by: "capacity", rank: 1 });
  expect(behind).toMatchObject({ heldBy: "capacity", isBehind: true });
  expect(viewOf(room, state, "held", { by: "capacity", rank: 7 })).toBe(behind);
  expect(viewOf(room, state, "held")).not.toBe(full);
  expect(viewOf(room, state, "held").heldBy).toBe("limit");
  expect(viewOf(room, state, "waiting", { by: "capacity", rank: 1 })).toMatchObject({ heldBy: null, isBehind: false });
  const next = makeState();
  expect(viewOf(makeRoom(next), next, "held", { by: "capacity", rank: 0 })).not.toBe(full);
});

test("whose place is drawn, or is to be, is a view of its own", () => {
  const viewOf = createViewCache();
  const state = makeState();
  const room = makeRoom(state);
  const views = [null, "undrawn", "drawn"] as const;
  const made = views.map((draw) => viewOf(room, state, "waiting", null, undefined, draw));
  expect(made.map(({ draw }) => draw)).toEqual(views);
  expect(made.map(({ drawUrl }) => drawUrl)).toEqual(Array(3).fill("/rooms/tickets/draw"));
  expect(viewOf(room, state, "waiting", null, undefined, "undrawn")).toBe(made[1]);
});

test("an opening that was carried out, or passed over, is no opening to come", () => {
  const opensIn = (state: RoomState) => createViewCache()(makeRoom(state), state, "entered").opensAtMs;
  expect(opensIn(makeState(opensAtMs - 1))).toBe(opensAtMs);
  expect(opensIn(makeState(opensAtMs))).toBeNull();
});

test("where to go on is said where all is sold, and only there", () => {
  const links = [{ label: [{ language: null, text: "Other cities" }], url: "https://a.example/cities" }];
  const state = makeState();
  const room = makeRoom(state);
  const withLinks = { ...room, settings: { ...room.settings, links } } as unknown as WaitingRoom;
  const viewOf = createViewCache();
  expect(viewOf(withLinks, state, "sold_out").onward).toEqual({ links });
  expect(viewOf(withLinks, state, "paused")).not.toHaveProperty("onward");
});

test("of a line that nothing is known of, nothing is told", () => {
  const state = makeState();
  const view = createViewCache()(makeRoom(state), null, "store_away");
  expect(view).toMatchObject({ serving: null, pace: null, opensAtMs: null, updatedAtMs: null });
});

test("the operator's words are told of a line that nothing is known of, as they are by now", () => {
  const viewOf = createViewCache();
  const room = (state: RoomState, text: string) =>
    ({
      ...makeRoom(state),
      message: { severity: "information", texts: [{ language: null, text }] },
    }) as unknown as WaitingRoom;
  const [before, after] = [makeState(), makeState()];
  expect(viewOf(room(before, "Soon"), null, "store_away").message?.texts).toMatchObject([{ text: "Soon" }]);
  expect(viewOf(room(before, "Soon"), before, "store_away")).toMatchObject({ serving: 0 });
  expect(viewOf(room(after, "Later"), null, "store_away").message?.texts).toMatchObject([{ text: "Later" }]);
});
