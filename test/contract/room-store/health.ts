import { expect, it } from "vitest";
import type { RoomTest } from "../room-context.ts";
import { minute, type SettingsSketch } from "../room-driver.ts";

/** The gate: reports of the site's health hold the line, and let it go on. */
export const health: RoomTest = (context) => {
  const gate = {
    healthUrl: "http://site/health",
    intervalMs: 5_000,
    timeoutMs: 1_000,
    unhealthyAfter: 3,
    healthyAfter: 2,
  };
  const gated = (sketch: SettingsSketch = {}) => context.room({ type: "periodic", limit: 60, gate, ...sketch });

  it("holds after so many failures in a row, and lets go after so many successes in a row", async () => {
    const room = await gated().open();
    const holds = async () => (await room.state()).holds;
    await room.report(false, 2);
    await room.report(true);
    await room.report(false, 2);
    expect(await holds()).toEqual([]);
    await room.report(false);
    expect(await room.state()).toMatchObject({ phase: "paused", phaseReason: "unhealthy", version: 2 });
    await room.report(false, 5);
    await room.report(true);
    await room.report(false);
    await room.report(true);
    expect(await room.state()).toMatchObject({ phase: "paused", version: 2 });
    await room.report(true);
    expect(await room.state()).toMatchObject({ phase: "open", holds: [], version: 3 });
    await room.report(true, 5);
    expect((await room.state()).version).toBe(3);
  });

  it("stops the line and its windows meanwhile, and hands out places", async () => {
    const room = await gated({ claimWithinMs: minute }).open();
    const [one] = await room.places(10);
    if (one === undefined) throw new Error("no place");
    const { serving, claimMs } = await room.state();
    await room.report(false, 3);
    await room.pass(2 * minute);
    expect(await room.state()).toMatchObject({ serving, claimMs });
    expect(await room.claim(one)).toEqual({ result: "paused" });
    expect(await room.join()).toMatchObject({ refusal: null });
    await room.report(true, 2);
    await room.pass(1_000);
    expect(await room.claim(one)).toMatchObject({ result: "admitted" });
  });

  it("counts the reports of all processes together", async () => {
    const room = await gated().open();
    const { rooms } = await context.harness.second();
    await room.report(false, 2);
    await rooms.reportHealth(room.room, room.incarnation, null);
    expect((await room.state()).phaseReason).toBe("unhealthy");
  });

  it("reports when the last report came, by the flow clock, so that one process in an interval asks", async () => {
    const room = await gated().open();
    expect((await room.state()).healthReportedMs).toBe(0);
    await context.harness.advance(3_000);
    await room.report(true);
    await context.harness.advance(2_000);
    const { healthReportedMs, flowMs } = await room.state();
    expect(flowMs - healthReportedMs).toBe(2_000);
  });

  it("changes nothing without a gate, and a gate that is taken away lifts the hold", async () => {
    const without = await gated({ gate: null }).open();
    await without.report(false, 10);
    expect(await without.state()).toMatchObject({ phase: "open", version: 1 });
    const room = await gated().open();
    await room.report(false, 3);
    await room.step({ step: "pause" });
    await room.change({ inlet: { gate: null } });
    expect(await room.state()).toMatchObject({ phaseReason: "operator", holds: ["operator"] });
  });

  it("is not lifted by the operator's resume", async () => {
    const room = await gated().open();
    await room.report(false, 3);
    expect(await room.step({ step: "resume" })).toMatchObject({ phase: "paused" });
  });

  it("asks for recovery like any operation", async () => {
    const room = await gated().open();
    await context.harness.wipe();
    expect(await room.rooms.reportHealth(room.room, room.incarnation, 20)).toEqual({ result: "recover" });
    expect(await room.rooms.renewAdmission(room.room, room.incarnation, "x")).toEqual({ result: "recover" });
  });
};
