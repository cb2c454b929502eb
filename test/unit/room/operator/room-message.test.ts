import { expect, test } from "vitest";
import { inOrderFor, messageIn } from "../../../../src/room/operator/room-message.ts";

const details = {
  severity: "warning",
  texts: [
    { language: "en", text: "Soon" },
    { language: "de", text: "Bald" },
    { language: "pt-BR", text: "Em breve" },
    { language: "zh-Hant", text: "即將" },
  ],
} as const;

test.each([
  ["de", "Bald"],
  ["de-AT", "Bald"],
  ["DE", "Bald"],
  ["pt-BR", "Em breve"],
  ["pt", "Soon"],
  ["zh-Hant-TW", "即將"],
  ["ja", "Soon"],
  ["", "Soon"],
])("who reads %j, reads %j", (language, text) => {
  expect(messageIn(details, language)?.text).toBe(text);
});

test("a message of no language is for everybody", () => {
  expect(messageIn({ severity: "information", texts: [{ language: null, text: "Soon" }] }, "de")?.text).toBe("Soon");
});

test("a room's own language comes before the first, for visitors who read none of them", () => {
  const own = inOrderFor(details, "de-CH");
  expect(own.texts.map(({ language }) => language)).toEqual(["de", "en", "pt-BR", "zh-Hant"]);
  expect(messageIn(own, "ja")?.text).toBe("Bald");
  expect(messageIn(own, "en")?.text).toBe("Soon");
  expect(inOrderFor(details, null)).toBe(details);
  expect(inOrderFor(details, "fr")).toBe(details);
});
