import { expect, test } from "vitest";
import { settingsBody, validate } from "../../../src/http/admin/bodies.ts";
import { effectiveSettings, patchLive, settingsJson } from "../../../src/http/admin/settings.ts";
import type { RoomSettings } from "../../../src/waiting-room/index.ts";

const file: RoomSettings = {
  title: "Tickets",
  message: null,
  inlet: { type: "manual", outflowPerMinute: null },
  admission: { durationMs: 1_200_000, claimWithinMs: 900_000, loginsPerAdmission: 20 },
};
const read = (body: unknown) => validate(settingsBody, body);

test("a patch replaces what it names, keeps the rest, and null gives a value back to the file", () => {
  const first = patchLive({}, read({ inlet: { type: "periodic", outflow_per_minute: 600 }, title: "Sale" }));
  expect(effectiveSettings(file, first)).toEqual({
    ...file,
    title: "Sale",
    inlet: { type: "periodic", outflowPerMinute: 600 },
  });
  const second = patchLive(first, read({ admission: { duration: "5m" }, title: null }));
  expect(effectiveSettings(file, second)).toMatchObject({
    title: "Tickets",
    inlet: { type: "periodic", outflowPerMinute: 600 },
    admission: { durationMs: 300_000, claimWithinMs: 900_000 },
  });
  expect(patchLive(second, read({ inlet: null, admission: { duration: null } }))).toEqual({});
});

test("settings that contradict each other are refused", () => {
  const live = patchLive({}, read({ inlet: { type: "periodic" } }));
  expect(() => effectiveSettings(file, live)).toThrow(/outflow_per_minute/);
});

test("a faulty body is refused with the names of all its faulty fields", () => {
  const body = { inlet: { type: "fast", outflow_per_minute: 0 }, admission: { duration: "soon" }, colour: "red" };
  expect(() => read(body)).toThrow(/inlet\.type: .*inlet\.outflow_per_minute: .*admission\.duration: .*colour/s);
});

test("settings are shown in the words of the configuration file", () => {
  expect(settingsJson(file)).toEqual({
    title: "Tickets",
    message: null,
    inlet: { type: "manual", outflow_per_minute: null },
    admission: { duration: "20m", claim_within: "15m", logins_per_admission: 20 },
  });
});
