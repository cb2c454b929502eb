import { expect, it } from "vitest";
import type { RoomTest } from "../room-context.ts";

const second = 1_000;

/** Reports of a site's load, by several processes. What an inlet makes of them is in adaptive.ts. */
export const loadReports: RoomTest = (context) => {
  const adapted = (startPerMinute = 120) => {
    const adaptive = { floorPerMinute: 30, startPerMinute, latencyMs: 400, decideEveryMs: 5 * second };
    return context.room({ type: "adaptive", limit: 600, adaptive }).open();
  };

  it("are of a probe or of the site, and shown with the state", async () => {
    const room = await adapted();
    await room.tick();
    await room.load({ source: "probe", latencyMs: 350 });
    await room.load({ source: "probe", latencyMs: null });
    await room.reportSite({ latencyMs: 390, errorRate: 0.01 });
    await room.pass(5 * second);
    expect((await room.state()).adaptive).toMatchObject({ latencyMs: 390, baselineMs: 390, errorRate: 0.01 });
    await room.reportSite({ signal: "off" });
    expect((await room.state()).phaseReason).toBe("unhealthy");
  });

  it("decides once an interval, however many processes report and ask", async () => {
    const room = await adapted(500);
    const { rooms } = await context.harness.second();
    const report = { source: "site" as const, latencyMs: 4_000, errorRate: null, signal: null };
    for (let sec = 0; sec < 3 * 5; sec++) {
      await Promise.all([room.load(report), rooms.reportLoad(room.room, room.incarnation, report)]);
      await Promise.all([
        room.tick(),
        rooms.tick(room.room, room.incarnation, 0),
        rooms.tick(room.room, room.incarnation, 0),
      ]);
      await context.harness.advance(second);
    }
    expect((await room.state()).adaptive?.ratePerMinute).toBe(350);
  });

  it("asks for recovery like any operation", async () => {
    const room = await adapted();
    await context.harness.wipe();
    const report = { source: "probe", latencyMs: 1 } as const;
    expect(await room.rooms.reportLoad(room.room, room.incarnation, report)).toEqual({ result: "recover" });
  });
};
