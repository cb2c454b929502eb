/** The console names the command of a client's relying party. */
import { expect, test } from "vitest";
import { PARTIES } from "../../../../src/features/snippets/render.ts";
import { profiles, snippetCommand } from "../../../../src/operate/console/records/client-setup.ts";

test("each relying party for which the console names a snippet has one", () => {
  const parties: readonly string[] = PARTIES;
  const named = Object.keys(profiles).flatMap((each) => snippetCommand("a", each)?.split(" ")[2] ?? []);
  expect(named.length).toBeGreaterThan(5);
  expect(named.filter((each) => !parties.includes(each))).toEqual([]);
});
