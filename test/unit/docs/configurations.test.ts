/** Whole configurations that the documents show are good ones, and bring no warning but those that are named. */
import { readFileSync } from "node:fs";
import { expect, test } from "vitest";
import { parse } from "yaml";
import { loadConfig } from "../../support/load-config.ts";

const read = (path: string) => readFileSync(new URL(`../../../${path}`, import.meta.url), "utf8");

/** The blocks of YAML that have an issuer and rooms: a file by itself. */
function filesOf(page: string): Record<string, unknown>[] {
  return [...read(page).matchAll(/```yaml\n([\s\S]*?)```/g)]
    .map(([, text = ""]) => parse(text) as Record<string, unknown>)
    .filter((document) => "issuer" in document && "rooms" in document);
}

/** Secrets from elsewhere, as text. */
function withSecrets(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(withSecrets);
  if (typeof value !== "object" || value === null) return value;
  if ("from" in value) return "s".repeat(32);
  return Object.fromEntries(Object.entries(value).map(([key, member]) => [key, withSecrets(member)]));
}

test.each([
  ["README.md", []],
  ["docs/tutorials/ten-minutes.md", []],
  ["docs/tutorials/rehearse-a-sale.md", []],
  ["docs/tutorials/alb-in-an-hour.md", []],
  ["docs/tutorials/nginx-in-ten-minutes.md", []],
])("%s", async (page, expected) => {
  const files = filesOf(page);
  expect(files).toHaveLength(1);
  for (const { keys: _, store, ...document } of files) {
    // Neither keys (PEM) nor the store's address is a text of any letters.
    const ofStore = store === undefined ? {} : { store: { type: "redis", url: "redis://localhost:6379" } };
    const { warnings } = await loadConfig({
      document: { ...(withSecrets(document) as object), ...ofStore },
      env: { USHER_ADMIN_API_KEY: "k".repeat(32) },
    });
    expect(warnings).toEqual(expected);
  }
});
