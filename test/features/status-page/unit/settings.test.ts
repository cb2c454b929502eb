import { expect, it } from "vitest";
import { settingsOf } from "../../../../src/config/index.ts";
import { statusPageSettings } from "../../../../src/features/status-page/settings.ts";
import { loadConfig } from "../../../support/load-config.ts";

const document = { issuer: "https://q.example", rooms: [{ id: "a" }] };
const settingsIn = async (more: object) => {
  const { config } = await loadConfig({ document: { ...document, ...more }, env: {} });
  return config.issuers.map((issuer) => settingsOf(issuer, statusPageSettings));
};

it("is there where the file says so, with all rooms or those that it names", async () => {
  expect(await settingsIn({})).toEqual([{ enabled: false, rooms: null }]);
  expect(await settingsIn({ status_page: { enabled: true, rooms: ["a"] } })).toEqual([{ enabled: true, rooms: ["a"] }]);
});

it("names rooms of its issuer only", async () => {
  await expect(settingsIn({ status_page: { enabled: true, rooms: ["b"] } })).rejects.toThrow(
    /status_page\.rooms\[0\]: "b": no such room/,
  );
});
