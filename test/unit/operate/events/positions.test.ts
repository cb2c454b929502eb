import { describe, expect, it } from "vitest";
import { Positions } from "../../../../src/operate/events/positions.ts";

describe("the position of a reader", () => {
  it("is where it began, in lines that have told nothing, and behind the last event in others", () => {
    const positions = new Positions(100);
    positions.moveTo("shop", 250);
    positions.moveTo("shop", 240);
    expect([positions.of("shop"), positions.of("bar~0a1b")]).toEqual([250, 100]);
    const read = Positions.read(String(positions));
    expect(String(read)).toBe("100;shop=250");
    expect([read?.of("shop"), read?.of("*")]).toEqual([250, 100]);
  });

  it("stays short: what all lines have told goes into where they begin", () => {
    const positions = new Positions(100);
    positions.moveTo("shop", 250);
    positions.moveTo("bar", 900);
    positions.raise(500);
    positions.raise(300);
    expect(String(positions)).toBe("500;bar=900");
    expect(positions.of("shop")).toBe(500);
  });

  it("names the lines that moved last where there are a thousand, and is behind in the others, never ahead", () => {
    const positions = new Positions(100);
    const lines = Array.from({ length: 1_000 }, (_, index) => `room-${index}`);
    for (const [index, line] of lines.entries()) positions.moveTo(line, 17_600_000_000_000 + index);
    positions.moveTo("room-3", 17_600_000_009_999);
    const text = String(positions);
    expect(text.length).toBeLessThanOrEqual(1_024);
    const read = Positions.read(text);
    const named = lines.filter((line) => read?.of(line) === positions.of(line));
    expect(named).toEqual(["room-3", ...lines.slice(-(named.length - 1))]);
    expect(named.length).toBeGreaterThan(30);
    const others = lines.filter((line) => !named.includes(line));
    expect(new Set(others.map((line) => read?.of(line)))).toEqual(new Set([100]));
  });

  it.each([
    "",
    "x",
    "1;shop",
    "1;shop=",
    "1;shop=2;",
    "1;SHOP=2",
    "-1",
    "1;sh op=2",
    `1${";a=1".repeat(3_000)}`,
    "1".repeat(17),
  ])("is none of %#", (text) => {
    expect(Positions.read(text)).toBeNull();
  });
});
