/** What the console says of a room's last rehearsal. */
import { describe, expect, test } from "vitest";
import { rehearsalLine } from "../../../../src/features/rehearsal/console/last-rehearsal.tsx";

describe("the last rehearsal", () => {
  const by = { kind: "key", id: "env", name: null };
  const figures = {
    began_at: "",
    seconds: 60,
    stopped: false,
    way: "login" as const,
    visitors: 5,
    arrived: 5,
    joined: 5,
    admitted: 5,
    no_shows: 0,
    waiting: 0,
    lost_places: 0,
    ghosts: 0,
    most_in_a_minute: 5,
    limit_per_minute: 60,
    differences: { joined: 0, admitted: 0 },
    mend: [],
    changed_since: [],
    by,
    at: "2027-01-01T00:00:00Z",
  };
  const stateAfter = (changes: Partial<typeof figures> | { mend: object[] } | { changed_since: string[] }) => {
    const last = { ...figures, ...changes } as typeof figures;
    return rehearsalLine(last).state;
  };

  test.each([
    ["done", {}],
    ["left", { stopped: true }],
    ["left", { mend: [{ about: "latency", status: "warning", text: "slow" }] }],
    ["look", { changed_since: ["/max_waiting"] }],
  ])("is %s where it came to %o", (state, changes) => {
    expect(stateAfter(changes)).toBe(state);
  });
});

test("a room that was never rehearsed is left to do", () => {
  expect(rehearsalLine(null)).toMatchObject({ state: "left", atMs: null });
});
