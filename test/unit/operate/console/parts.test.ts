/** What forms say at which entry, and what a long list is found by. */
import { describe, expect, it } from "vitest";
import { allPages } from "../../../../src/operate/console/api/requests.ts";
import { faultsAt, faultsElsewhere, faultsOf } from "../../../../src/operate/console/forms/draft.ts";
import { rowsWith } from "../../../../src/operate/console/parts/list-table.tsx";

const faults = [
  { path: "redirect_uris[0]", message: "a fragment is not allowed" },
  { path: "redirect_uris[11]", message: "expected an address" },
  { path: "redirect_uris", message: "required" },
  { path: "redirect", message: "unknown key" },
  { path: "jwks.keys[0].kty", message: "required" },
  { path: "", message: "expected an object" },
];

describe("what is wrong in a form", () => {
  it("is said at its entry, of an item by its number as people count", () => {
    expect(faultsAt(faults, "redirect_uris")).toEqual([
      "1: a fragment is not allowed",
      "12: expected an address",
      "required",
    ]);
    expect(faultsAt(faults, "jwks")).toEqual(["keys[0].kty: required"]);
    expect(faultsAt(faults, "room")).toEqual([]);
  });

  it("is said of the whole where no entry has it", () => {
    const elsewhere = faultsElsewhere(faults, ["redirect_uris", "jwks"]).map(({ path }) => path);
    expect(elsewhere).toEqual(["redirect", ""]);
  });

  it("is nothing where the gateway names no entries", () => {
    expect(faultsOf(null)).toEqual([]);
    expect(faultsOf({ status: 409, text: "taken", answer: { error: "conflict", error_description: "taken" } })).toEqual(
      [],
    );
  });
});

describe("a long list", () => {
  const rows = [
    { name: "Box Office", note: null },
    { name: "alb", note: "Der Laden <b>" },
    { name: "(.*", note: null },
  ];
  const found = (wanted: string) => rowsWith(rows, wanted, ({ name, note }) => [name, note]).map(({ name }) => name);

  it("is found in by all words, in whatever case and order, and by no pattern", () => {
    expect(found("")).toHaveLength(3);
    expect(found(" office  BOX ")).toEqual(["Box Office"]);
    expect(found("laden alb")).toEqual(["alb"]);
    expect(found("(.*")).toEqual(["(.*"]);
    expect(found("<b>")).toEqual(["alb"]);
    expect(found("box laden")).toEqual([]);
  });

  it("comes as a whole, page by page", async () => {
    const asked: (string | undefined)[] = [];
    const pages = await allPages(async ({ limit, cursor }) => {
      asked.push(cursor);
      return { limit, next_cursor: cursor === undefined ? "a" : cursor === "a" ? "b" : null };
    });
    expect(asked).toEqual([undefined, "a", "b"]);
    expect(pages.map(({ limit }) => limit)).toEqual([500, 500, 500]);
  });
});
