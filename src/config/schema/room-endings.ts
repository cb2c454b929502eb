/** Where visitors go on who meet no line: a room before its beginning and after its end, and pages on which nothing is left to wait for. */
import { z } from "zod";
import { unknownWord } from "../checks/faults.ts";
import { webAddressFault } from "../checks/urls.ts";
import { checked, eitherKind, list, mapping, time } from "./fields.ts";
import { withKind } from "./settings-codec.ts";
import { plainLine, type WordsInLanguage, wordsByLanguage, writeWords } from "./words-by-language.ts";

const WORDS = ["page", "pass_through"] as const;
const REDIRECT = "{ redirect: https://… }";
/** Of a link, and of a redirect. */
const webAddress = (what: string) => checked(what, webAddressFault);

/** A page, the site itself, or, in the program, the address to which visitors are sent. */
export type WhenWithoutLine = (typeof WORDS)[number] | `http${string}`;

/** What a room shows in a phase without a line. */
export function whenWithoutLine() {
  const word = z.enum(WORDS, {
    error: ({ input }) =>
      typeof input === "string"
        ? unknownWord("behaviour", input, [...WORDS, REDIRECT])
        : `expected one of ${WORDS.join(", ")}, ${REDIRECT}`,
  });
  const elsewhere = mapping({ redirect: webAddress("the address of a page") });
  const either = eitherKind<WhenWithoutLine>(
    elsewhere.transform(({ redirect }) => redirect as WhenWithoutLine),
    word,
  );
  return withKind(either, {
    anyOf: [word, elsewhere],
    write: (value: WhenWithoutLine) => (WORDS.some((each) => each === value) ? value : { redirect: value }),
  });
}

const link = mapping({
  label: wordsByLanguage(plainLine("what the link says", 60), "{ en: Other cities, de: Andere Städte }"),
  url: webAddress("the address of a page"),
});

/** In the order in which they are shown. */
export const roomLinks = withKind(list(link, 6, 1), {
  items: link,
  offExample: "[{ label: Other cities, url: https://shop.example.com/cities }]",
  write: (links: readonly { readonly label: readonly WordsInLanguage[]; readonly url: string }[]) =>
    links.map(({ label, url }) => ({ label: writeWords(label), url })),
});

export const nextSale = withKind(
  mapping({
    title: wordsByLanguage(plainLine("a title", 200), "{ en: Extra concert, de: Zusatzkonzert }"),
    starts_at: time(),
    url: webAddress("the address of a page"),
  }),
  { offExample: "{ title: Extra concert, starts_at: 2031-05-17T10:00:00Z, url: https://shop.example.com/extra }" },
);
