import { describe, expect, it } from "vitest";
import { Positions } from "../../../src/events/positions.ts";

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
