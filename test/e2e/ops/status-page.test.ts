/** docs/status.md names every field of the two answers, and its examples have the same fields as the real ones. */
import { describe, expect, test } from "vitest";
import { readPage } from "../../support/curl-lines.ts";
import { memoryStore, useWorld } from "../world.ts";

const page = readPage("docs/status.md");
const world = useWorld(() => ({
  store: memoryStore,
  rooms: [
    {
      id: "tickets",
      inlet: { type: "periodic", outflow_per_minute: 600 },
      settings: { schedule: { opens_at: "2031-05-10T10:00", time_zone: "Europe/Berlin" } },
    },
  ],
}));

const documented = new Set(
  [...page.matchAll(/^\| (`[^|]+) \|/gm)].flatMap(([, cell = ""]) =>
    [...cell.matchAll(/`([\w.]+)`/g)].map(([, name = ""]) => name),
  ),
);

/** The words of the configuration file stand in docs/configuration.md. */
const isOfTheFile = (path: string) => /^settings(_file|_live)?\./.test(path);

function pathsOf(value: unknown, prefix = ""): string[] {
  if (typeof value !== "object" || value === null || Array.isArray(value)) return [];
  return Object.entries(value).flatMap(([key, member]) => [`${prefix}${key}`, ...pathsOf(member, `${prefix}${key}.`)]);
}

function example(name: string): unknown {
  return JSON.parse(new RegExp(`\`\`\`json ${name}\n([\\s\\S]*?)\`\`\``).exec(page)?.[1] ?? "null");
}

describe("what the numbers say", () => {
  test.each([
    ["status", async () => (await world().http.get(`${world().issuer}/rooms/tickets/status`)).json()],
    ["room", async () => (await world().admin.request("GET", "/rooms/tickets")).json()],
  ])("every field of the %s is explained, and the example has just these", async (name, ask) => {
    const answer = await ask();
    const fields = pathsOf(answer).filter((path) => !isOfTheFile(path));
    expect(fields.length).toBeGreaterThan(15);
    for (const field of fields) expect(documented, field).toContain(field);
    const shown = example(name);
    expect(pathsOf(shown).filter((path) => !isOfTheFile(path))).toEqual(fields);
    const { settings } = answer as { settings?: unknown };
    expect(pathsOf((shown as { settings?: unknown }).settings)).toEqual(pathsOf(settings));
  });

  test("nothing is explained that there is not", async () => {
    const real = new Set(["warnings", "settings.schedule.time_zone", "exited", "unknown"]);
    // Null until a shop tells its stock.
    for (const told of ["remaining", "enough_for"]) real.add(`stock.${told}`);
    // Null in a room without one.
    for (const told of ["id", "stage", "entries", "due_at", "voids"]) real.add(`draw.${told}`);
    for (const end of ["completed", "abandoned", "revoked"]) real.add(end);
    for (const url of [`${world().issuer}/rooms/tickets/status`]) {
      for (const path of pathsOf((await world().http.get(url)).json())) real.add(path);
    }
    for (const path of pathsOf((await world().admin.request("GET", "/rooms/tickets")).json())) real.add(path);
    expect([...documented].filter((field) => !real.has(field))).toEqual([]);
  });
});
