/**
 * What a schema cannot check in themes: the contrast of their colours, merged over those below. Works on the raw
 * document.
 */
import { type Fault, faultAt } from "../checks/faults.ts";
import { type Path, valueAt } from "../raw-document.ts";
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
  const faults = themePlaces(raw).flatMap((stack) => {
    const path = stack.at(-1) ?? [];
    const own = colorsAt(raw, path);
    if (!isColored(own)) return [];
    const ground = layColors(stack.slice(0, -1).map((each) => colorsAt(raw, each)));
    // Faults of the theme below are reported there.
    const before = new Set(findContrastFaults(completeColors(ground)).map(({ message }) => message));
    return findContrastFaults(completeColors(layColors([ground, own])))
      .filter(({ message }) => !before.has(message))
      .map((fault) => faultAt(raw, placeOf(fault, own, path), fault.message));
  });
  return [...new Map(faults.map((fault) => [`${fault.path} ${fault.message}`, fault])).values()];
}

/** Name by name, the lowest first. */
export function layColors(layers: readonly WrittenColors[]): WrittenColors {
  const merged = (scheme: Scheme): Partial<Palette> => Object.assign({}, ...layers.map((each) => each[scheme]));
  return { light: merged("light"), dark: merged("dark") };
}

export function isColored(colors: WrittenColors): boolean {
  return SCHEMES.some((scheme) => Object.keys(colors[scheme]).length > 0);
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
