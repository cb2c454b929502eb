import { expect, it } from "vitest";
import { settingsOf } from "../../../../src/config/index.ts";
import { pushSettings } from "../../../../src/features/push/settings.ts";
import { loadConfig } from "../../../support/load-config.ts";

const document = { issuer: "https://q.example", rooms: [{ id: "a" }] };

it("sends to the push services of the usual browsers where the file names none", async () => {
  const { config } = await loadConfig({ document, env: {} });
  expect(settingsOf(config, pushSettings)).toEqual({
    services: ["fcm.googleapis.com", "*.push.services.mozilla.com", "*.push.apple.com", "*.notify.windows.com"],
  });
});

it.each([
  ["services", ["https://fcm.googleapis.com"]],
  ["services", []],
  ["contact", "ops@example.com"],
])("refuses %s as %j", async (key, value) => {
  await expect(loadConfig({ document: { ...document, push: { [key]: value } }, env: {} })).rejects.toThrow(
    `push.${key}`,
  );
});
