/** Addresses that a script makes from its own are of the room's routes, and not of folders in the source, whatever moves there. */
import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { expect, test } from "vitest";

const src = fileURLToPath(new URL("../../../../src", import.meta.url));
const files = readdirSync(src, { recursive: true, encoding: "utf8" }).filter((file) =>
  /^(web|features\/[^/]+)\/browser\/.*\.ts$/.test(file),
);

test("scripts of pages lead no further up than one step", () => {
  expect(files.length).toBeGreaterThan(20);
  const found = files.flatMap((file) =>
    [...readFileSync(join(src, file), "utf8").matchAll(/new URL\(\s*"(\.\.?\/[^"]*)"/g)].map(([, to = ""]) => to),
  );
  expect(found.length).toBeGreaterThan(0);
  expect(found.filter((to) => !/^\.\.?\/[a-z-]*$/.test(to))).toEqual([]);
});
