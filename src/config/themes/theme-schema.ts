/** The shape of a theme in a configuration file, as written. What its files hold is read in theme-files.ts. */
import { z } from "zod";
import { pageLinkFault } from "../checks/urls.ts";
import { checked, list, mapping, text, wholeNumber } from "../schema/fields.ts";
import { withKind } from "../schema/settings-codec.ts";
import {
  canonicalTag,
  notATag,
  plainLine,
  plainText,
  whileWaiting,
  wordsByLanguage,
} from "../schema/words-by-language.ts";
import { COLOR_NAMES, type ColorName } from "./theme-colors.ts";

const COLOR = /^#([\da-f]{3}|[\da-f]{6})$/i;
const NO_COLOR = 'expected a colour in hexadecimal digits, such as "#0b5d57" (in quotes: # begins a comment)';

/** Read as `#rrggbb`. */
export const color = withKind(z.string({ error: NO_COLOR }), {
  json: { pattern: "^#([\\da-fA-F]{3}){1,2}$", $comment: "`#rgb`, `#rrggbb`" },
})
  .refine((value) => COLOR.test(value), { error: NO_COLOR, abort: true })
  .transform((value) => value.toLowerCase().replace(/^#(.)(.)(.)$/, "#$1$1$2$2$3$3"));

/** Nothing at all is what `accent: #0b5d57` says without quotes, so that is no colour either. */
const colorsOfScheme = Object.fromEntries(COLOR_NAMES.map((name) => [name, color.optional()])) as Record<
  ColorName,
  z.ZodOptional<typeof color>
>;
const file = text("the path of a file", 4_096);
const words = (what: string, lengthMax: number, example: string) =>
  wordsByLanguage(plainLine(what, lengthMax), example);

const logo = mapping({
  file: file,
  dark_file: file.nullish(),
  alt: words("what the logo says, for those who do not see it", 200, "{ en: Acme, de: Acme }"),
  height: wholeNumber(16, 96).default(40),
  link: checked("an address, or none", (value) => (value === "none" ? null : pageLinkFault(value))).default("none"),
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
  logo: logo.nullish(),
  colors: mapping({ ...colorsOfScheme, dark: mapping(colorsOfScheme).nullish() }).nullish(),
  texts: texts.nullish(),
  links: list(
    mapping({
      href: checked("an address", pageLinkFault),
      label: words("what the link says", 60, "{ en: Help, de: Hilfe }"),
    }),
    6,
  ).nullish(),
  footer: wordsByLanguage(
    plainText("a text for the foot of the page", 1_000),
    "{ en: Imprint, de: Impressum }",
  ).nullish(),
  while_waiting: whileWaiting.nullish(),
  views: text("the path of a folder", 4_096).nullish(),
};

/** Of an issuer, whose rooms have titles of their own. */
export const issuerTheme = mapping(common);

export const roomTheme = mapping({
  ...common,
  title: words("a title", 200, "{ en: Autumn tour, de: Herbsttour }").nullish(),
});

const NAMED_MAX = 20;
const noName = "expected a name of lower-case letters, digits and hyphens, at most 32, not beginning with a hyphen";

/** Those that links to a room may name. */
export const namedThemes = z
  .record(z.string(), roomTheme, { error: "expected themes by name, such as { fans: { title: … } }" })
  .superRefine((byName, context) => {
    const names = Object.keys(byName);
    if (names.length > NAMED_MAX) {
      context.addIssue({ code: "custom", message: `expected at most ${NAMED_MAX} themes` });
    }
    for (const name of names) {
      if (!/^[a-z0-9][a-z0-9-]{0,31}$/.test(name)) context.addIssue({ code: "custom", path: [name], message: noName });
    }
  });

export type ThemeDocument = z.infer<typeof roomTheme>;
