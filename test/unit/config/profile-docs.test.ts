/** docs/relying-parties/README.md tells operators what choices.ts says of profiles, and docs/configuration.md names every key of a client. */
import { readFileSync } from "node:fs";
import { expect, test } from "vitest";
import { parse } from "yaml";
import { PROFILE_NAMES, PROFILES, type RestartRule } from "../../../src/config/schema/choices.ts";
import { client } from "../../../src/config/schema/schema.ts";
import { formatDuration } from "../../../src/config/schema/times.ts";
import { loadConfig } from "../../support/load-config.ts";

const read = (path: string) => readFileSync(new URL(`../../../${path}`, import.meta.url), "utf8");
const guide = read("docs/relying-parties/README.md");

/** The cells of the guide's table, by its first column; that of names stays out. */
const rows = new Map(
  guide
    .split("\n")
    .filter((line) => line.startsWith("| `"))
    .map((line) => line.split("|").map((cell) => cell.trim()))
    .map(([, profile = "", ...cells]) => [profile.replaceAll("`", ""), cells.slice(0, -1)]),
);

function startOf({ path, targetParameter, takesThirdPartyLogin }: RestartRule): string {
  if (path === null) return "to be configured";
  const query = targetParameter === null ? "" : `${path.includes("?") ? "&" : "?"}${targetParameter}=…`;
  return `\`${path}${query}\`${takesThirdPartyLogin ? ", or its redirect URI" : ""}`;
}

test("the guide's table of profiles is that of the program", () => {
  expect([...rows.keys()]).toEqual([...PROFILE_NAMES]);
  for (const name of PROFILE_NAMES) {
    const profile = PROFILES[name];
    expect(rows.get(name)?.slice(1), name).toEqual([
      formatDuration(profile.loginTimeoutMs),
      profile.tokenEndpointAuthMethod?.replace("client_secret_", "") ?? "not documented",
      profile.requirePkce ? "required" : "not required",
      profile.refreshTokens ? "yes" : "no",
      profile.claims.length === 0 ? "none" : profile.claims.map((claim) => `\`${claim}\``).join(", "),
      startOf(profile.restart),
      profile.rememberedLogins,
    ]);
  }
});

test("every key of a client is explained in the table of settings", () => {
  const settings = read("docs/configuration.md");
  const keys = Object.keys(client.shape);
  expect(keys.length).toBeGreaterThan(15);
  for (const key of keys)
    expect(settings, key).toMatch(new RegExp(`^\\| \`clients\\[\\][^|]*\\.${key}\`[^|]*\\|`, "m"));
});

test("the settings that the guide shows are good ones, and bring no warning", async () => {
  const snippets = [...guide.matchAll(/```yaml\n([\s\S]*?)```/g)].map(([, text = ""]) => parse(text) as object);
  expect(snippets.length).toBeGreaterThan(1);
  for (const snippet of snippets) {
    const client = {
      client_id: "shop",
      client_secret: "a-long-enough-secret",
      redirect_uris: ["https://shop.example.com/cb"],
      ...("rooms" in snippet ? {} : { room: "tickets" }),
      ...snippet,
    };
    const { warnings } = await loadConfig({
      document: {
        issuer: "https://queue.example.com",
        rooms: [{ id: "tickets" }, { id: "checkout" }],
        clients: [client],
        admin: { keys: [{ id: "ops", key_sha256: "ab".repeat(32) }] },
      },
      env: {},
    });
    expect(warnings).toEqual([]);
  }
});
