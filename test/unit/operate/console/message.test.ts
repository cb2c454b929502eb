import { describe, expect, it } from "vitest";
import {
  fromReady,
  furtherLanguages,
  isSame,
  messageFor,
  type RoomPages,
  readDraft,
  textFor,
  withLanguage,
  withoutLanguage,
  withText,
  writeDraft,
} from "../../../../src/operate/console/room/message/draft.ts";

const ready = { id: "sold_out", severity: "sold_out", texts: { en: "Sold", de: "Aus", fr: "Vendu" } } as const;
const pages: RoomPages = {
  pages: [],
  language: "de",
  languages: [
    { tag: "de", name: "Deutsch", of_room: true },
    { tag: "en", name: "English", of_room: true },
    { tag: "fr", name: "français", of_room: false },
  ],
  clients: [],
  messages: [ready],
};
const inTwo = { text: { en: "Hello", de: "Hallo" }, severity: "warning" } as const;

describe("a draft", () => {
  it.each([
    "Hello",
    { text: "Hello", severity: "warning" },
    inTwo,
    { text: { de: "Hallo" }, severity: "information" },
  ] as const)("is written as it was read: %j", (message) => {
    expect(writeDraft(readDraft(message))).toEqual(message);
  });

  it("leaves out languages in which nothing is written, and is nothing where none is", () => {
    expect(writeDraft(withText(readDraft(inTwo), "en", " \n"))).toEqual({ text: { de: "Hallo" }, severity: "warning" });
    expect(writeDraft(readDraft(null))).toBe(null);
    expect(writeDraft(readDraft(undefined))).toBe(null);
  });

  it("differs by words, severity and the order of languages, not by blanks around them", () => {
    expect(isSame(readDraft(inTwo), withText(readDraft(inTwo), "en", " Hello "))).toBe(true);
    expect(isSame(readDraft(inTwo), { ...readDraft(inTwo), severity: "sold_out" })).toBe(false);
    expect(isSame(readDraft(inTwo), readDraft({ ...inTwo, text: { de: "Hallo", en: "Hello" } }))).toBe(false);
  });

  it("for everybody is in the room's own language once there is another", () => {
    const one = withLanguage(readDraft("Hallo"), "en", pages);
    expect(one.texts).toEqual([
      { language: "de", text: "Hallo" },
      { language: "en", text: "" },
    ]);
    expect(withLanguage(readDraft("Hallo"), "de", pages).texts).toEqual([{ language: "de", text: "Hallo" }]);
  });

  it("offers the languages of the room first, then those that the operator reads, and none twice", () => {
    const more = ["ar", "fr", "nb"].map((tag) => ({ tag, name: tag, of_room: false }));
    const many = { ...pages, languages: [...more, ...pages.languages.filter(({ tag }) => tag !== "fr")] };
    const tags = (message: string | typeof inTwo, read: readonly string[]) =>
      furtherLanguages(readDraft(message), many, read).map(({ tag }) => tag);
    expect(tags("Hallo", ["fr-CH", "en-US"])).toEqual(["de", "en", "fr", "ar", "nb"]);
    expect(tags(inTwo, ["nb"])).toEqual(["nb", "ar", "fr"]);
  });

  it("takes a ready message in its own languages, else in those of the room, and a language more comes translated", () => {
    expect(writeDraft(fromReady(ready, readDraft("Hallo"), pages))?.valueOf()).toEqual({
      text: { de: "Aus", en: "Sold" },
      severity: "sold_out",
    });
    const draft = fromReady(ready, readDraft({ text: { en: "x", tlh: "y" }, severity: "warning" }), pages);
    expect(draft.texts).toEqual([{ language: "en", text: "Sold" }]);
    expect(withLanguage(draft, "fr", pages).texts.at(-1)).toEqual({ language: "fr", text: "Vendu" });
    expect(withLanguage(withText(draft, "en", "Sold!"), "fr", pages).texts.at(-1)).toEqual({
      language: "fr",
      text: "",
    });
  });

  it("loses one language, and never the last", () => {
    const one = withoutLanguage(readDraft(inTwo), "en");
    expect(one.texts).toEqual([{ language: "de", text: "Hallo" }]);
    expect(withoutLanguage(one, "de")).toBe(one);
  });

  it("is shown to a reader in the language that comes nearest, as the page chooses", () => {
    expect(JSON.parse(messageFor(readDraft(inTwo), "de-AT"))).toEqual({ text: { de: "Hallo" }, severity: "warning" });
    expect(JSON.parse(messageFor(readDraft(inTwo), "fr"))).toEqual({ text: { en: "Hello" }, severity: "warning" });
    expect(JSON.parse(messageFor(readDraft("Hi"), "fr"))).toEqual({ text: "Hi", severity: "information" });
    expect(messageFor(readDraft(null), "fr")).toBe("");
  });
});

describe("what the operator is shown of a message", () => {
  const draft = readDraft({ text: { fr: "Bonjour", "pt-BR": "Olá", en: "Hello" }, severity: "warning" });
  it.each([
    [["en-GB", "fr"], "Hello"],
    [["de", "pt-BR"], "Olá"],
    [["de"], "Bonjour"],
  ])("to a reader of %j", (read, text) => {
    expect(textFor(draft, read)).toBe(text);
  });

  it("is nothing where there is none", () => {
    expect(textFor(readDraft(null), ["en"])).toBe("");
  });
});
