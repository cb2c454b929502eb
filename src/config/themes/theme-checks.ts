/**
 * What a schema cannot check in themes: the contrast of their colours, merged over those below. Works on the raw
 * document.
 */
import { type Fault, faultAt } from "../checks/faults.ts";
import { type Path, valueAt } from "../resolve/raw-document.ts";
import { color } from "../schema/theme-schema.ts";
import {
  COLOR_NAMES,
  type ContrastFault,
  completeColors,
  findContrastFaults,
  type Palette,
  SCHEMES,
  type Scheme,
  type WrittenColors,
} from "./theme-colors.ts";
import { themePlaces } from "./theme-places.ts";

export function checkThemes(raw: unknown): Fault[] {
  return themePlaces(raw).flatMap(({ path, over }) => {
    const own = colorsAt(raw, path);
    if (SCHEMES.every((scheme) => Object.keys(own[scheme]).length === 0)) return [];
    const faults = over.flatMap((below) => {
      const ground = below.map((each) => colorsAt(raw, each)).reduce(layColors, noColors);
      // Faults of the theme below are reported there.
      const before = new Set(findContrastFaults(completeColors(ground)).map(({ message }) => message));
      return findContrastFaults(completeColors(layColors(ground, own))).filter(({ message }) => !before.has(message));
    });
    const once = new Map(faults.map((fault) => [fault.message, fault]));
    return [...once.values()].map((fault) => faultAt(raw, placeOf(fault, own, path), fault.message));
  });
}

const noColors: WrittenColors = { light: {}, dark: {} };

/** Name by name. */
export function layColors(below: WrittenColors, above: WrittenColors): WrittenColors {
  return { light: { ...below.light, ...above.light }, dark: { ...below.dark, ...above.dark } };
}

/** The values that can be read as colours; the schema reports the others. */
function colorsAt(raw: unknown, theme: Path): WrittenColors {
  const read = (...scheme: Path): Partial<Palette> =>
    Object.fromEntries(
      COLOR_NAMES.flatMap((name) => {
        const { data } = color.safeParse(valueAt(raw, [...theme, "colors", ...scheme, name]));
        return data === undefined ? [] : [[name, data]];
      }),
    );
  return { light: read(), dark: read("dark") };
}

/** At the colour of the pair that stands here; at all of them where neither does. */
function placeOf({ scheme, front, back }: ContrastFault, own: WrittenColors, theme: Path): Path {
  const name = [front, back].find((each) => own[scheme][each] !== undefined);
  const place = (of: Scheme) => [...theme, "colors", ...(of === "dark" ? ["dark"] : [])];
  return name === undefined ? [...theme, "colors"] : [...place(scheme), name];
}
