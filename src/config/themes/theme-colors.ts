/** The colours of the pages: what a theme may name, what follows from that, and which must be told apart. */

/** As `--on-accent` in views/styles/base.css, which has the same values. */
export const COLOR_NAMES = [
  "paper",
  "card",
  "ink",
  "soft",
  "line",
  "edge",
  "accent",
  "on_accent",
  "tint",
  "warn",
  "warn_tint",
  "bad",
] as const;
export type ColorName = (typeof COLOR_NAMES)[number];
export const SCHEMES = ["light", "dark"] as const;
export type Scheme = (typeof SCHEMES)[number];

/** Each `#rrggbb`. */
export type Palette = Readonly<Record<ColorName, string>>;
export type Palettes = Readonly<Record<Scheme, Palette>>;
/** As an operator wrote them, `#rrggbb`. */
export type WrittenColors = Readonly<Record<Scheme, Partial<Palette>>>;

export const DEFAULT_PALETTES: Palettes = {
  light: {
    paper: "#f3f1ec",
    card: "#ffffff",
    ink: "#1b232c",
    soft: "#555e69",
    line: "#dcd8cf",
    edge: "#7a818a",
    accent: "#0b5d57",
    on_accent: "#ffffff",
    tint: "#e4efec",
    warn: "#8a4b00",
    warn_tint: "#fdf1de",
    bad: "#a3261f",
  },
  dark: {
    paper: "#11161b",
    card: "#1a2128",
    ink: "#eef1f3",
    soft: "#aab3bc",
    line: "#303a44",
    edge: "#7f8a95",
    accent: "#74d3c4",
    on_accent: "#06231f",
    tint: "#17302f",
    warn: "#f2b866",
    warn_tint: "#33270f",
    bad: "#ff9d94",
  },
};

/** WCAG 2.2, 1.4.3 and 1.4.11. Text from 24 px is large, and so is the place in line. */
const NEEDED = { text: 4.5, large: 3, control: 3 } as const;

interface Pair {
  readonly front: ColorName;
  readonly back: ColorName;
  readonly use: keyof typeof NEEDED;
}

/** Every pair that the stylesheets draw so that somebody must see it. */
const COLOR_PAIRS: readonly Pair[] = [
  ...(["paper", "card", "tint", "warn_tint"] as const).map((back) => ({ front: "ink", back, use: "text" }) as const),
  ...(["paper", "card"] as const).map((back) => ({ front: "soft", back, use: "text" }) as const),
  { front: "on_accent", back: "accent", use: "text" },
  // The button while the line stands still.
  { front: "card", back: "warn", use: "text" },
  { front: "warn", back: "warn_tint", use: "text" },
  { front: "bad", back: "paper", use: "text" },
  { front: "card", back: "bad", use: "text" },
  { front: "accent", back: "card", use: "large" },
  // What has the focus is outlined.
  { front: "accent", back: "paper", use: "control" },
  // How far the bar has come.
  { front: "accent", back: "line", use: "control" },
  // While the line stands still, that is the accent.
  { front: "warn", back: "paper", use: "control" },
  { front: "warn", back: "line", use: "control" },
  ...(["paper", "card"] as const).map((back) => ({ front: "edge", back, use: "control" }) as const),
];

/** All colours of both schemes: those that were written, and what follows from them. */
export function completeColors(written: WrittenColors): Palettes {
  return {
    light: completePalette(written.light, "light", undefined),
    dark: completePalette(written.dark, "dark", written.light.accent),
  };
}

/** @param accentByDay where the scheme has no accent of its own, it gets this one, made as light or dark as it needs */
function completePalette(chosen: Partial<Palette>, scheme: Scheme, accentByDay: string | undefined): Palette {
  const ground = chosen.card ?? chosen.paper;
  const usual = ground === undefined ? DEFAULT_PALETTES[scheme] : DEFAULT_PALETTES[isDark(ground) ? "dark" : "light"];
  const paper = chosen.paper ?? usual.paper;
  const card = chosen.card ?? usual.card;
  const ink = chosen.ink ?? usual.ink;
  const hasGround = ground !== undefined || chosen.ink !== undefined;
  const accent = chosen.accent ?? (accentByDay === undefined ? usual.accent : seenOn(accentByDay, [paper, card]));
  const warn = chosen.warn ?? usual.warn;
  const hasAccent = accent !== usual.accent;
  const inkMixed = (shares: readonly number[], suits: (mixed: string) => boolean) =>
    firstThat(
      shares.map((share) => mixColors(ink, card, share)),
      suits,
    );
  const onGrounds = (needed: number) => (color: string) => isSeen(color, [paper, card], needed);
  return {
    paper,
    card,
    ink,
    soft: chosen.soft ?? (hasGround ? inkMixed([0.72, 0.85, 1], onGrounds(NEEDED.text)) : usual.soft),
    edge: chosen.edge ?? (hasGround ? inkMixed([0.55, 0.7, 0.85, 1], onGrounds(NEEDED.control)) : usual.edge),
    line:
      chosen.line ??
      (hasGround || hasAccent
        ? inkMixed([0.18, 0.12, 0.06, 0], (line) =>
            [accent, warn].every((each) => isSeen(each, [line], NEEDED.control)),
          )
        : usual.line),
    accent,
    on_accent: chosen.on_accent ?? (hasAccent ? clearerOf("#ffffff", "#000000", accent) : usual.on_accent),
    tint:
      chosen.tint ??
      (hasGround || hasAccent
        ? firstThat([mixColors(accent, card, 0.1), card], (tint) => isSeen(ink, [tint], NEEDED.text))
        : usual.tint),
    warn,
    warn_tint: chosen.warn_tint ?? usual.warn_tint,
    bad: chosen.bad ?? usual.bad,
  };
}

/** What is wrong with a pair of colours. */
export interface ContrastFault extends Pair {
  readonly scheme: Scheme;
  readonly message: string;
}

export function findContrastFaults(palettes: Palettes): ContrastFault[] {
  return SCHEMES.flatMap((scheme) =>
    COLOR_PAIRS.flatMap((pair) => {
      const [front, back] = [palettes[scheme][pair.front], palettes[scheme][pair.back]];
      const ratio = contrastOf(front, back);
      if (ratio >= NEEDED[pair.use]) return [];
      const measured = `${pair.front} (${front}) on ${pair.back} (${back}) has a contrast of ${formatRatio(ratio)}:1`;
      const colors = scheme === "dark" ? "dark colours" : "colours";
      return [{ ...pair, scheme, message: `${colors}: ${measured}; ${uses[pair.use]} at least ${NEEDED[pair.use]}:1` }];
    }),
  );
}

const uses: Readonly<Record<Pair["use"], string>> = {
  text: "text needs",
  large: "large text needs",
  control: "controls need",
};

/** Never rounded up to what is needed. */
const formatRatio = (ratio: number) => (Math.floor(ratio * 100) / 100).toFixed(2);

/** Below this, white is seen better than black. */
const isDark = (color: string) => luminanceOf(color) < 0.179;

const isSeen = (color: string, grounds: readonly string[], needed: number) =>
  grounds.every((ground) => contrastOf(color, ground) >= needed);

function clearerOf(one: string, other: string, ground: string): string {
  return contrastOf(one, ground) >= contrastOf(other, ground) ? one : other;
}

/** The color itself, or as much of white or black with it as it takes. */
function seenOn(color: string, grounds: readonly string[]): string {
  const end = isDark(grounds[0] ?? "") ? "#ffffff" : "#000000";
  const shares = Array.from({ length: 21 }, (_, step) => 1 - step / 20);
  return firstThat(
    shares.map((share) => mixColors(color, end, share)),
    (mixed) => isSeen(mixed, grounds, NEEDED.text),
  );
}

/** The last where none suits. */
function firstThat(colors: readonly string[], suits: (color: string) => boolean): string {
  return colors.find(suits) ?? colors.at(-1) ?? "";
}

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
