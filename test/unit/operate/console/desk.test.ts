/** What goes into an address and what does not, by what a link goes, and when it ends. */
import { describe, expect, it } from "vitest";
import { leftInWords, leftMsOf } from "../../../../src/operate/console/desk/bypass-control.tsx";
import { isNumber, readRef, refOfLink, type Visitor } from "../../../../src/operate/console/desk/visitors.ts";

const sub = "shop.AAAAAAAAAAAAAAAAAAAAAA";

describe("what is written to find a visitor", () => {
  it.each(["4711", sub, "place_expired", "w1"])("%s goes into the address", (written) => {
    expect(readRef(written)).toEqual({ ref: written });
  });

  it.each(["w1.k.p.m", '"c1.k.p.m"', "usher=w1.k.p.m; x", "../../web/browser", "../.."])("%s does not", (written) => {
    expect(readRef(written)).toBe(null);
  });

  it("may be two numbers only where it is one", () => {
    expect(["1", "0", "01", sub, "1".repeat(16)].map((ref) => isNumber({ ref }))).toEqual([
      true,
      ...Array(4).fill(false),
    ]);
  });
});

describe("a link for support", () => {
  const place = { state: "waiting", position: 7, entry: null } as Visitor["place"];
  const of = (found: Partial<Visitor>, asked: Parameters<typeof refOfLink>[1] = null) =>
    refOfLink({ sub: null, place: null, admission: null, ...found } as Visitor, asked);

  it("goes by what was asked, and for a ticket by what tells as much", () => {
    expect(of({ sub, place }, { ref: "7", by: "entry" })).toEqual({ ref: "7", by: "entry" });
    expect(of({ sub, place })).toEqual({ ref: "7", by: "position" });
    expect(of({ sub, place: { ...place, state: "entered", position: null, entry: 3 } as Visitor["place"] })).toEqual({
      ref: "3",
      by: "entry",
    });
    expect(of({ sub, place, admission: {} as Visitor["admission"] })).toEqual({ ref: sub });
    expect(of({ sub })).toEqual({ ref: sub });
  });

  it("is not offered where nobody was found", () => {
    expect([of({}), of({}, { ref: "7" })]).toEqual([null, null]);
  });
});

describe("the end of a link", () => {
  it("is reckoned from the gateway's time, whatever this computer's clock says", () => {
    const at = "2026-05-01T10:03:00Z";
    const nowMs = Date.parse("2026-05-01T12:00:00Z");
    expect(leftMsOf(at, "Fri, 01 May 2026 10:00:00 GMT", nowMs)).toBe(180_000);
    expect(leftMsOf(at, null, nowMs)).toBe(Date.parse(at) - nowMs);
  });

  it("is written in minutes and seconds", () => {
    expect([180_000, 65_999, 9_000, 1].map(leftInWords)).toEqual(["3:00", "1:05", "0:09", "0:00"]);
  });
});
