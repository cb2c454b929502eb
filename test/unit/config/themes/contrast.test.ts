import { readFileSync } from "node:fs";
import { fileURLToPath } from "node:url";
import { describe, expect, test } from "vitest";
import {
  COLOR_NAMES,
  completeColors,
  contrastOf,
  DEFAULT_PALETTES,
  findContrastFaults,
  luminanceOf,
  mixColors,
  SCHEMES,
} from "../../../../src/config/themes/theme-colors.ts";

const baseSheet = readFileSync(fileURLToPath(new URL("../../../../views/styles/base.css", import.meta.url)), "utf8");

describe("contrast", () => {
  // Known from the tools that people check with, such as WebAIM's.
  test.each([
    ["#000000", "#ffffff", "21.00"],
    ["#ffffff", "#ffffff", "1.00"],
    ["#767676", "#ffffff", "4.54"],
    ["#777777", "#ffffff", "4.48"],
    ["#949494", "#ffffff", "3.03"],
    ["#ff0000", "#ffffff", "4.00"],
    ["#0000ff", "#ffffff", "8.59"],
    ["#ffff00", "#000000", "19.56"],
  ])("of %s and %s is %s, whichever is in front", (one, other, ratio) => {
    expect(contrastOf(one, other).toFixed(2)).toBe(ratio);
    expect(contrastOf(other, one).toFixed(2)).toBe(ratio);
  });

  test("goes by the luminance of WCAG", () => {
    expect(luminanceOf("#00ff00")).toBeCloseTo(0.7152, 6);
    // Both branches of the curve.
    expect(luminanceOf("#0a0a0a")).toBeCloseTo(0.003_035, 6);
  });

  test("mixtures are by share", () => {
    expect(mixColors("#ff8000", "#000000", 0.5)).toBe("#804000");
    expect(mixColors("#123456", "#ffffff", 1)).toBe("#123456");
  });
});

describe("the built-in colours", () => {
  test("are those of the stylesheet", () => {
    const [light = "", dark = ""] = baseSheet.split("prefers-color-scheme: dark");
    const valueIn = (css: string, name: string) => {
      const value = new RegExp(`--${name.replace("_", "-")}: (#\\w+);`).exec(css)?.[1] ?? "";
      return value.length === 4 ? value.replace(/[^#]/g, "$&$&") : value;
    };
    for (const name of COLOR_NAMES) {
      expect(valueIn(light, name), name).toBe(DEFAULT_PALETTES.light[name]);
      expect(valueIn(dark, name), name).toBe(DEFAULT_PALETTES.dark[name]);
    }
  });

  test("are told apart", () => {
    expect(findContrastFaults(DEFAULT_PALETTES)).toEqual([]);
    expect(completeColors({ light: {}, dark: {} })).toEqual(DEFAULT_PALETTES);
  });
});

describe("what is not given", () => {
  test.each(["#8a1538", "#003399", "#5b2d8c", "#000000", "#b34700", "#6b6b00", "#c2185b"])(
    "follows from an accent of %s so that all is told apart, by night as well",
    (accent) => {
      const palettes = completeColors({ light: { accent }, dark: {} });
      expect(palettes.light.accent).toBe(accent);
      expect(palettes.dark.accent).not.toBe(DEFAULT_PALETTES.dark.accent);
      expect(findContrastFaults(palettes)).toEqual([]);
    },
  );

  test("is black or white on the accent, whichever is seen better", () => {
    const onAccent = (accent: string) => completeColors({ light: { accent }, dark: {} }).light.on_accent;
    expect([onAccent("#ffd400"), onAccent("#003399")]).toEqual(["#000000", "#ffffff"]);
  });

  test.each([
    ["dark pages by day", { paper: "#000000", card: "#16161d", ink: "#f5f5f5", accent: "#ffd400" }],
    ["light ones of another kind", { paper: "#fff8e7", card: "#fffdf8", ink: "#2b1d0e", accent: "#7a3e00" }],
    ["paper alone", { paper: "#ffffff" }],
    ["ink alone", { ink: "#3a2a4a" }],
  ])("suits %s", (_, light) => {
    expect(findContrastFaults(completeColors({ light, dark: {} }))).toEqual([]);
    if ("card" in light) expect(findContrastFaults(completeColors({ light, dark: light }))).toEqual([]);
  });

  test("stays as it is built where nothing of it changes", () => {
    const { light, dark } = completeColors({ light: { bad: "#8b0000" }, dark: {} });
    expect(light).toEqual({ ...DEFAULT_PALETTES.light, bad: "#8b0000" });
    expect(dark).toEqual(DEFAULT_PALETTES.dark);
    expect(SCHEMES).toHaveLength(2);
  });
});

test("a pair that is not told apart is named with its contrast and what it needs, never rounded up", () => {
  const faults = findContrastFaults(completeColors({ light: { soft: "#777777" }, dark: { edge: "#1a2129" } }));
  expect(faults.map(({ message }) => message)).toEqual([
    "colours: soft (#777777) on paper (#f3f1ec) has a contrast of 3.96:1; text needs at least 4.5:1",
    "colours: soft (#777777) on card (#ffffff) has a contrast of 4.47:1; text needs at least 4.5:1",
    "dark colours: edge (#1a2129) on paper (#11161b) has a contrast of 1.12:1; controls need at least 3:1",
    "dark colours: edge (#1a2129) on card (#1a2128) has a contrast of 1.00:1; controls need at least 3:1",
  ]);
});
