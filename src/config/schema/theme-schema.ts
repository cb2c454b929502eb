/** The shape of a theme in a configuration file, as written. What its files hold is read in theme-files.ts. */
import { z } from "zod";
import { pageLinkFault } from "../checks/urls.ts";
import { COLOR_NAMES, type ColorName } from "../themes/theme-colors.ts";
import { checked, list, mapping, text, wholeNumber } from "./fields.ts";
import { withKind } from "./kinds.ts";
import { canonicalTag, notATag, plainLine, plainText, wordsByLanguage } from "./words-by-language.ts";

const LOGO_HEIGHT_DEFAULT = 40;
const LINKS_MAX = 6;

const COLOR = /^#([\da-f]{3}|[\da-f]{6})$/i;
const NO_COLOR = 'expected a colour in hexadecimal digits, such as "#0b5d57" (in quotes: # begins a comment)';

/** Read as `#rrggbb`. */
export const color = withKind(z.string({ error: NO_COLOR }), {
  json: { pattern: "^#([\\da-fA-F]{3}){1,2}$", $comment: "`#rgb`, `#rrggbb`" },
})
  .refine((value) => COLOR.test(value), { error: NO_COLOR, abort: true })
  .transform((value) => value.toLowerCase().replace(/^#(.)(.)(.)$/, "#$1$1$2$2$3$3"));

/** What each colour is of. */
const COLORED: Readonly<Record<ColorName, string>> = {
  paper: "behind everything",
  card: "the card",
  ink: "words",
  soft: "lesser words",
  line: "between things",
  edge: "around buttons",
  accent: "buttons, the large number, what has the focus",
  on_accent: "words on these",
  tint: "behind the organiser's words",
  warn: "warnings",
  warn_tint: "behind them",
  bad: "errors",
};

/** Nothing at all is what `accent: #0b5d57` says without quotes, so that is no colour either. */
const colorsOfScheme = Object.fromEntries(
  COLOR_NAMES.map((name) => [name, color.optional().describe(COLORED[name])]),
) as Record<ColorName, z.ZodOptional<typeof color>>;
const file = text("the path of a file", 4_096);
const words = (what: string, lengthMax: number, example: string) =>
  wordsByLanguage(plainLine(what, lengthMax), example);

const logo = mapping({
  file: file.describe("SVG, PNG, WebP, JPEG or GIF, at most 32 KiB; relative to the configuration file"),
  dark_file: file.nullish().describe("another one for dark pages"),
  alt: words("what the logo says, for those who do not see it", 200, "{ en: Acme, de: Acme }").describe(
    "what it says, for visitors who do not see it; a text, or one for each language",
  ),
  height: wholeNumber(16, 96).default(LOGO_HEIGHT_DEFAULT).describe("in CSS pixels"),
  link: checked("an address, or none", (value) => (value === "none" ? null : pageLinkFault(value)))
    .default("none")
    .describe("opens in a new tab"),
});

const texts = z
  .record(z.string(), z.record(z.string(), z.unknown(), { error: "expected texts by their places in views/locales" }), {
    error: "expected texts by language, such as { en: { waiting.eyebrow: Foyer } }",
  })
  .superRefine((byTag, context) => {
    for (const tag of Object.keys(byTag)) {
      const canonical = canonicalTag(tag);
      if (canonical === tag) continue;
      context.addIssue({ code: "custom", path: [tag], message: canonical === null ? notATag : `write ${canonical}` });
    }
  });

/** A key that may be left out or empty has no value then. */
const common = {
  logo: logo.nullish().describe("stands in each page itself"),
  colors: mapping({
    ...colorsOfScheme,
    dark: mapping(colorsOfScheme).nullish().describe("the same names, for visitors who prefer dark pages"),
  })
    .nullish()
    .describe("in quotes; what is not given follows from the others; colours that cannot be told apart are a fault"),
  texts: texts
    .nullish()
    .describe("by language, and by their places in views/locales: `{ de: { waiting.eyebrow: Foyer } }`"),
  links: list(
    mapping({
      href: checked("an address", pageLinkFault).describe("where it leads"),
      label: words("what the link says", 60, "{ en: Help, de: Hilfe }").describe("a text, or one for each language"),
    }),
    LINKS_MAX,
  )
    .nullish()
    .describe("at the foot of the pages"),
  footer: wordsByLanguage(plainText("a text for the foot of the page", 1_000), "{ en: Imprint, de: Impressum }")
    .nullish()
    .describe("a text for the foot of the pages, or one for each language"),
  views: text("the path of a folder", 4_096)
    .nullish()
    .describe("templates of your own, relative to the configuration file"),
};

/** Of an issuer, whose rooms have titles of their own. */
export const issuerTheme = mapping(common);

export const roomTheme = mapping({
  ...common,
  title: words("a title", 200, "{ en: Autumn tour, de: Herbsttour }")
    .nullish()
    .describe("in place of the room's; a text, or one for each language"),
});

export type ThemeDocument = z.infer<typeof roomTheme>;
