import { contrastOf, DEFAULT_PALETTES, mixColors, type Palette } from "../../../config/index.ts";
import type { Theme } from "../types.ts";

/** The colours of a theme as a stylesheet that stands behind the others; empty where the theme has none. */
export function colorSheet({ colors }: Theme): string {
  if (colors === null) return "";
  const { light, dark } = colors;
  return [
    `:root{${declare(light)}}`,
    `@media (prefers-color-scheme:dark){:root{${declare(dark)}}}`,
    // Where the system's colours are forced, they stay.
    `@media (forced-colors:none){[data-state="held"] .card,[data-state="turn"] .card{${declareDoor(light)}}}`,
  ].join("");
}

function declare(palette: Palette): string {
  return Object.entries(palette)
    .map(([name, color]) => `--${name.replace("_", "-")}:${color}`)
    .join(";");
}

/** The door that opens has the accent of the day for its ground, by night as well. */
function declareDoor({ accent: ground, on_accent: ink }: Palette): string {
  const soft = (share: number, needed: number) => {
    const mixed = mixColors(ink, ground, share);
    return contrastOf(mixed, ground) >= needed ? mixed : ink;
  };
  // Behind the bar, which has the ink's colour.
  const line = [0.25, 0.18, 0.12, 0.06]
    .map((share) => mixColors(ink, ground, share))
    .find((mixed) => contrastOf(ink, mixed) >= 3);
  return [
    `--soft:${soft(0.82, 4.5)}`,
    `--ink:${ink}`,
    `--line:${line ?? ground}`,
    `--edge:${soft(0.6, 3)}`,
    `--accent:${ink}`,
    `--on-accent:${ground}`,
    `background:${ground}`,
    `color:${ink}`,
  ].join(";");
}

/** The icon of a page as an address that holds it: three people in a line. It may stand in an attribute as it is. */
export function iconAddress(theme: Pick<Theme, "colors">): string {
  const { ground, ink } = headColors(theme).icon;
  const dots = [
    "cx='8' cy='16' r='2.5' opacity='.5'",
    "cx='15' cy='16' r='3' opacity='.75'",
    "cx='23.5' cy='16' r='4'",
  ].map((dot) => `%3Ccircle ${dot}/%3E`);
  const square = `%3Crect width='32' height='32' rx='9' fill='%23${ground.slice(1)}'/%3E`;
  const svg = "%3Csvg xmlns='http://www.w3.org/2000/svg' viewBox='0 0 32 32'%3E";
  return `data:image/svg+xml,${svg}${square}%3Cg fill='%23${ink.slice(1)}'%3E${dots.join("")}%3C/g%3E%3C/svg%3E`;
}

/** What stands in the page's head. */
export function headColors({ colors }: Pick<Theme, "colors">) {
  const { light, dark } = colors ?? DEFAULT_PALETTES;
  return { paper: { light: light.paper, dark: dark.paper }, icon: { ground: light.accent, ink: light.on_accent } };
}
