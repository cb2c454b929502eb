import { expect, it } from "vitest";
import { claim } from "../../../src/core/claim.ts";
import { adminStep } from "../../../src/core/steps.ts";
import { createOpenRoom, startMs } from "./room-data.ts";

it("of a million admissions on record, newcomers wait in a room that everybody passes, and those in line do not", () => {
  const room = createOpenRoom();
  room.queued = 1;
  adminStep(room, { step: "phase", phase: "passthrough" }, null, "");
  const of = (sub: string, position = 0) =>
    claim(room, {
      sub,
      position,
      edition: room.edition,
      joinedMs: startMs,
      login: null,
      address: null,
      proof: null,
      bypass: null,
    }).result;
  const recorded = { size: 999_999 };
  Object.defineProperty(room.admissions.byId, "size", { get: () => recorded.size });
  expect(of("last")).toBe("admitted");
  recorded.size = 1_000_000;
  expect(of("newcomer")).toBe("held");
  expect(of("last")).toBe("admitted");
  expect(of("in-line", 1)).toBe("admitted");
});
