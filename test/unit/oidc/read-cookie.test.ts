import fc from "fast-check";
import { expect, test } from "vitest";
import { readCookie } from "../../../src/oidc/gate/visitor-cookies.ts";

/** RFC 6265, section 4.2.1, and spaces wherever browsers and proxies put them. */
function byTheBook(header: string, name: string): string | undefined {
  const found = header
    .split(";")
    .map((pair) => pair.replace(/^ +/, ""))
    .find((pair) => pair.startsWith(`${name}=`));
  return found?.slice(name.length + 1).trim();
}

test("the first cookie of the name is read, wherever it stands, and no other whose name ends alike", () => {
  const piece = fc.constantFrom("a", "=", ";", " ", "usher", "usher=", "-usher=1", "x; usher=2");
  fc.assert(
    fc.property(fc.array(piece, { maxLength: 14 }), (pieces) => {
      const header = pieces.join("");
      expect(readCookie(header, "usher")).toBe(byTheBook(header, "usher"));
    }),
    { numRuns: 2_000 },
  );
});

test.each([undefined, "", ";;;", "usher"])("there is none in %j", (header) => {
  expect(readCookie(header, "usher")).toBeUndefined();
});
