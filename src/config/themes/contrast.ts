/**
 * How well colours can be distinguished: WCAG 2.2, "contrast ratio" and "relative luminance". Colours are `#rrggbb`.
 */

/** From 1 (the same) to 21 (black on white). */
export function contrastOf(one: string, other: string): number {
  const [darker = 0, lighter = 0] = [luminanceOf(one), luminanceOf(other)].sort((a, b) => a - b);
  return (lighter + 0.05) / (darker + 0.05);
}

/** From 0 (black) to 1 (white). */
export function luminanceOf(color: string): number {
  const [red = 0, green = 0, blue = 0] = channelsOf(color).map((channel) => {
    const share = channel / 255;
    return share <= 0.040_45 ? share / 12.92 : ((share + 0.055) / 1.055) ** 2.4;
  });
  return 0.2126 * red + 0.7152 * green + 0.0722 * blue;
}

/** @param share of `color` in the mixture, from 0 to 1; the rest is `ground` */
export function mixColors(color: string, ground: string, share: number): string {
  const grounds = channelsOf(ground);
  const mixed = channelsOf(color).map((channel, index) =>
    Math.round(channel * share + (grounds[index] ?? 0) * (1 - share)),
  );
  return `#${mixed.map((channel) => channel.toString(16).padStart(2, "0")).join("")}`;
}

function channelsOf(color: string): number[] {
  return [1, 3, 5].map((at) => Number.parseInt(color.slice(at, at + 2), 16));
}
