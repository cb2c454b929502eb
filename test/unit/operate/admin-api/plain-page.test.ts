/** Plain pages for operators have the console's colours, though they load nothing of it. */
import { readFileSync } from "node:fs";
import { expect, test } from "vitest";

const read = (path: string) => readFileSync(new URL(`../../../../${path}`, import.meta.url), "utf8");

/** The custom properties of a stylesheet: of the light scheme, and of the dark one. */
function tokensOf(css: string): Map<string, string>[] {
  return css
    .split("@media (prefers-color-scheme: dark)")
    .map(
      (scheme) =>
        new Map(Array.from(scheme.matchAll(/^ +(--[\w-]+): (.*);$/gm), ([, name = "", value = ""]) => [name, value])),
    );
}

test("each colour and measure is the console's, light and dark", () => {
  const [light, dark] = tokensOf(read("src/operate/console/style/tokens.css"));
  const [plainLight, plainDark] = tokensOf(read("views/operators/style.css"));
  expect(plainLight?.size).toBeGreaterThan(5);
  expect(plainDark?.size).toBeGreaterThan(5);
  for (const [name, value] of plainLight ?? []) expect(light?.get(name), name).toBe(value);
  for (const [name, value] of plainDark ?? []) expect(dark?.get(name), name).toBe(value);
  // What changes with the scheme there changes here.
  for (const name of dark?.keys() ?? []) expect(plainDark?.has(name), name).toBe(plainLight?.has(name));
});
