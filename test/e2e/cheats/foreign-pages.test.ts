/** Pages of other sites, open in a visitor's browser, take no places there: what a browser's script sends names its origin. */
import { describe, expect, test } from "vitest";
import { queued } from "../line.ts";
import { memoryStore, useWorld } from "../world.ts";

const app = "https://app.example.test";
const rooms = [{ id: "closed" }, { id: "apps", settings: { allowed_origins: [app, "capacitor://localhost"] } }];

describe("POST /rooms/ROOM/tickets", () => {
  const world = useWorld(() => ({ store: memoryStore, rooms }));
  const ask = (room: string, headers: Record<string, string>, method = "POST") =>
    world().http.request(`${world().issuer}/rooms/${room}/tickets`, { method, headers });

  test("a program, which sends no origin, and our own page take places", async () => {
    expect((await ask("closed", {})).status).toBe(201);
    expect((await ask("closed", { origin: world().issuer })).status).toBe(201);
    expect(await queued(world(), "closed")).toBe(2);
  });

  test.each([
    ["another site", "https://evil.example.test"],
    ["a frame without an origin", "null"],
    ["the site by another scheme", "http://app.example.test"],
    ["the site by another port", `${app}:8443`],
    ["a site below it", "https://x.app.example.test"],
  ])("%s takes none, and its script reads no answer", async (_, origin) => {
    const before = await queued(world(), "apps");
    const refused = await ask("apps", { origin });
    expect([refused.status, refused.json()]).toMatchObject([403, { error: "forbidden" }]);
    expect(refused.header("access-control-allow-origin")).toBeUndefined();
    const preflight = await ask("apps", { origin, "access-control-request-method": "POST" }, "OPTIONS");
    expect([preflight.status, preflight.header("access-control-allow-origin")]).toEqual([403, undefined]);
    // A plain form needs no preflight.
    const form = await ask("apps", { origin, "content-type": "application/x-www-form-urlencoded" });
    expect(form.status).toBe(403);
    expect(await queued(world(), "apps")).toBe(before);
  });

  test.each([app, "capacitor://localhost"])("a listed origin, %s, takes places in that room alone", async (origin) => {
    const taken = await ask("apps", { origin });
    expect([taken.status, taken.header("access-control-allow-origin"), taken.header("vary")]).toMatchObject([
      201,
      origin,
      expect.stringContaining("Origin"),
    ]);
    const preflight = await ask("apps", { origin, "access-control-request-method": "POST" }, "OPTIONS");
    expect([preflight.status, preflight.header("access-control-allow-origin")]).toEqual([204, origin]);
    expect((await ask("closed", { origin })).status).toBe(403);
  });

  test("what takes no place stays open to every page: the status, and the place of a ticket that it has", async () => {
    const { ticket } = (await ask("apps", { origin: app })).json() as { ticket: string };
    const place = await world().http.get(`${world().issuer}/rooms/apps/tickets/me`, {
      origin: "https://elsewhere.example.test",
      authorization: `Bearer ${ticket}`,
    });
    expect([place.status, place.header("access-control-allow-origin")]).toEqual([200, "*"]);
  });
});
