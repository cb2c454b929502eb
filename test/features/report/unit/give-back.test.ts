/** What is given back after a sale, as far as it is computed. */
import { describe, expect, test } from "vitest";
import { changeFor, liveSettings } from "../../../../src/features/report/console/give-back.ts";

describe("the change to the next sale", () => {
  const live = liveSettings({
    settings_live: {
      inlet: { outflow_per_minute: 300 },
      max_waiting: 50,
      schedule: { opens_at: "2027-01-01T09:00:00Z" },
    },
    settings_file: { inlet: { outflow_per_minute: 600 }, max_waiting: null } as never,
  });

  test("shows each value beside the file's", () => {
    expect(live.map(({ path, now, file }) => [path, now, file])).toEqual([
      ["inlet.outflow_per_minute", 300, 600],
      ["max_waiting", 50, null],
      ["schedule.opens_at", "2027-01-01T09:00:00Z", undefined],
    ]);
  });

  test("gives back all but what is kept, and enters new times in place of old ones", () => {
    const times = { opensAt: "2035-05-01T10:00", prequeueAt: "" };
    expect(changeFor(live, ["max_waiting"], times)).toEqual({
      inlet: { outflow_per_minute: null },
      schedule: { opens_at: new Date("2035-05-01T10:00").toISOString() },
    });
    expect(changeFor(live, [], { opensAt: "", prequeueAt: "" })).toEqual({
      inlet: { outflow_per_minute: null },
      max_waiting: null,
      schedule: { opens_at: null },
    });
  });
});
