import { expect, test } from "vitest";
import { settingsDifferences } from "../../../../src/config/index.ts";
import { manualSettings, withPatch } from "../../../support/room-settings.ts";

const soon = { severity: "information", texts: [{ language: null, text: "Soon" }] } as const;
const gate = { intervalMs: 5_000, timeoutMs: 2_000, unhealthyAfter: 3, healthyAfter: 2 };

test("names every setting that differs, with the file's value and the one in force, in the words of the file", () => {
  const inForce = withPatch(manualSettings, {
    message: soon,
    inlet: { type: "periodic", outflowPerMinute: 600 },
    schedule: { opensAtMs: Date.UTC(2027, 2, 1, 9) },
    timeZone: "Europe/Berlin",
    admission: { durationMs: 300_000 },
  });
  expect(settingsDifferences(manualSettings, inForce)).toEqual({
    message: { file: null, in_force: "Soon" },
    "inlet.type": { file: "manual", in_force: "periodic" },
    "inlet.outflow_per_minute": { file: null, in_force: 600 },
    "schedule.opens_at": { file: null, in_force: "2027-03-01T10:00:00+01:00" },
    "schedule.time_zone": { file: null, in_force: "Europe/Berlin" },
    "admission.duration": { file: "20m", in_force: "5m" },
  });
  expect(settingsDifferences(inForce, inForce)).toEqual({});
});

test("shows nothing of an address that may be a secret", () => {
  const withGate = (healthUrl: string) => withPatch(manualSettings, { inlet: { gate: { ...gate, healthUrl } } });
  const differences = settingsDifferences(withGate("http://a/up?token=one"), withGate("http://b/up?token=two"));
  expect(differences).toEqual({
    "inlet.gate.health_url": { file: "http://a/up?***", in_force: "http://b/up?***" },
  });
});

test("a message is one value, with its languages and how grave it is", () => {
  const texts = [{ language: "en", text: "Soon" }];
  const inForce = withPatch(manualSettings, { message: { severity: "warning", texts } });
  expect(settingsDifferences({ ...manualSettings, message: soon }, inForce)).toEqual({
    message: { file: "Soon", in_force: { text: { en: "Soon" }, severity: "warning" } },
  });
  expect(settingsDifferences(inForce, structuredClone(inForce))).toEqual({});
});
