/** The same numbers and sentences as of `shared/wording.ts`, for pages that are made by the thousand. */
import { createWording, type Values } from "../shared/wording.ts";

/** Digits of the longest number that is written quickly. */
const digitsMax = 9;
const partsMax = 2_000;
const partsOf = new Map<string, readonly string[]>();

/** As `fillText`: the text is cut at its names once. */
export function fillQuickly(text: string, values: Values): string {
  let parts = partsOf.get(text);
  if (parts === undefined) {
    parts = text.split(/\{(\w+)\}/);
    // Operators' own texts can be changed at run time.
    if (partsOf.size >= partsMax) partsOf.clear();
    partsOf.set(text, parts);
  }
  let filled = parts[0] ?? "";
  for (let index = 1; index < parts.length; index += 2) {
    const name = parts[index] as string;
    filled += `${values[name] ?? `{${name}}`}${parts[index + 1]}`;
  }
  return filled;
}

/** A language's ways with numbers and plural forms. */
export function createQuickWording(tag: string): ReturnType<typeof createWording> {
  const { number: format, plural } = createWording(tag);
  const digits = Array.from({ length: 10 }, (_, digit) => format(digit));
  const isPlain = digits.every((shown, digit) => shown === String(digit));
  const shapes = Array.from({ length: digitsMax }, (_, index) =>
    shapeOf(format(Number("1".repeat(index + 1))), index + 1),
  );

  /** How many digits stand in each group, and what between them. Null: other than in groups. */
  function shapeOf(shown: string, length: number): { sizes: readonly number[]; between: string } | null {
    const one = digits[1] as string;
    const [between = ""] = shown.split(one).filter((rest) => rest !== "");
    const groups = between === "" ? [shown] : shown.split(between);
    const sizes = groups.map((group) => group.length / one.length);
    const isWhole = groups.every((group, index) => group === one.repeat(sizes[index] ?? 0));
    return isWhole && sizes.reduce((sum, size) => sum + size, 0) === length ? { sizes, between } : null;
  }

  function number(value: number): string {
    const written = String(value);
    // Of the language's own digits, fractions and numbers below zero the language knows more.
    const shape = isPlain && Number.isInteger(value) && value >= 0 ? shapes[written.length - 1] : undefined;
    if (shape == null) return format(value);
    const { sizes, between } = shape;
    let at = sizes[0] as number;
    let shown = written.slice(0, at);
    for (let index = 1; index < sizes.length; index++) {
      const size = sizes[index] as number;
      shown += between + written.slice(at, at + size);
      at += size;
    }
    return shown;
  }

  return { number, plural };
}
