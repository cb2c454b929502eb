/** What the checklist before a sale says of the checks from outside. */
import { describe, expect, test } from "vitest";
import { checksLines } from "../../../../src/features/doctor/console/checks.tsx";

type Last = Parameters<typeof checksLines>[0];
const stateOf = (last: Last, name: string) => checksLines(last).find((line) => line.name === name);

function checked(...findings: { about: string; status: "ok" | "warning" | "fault"; text: string }[]): Last {
  const by = { kind: "key", id: "env", name: null };
  return { by, began_at: "2027-01-01T00:00:00Z", ended_at: "2027-01-01T00:00:09Z", findings };
}

describe("the checks from outside", () => {
  test("that were never run are left to do", () => {
    expect(stateOf(null, "outside")).toMatchObject({ state: "left", atMs: null });
  });

  test("with a fault are left, with a warning to be looked at, and in order done, as old as their end", () => {
    const fault = checked({ about: "TLS", status: "fault", text: "expired" }, { about: "DNS", status: "ok", text: "" });
    expect(stateOf(fault, "outside")).toMatchObject({ state: "left", quotes: ["expired"] });
    const warning = checked({ about: "TLS", status: "warning", text: "ends soon" });
    expect(stateOf(warning, "outside")).toMatchObject({ state: "look", quotes: ["ends soon"] });
    const good = checked({ about: "TLS", status: "ok", text: "" }, { about: "whole login", status: "ok", text: "" });
    expect(stateOf(good, "outside")).toMatchObject({ state: "done", atMs: Date.parse("2027-01-01T00:00:09Z") });
    expect(stateOf(good, "login")).toMatchObject({ state: "done" });
  });

  test("that played no login leave it to do", () => {
    expect(stateOf(checked({ about: "DNS", status: "fault", text: "" }), "login")).toMatchObject({ state: "left" });
  });
});
