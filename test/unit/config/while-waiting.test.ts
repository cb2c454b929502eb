/** What visitors may read while they wait, as it is written in a file and told to the admin API: checked there, with its path. */
import { describe, expect, test } from "vitest";
import { readChange, settingsChange, writeRoomSettings } from "../../../src/config/index.ts";
import { systemClock } from "../../../src/lib/clock-and-random.ts";
import { loadConfig } from "../../support/load-config.ts";

const load = (room: object, theme?: object) =>
  loadConfig({
    document: { issuer: "http://localhost:3000", ...(theme && { theme }), rooms: [{ id: "tickets", ...room }] },
    env: {},
    clock: systemClock,
    needsSecrets: false,
  });

async function faultsOf(room: object, theme?: object): Promise<string> {
  try {
    await load(room, theme);
    return "";
  } catch (error) {
    return String((error as Error).message);
  }
}

describe("what visitors may read while they wait", () => {
  test("is one text, or one for each language; of a room, or of the theme", async () => {
    const { config } = await load(
      { while_waiting: "Doors at *seven*." },
      { while_waiting: { en: "One", "pt-br": "Um" } },
    );
    const [issuer] = config.issuers;
    const [room] = issuer?.rooms ?? [];
    expect(room?.settings.whileWaiting).toEqual([{ language: null, text: "Doors at *seven*." }]);
    expect(issuer?.themes.usual?.whileWaiting).toEqual([
      { language: "en", text: "One" },
      { language: "pt-BR", text: "Um" },
    ]);
    expect(issuer?.themes.ofRooms.get("tickets")?.whileWaiting).toEqual(issuer?.themes.usual?.whileWaiting);
    const [silent] = (await load({})).config.issuers[0]?.rooms ?? [];
    expect(silent?.settings.whileWaiting).toBeUndefined();
  });

  test("off is the word for none in a room, in the file as in a live change; it is never shown to visitors", async () => {
    const { config } = await load({ while_waiting: "off" }, { while_waiting: "Of the theme" });
    expect(config.issuers[0]?.rooms[0]?.settings.whileWaiting).toBeNull();
    expect(await faultsOf({}, { while_waiting: "off" })).toContain("theme.while_waiting: ");
    expect(await faultsOf({ while_waiting: { en: "Fine", de: "off" } })).toContain("rooms[0].while_waiting.de: ");
  });

  test("is refused with all that is wrong, each with its path and line", async () => {
    const faults = await faultsOf(
      {
        while_waiting: { en: "Fine", de: "# Ja\n\n[x](javascript:alert(1))\n\n![](https://a.example/x.png)" },
      },
      { while_waiting: "![x](http://a.example/x.png)" },
    );
    expect(faults).toContain("rooms[0].while_waiting.de");
    expect(faults).toContain("line 3: the link to javascript:alert(1): expected an absolute URL: https or http");
    expect(faults).toContain("line 5: the image https://a.example/x.png: expected what it shows");
    expect(faults).toContain("theme.while_waiting: ");
  });

  test("has its bounds, before it is read as Markdown", async () => {
    expect(await faultsOf({ while_waiting: "x".repeat(3_000) })).toBe("");
    const long = await faultsOf({ while_waiting: `[x](javascript:1)${"x".repeat(3_000)}` });
    expect(long).toContain("at most 3000 characters");
    expect(long).not.toContain("line 1");
    const tags = ["en", "de", "fr", "it", "es", "nl"];
    const each = Object.fromEntries(tags.map((tag) => [tag, "x".repeat(2_501)]));
    expect(await faultsOf({ while_waiting: each })).toContain(
      "expected at most 15000 characters in all languages together; there are 15006",
    );
    expect(await faultsOf({ while_waiting: { ...each, en: "x" } })).toBe("");
    for (const nothing of ["", "  \n", 5, [], ["x"], {}, { en: "" }, { "e n": "x" }, "a\u0000b"]) {
      expect(await faultsOf({ while_waiting: nothing }), JSON.stringify(nothing)).toContain("rooms[0].while_waiting");
    }
  });

  test("a live change takes it by the same rules, and off says that there is nothing", () => {
    const none = Symbol("none");
    const read = (change: object) => readChange(settingsChange.parse(change) as object, { zone: null, none });
    expect(read({ while_waiting: { de: "Ja" } })).toEqual({ whileWaiting: [{ language: "de", text: "Ja" }] });
    expect(read({ while_waiting: "Ja" })).toEqual({ whileWaiting: [{ language: null, text: "Ja" }] });
    expect(read({ while_waiting: "off" })).toEqual({ whileWaiting: none });
    expect(read({ while_waiting: null })).toEqual({ whileWaiting: null });
    expect(writeRoomSettings({ whileWaiting: [{ language: "de", text: "Ja" }] })).toEqual({
      while_waiting: { de: "Ja" },
    });
    expect(writeRoomSettings({ whileWaiting: null })).toEqual({ while_waiting: "off" });
    const refused = settingsChange.safeParse({ while_waiting: { de: "[x](data:x)" } });
    expect(refused.error?.issues).toMatchObject([{ path: ["while_waiting", "de"] }]);
  });
});
