/** Goal: each role may do what it is for in its rooms, and nothing else. All routes of the admin API are asked, by the table they are made from. */
import { expect, test } from "vitest";
import { routeTable } from "../../../scripts/lib/openapi/routes.ts";
import { describeMatrix, endless, keyOf, useRoles } from "./roles.ts";

const roles = await useRoles();
const { world, ask, named } = roles;

describeMatrix(roles, false);

test("what the table says: viewers only read, the box office changes three things and looks visitors up, and what is of no room is the admin's", () => {
  const changes = routeTable.filter(({ method }) => method !== "GET");
  const nameOf = ({ method, path }: (typeof routeTable)[number]) => `${method} ${path}`;
  // It asks what would be, and changes nothing.
  expect(changes.filter(({ role }) => role === "viewer").map(nameOf)).toEqual(["POST /rooms/:room/forecast"]);
  expect(changes.filter(({ role }) => role === "box_office").map(nameOf)).toEqual([
    "PATCH /rooms/:room",
    "PUT /rooms/:room/stock",
    "POST /rooms/:room/bypass",
    "POST /rooms/:room/:step",
    "POST /rooms/:room/visitors/:ref/debug-link",
    "POST /rooms/:room/visitors/find",
    // It asks for what the change itself takes.
    "POST /audit/:row/undo",
  ]);
  for (const route of changes) {
    const isOfNoRoom = !route.path.startsWith("/rooms/:room") && route.path !== "/audit/:row/undo";
    // They are told to the public in the middle of a sale, by those who run it.
    const role = route.path.startsWith("/incidents") ? "operator" : "admin";
    if (isOfNoRoom) expect(route.role, nameOf(route)).toBe(role);
  }
  const wide = routeTable.filter(({ path, reach }) => path.startsWith("/rooms/:room") && reach !== "room");
  expect(wide.map(nameOf)).toEqual(["DELETE /rooms/:room"]);
});

test("of a room's settings the box office changes the message alone, and no one but an admin what a document says", async () => {
  const patch = async (id: string, body: object) => (await ask(id, "PATCH", "/rooms/own", body)).status;
  const message = { text: "Hello", severity: "warning" };
  expect(await patch("box_office-of-own", { message })).toBe(200);
  expect(await patch("box_office-of-own", { message, max_waiting: 10 })).toBe(403);
  expect(await patch("box_office-of-own", { title: "Mine" })).toBe(403);
  expect(await patch("operator-of-own", { message: null, title: null })).toBe(200);
  const made = await ask("admin-of-all", "POST", "/rooms", { id: "own-made", inlet: { type: "manual" } });
  expect(made.status, made.body).toBe(201);
  const ofLanguage = { language: "de" };
  const ofDocument = async (id: string) => (await ask(id, "PATCH", "/rooms/own-made", ofLanguage)).status;
  expect([await ofDocument("operator-of-all"), await ofDocument("admin-of-all")]).toEqual([403, 200]);
});

/** With these each route does what it is for. */
const bodies: Readonly<Record<string, object>> = {
  "POST /incidents": { title: "Slow", text: "We are looking into it." },
  "PATCH /rooms/:room": { max_waiting: 77, message: "Changed" },
  "POST /rooms": { id: "made-here", inlet: { type: "manual" } },
  "POST /rooms/:room/serving": { increment_by: 5 },
  "POST /rooms/:room/alarm": { set: true },
  "POST /rooms/:room/forecast": { outflow_per_minute: 60 },
  "POST /rooms/:room/report": { exited: 1 },
  "POST /rooms/:room/rehearsal": { visitors: 1, minutes: 1 },
  "PATCH /rooms/:room/admissions/:sub": { status: "revoked" },
  "POST /clients": { client_id: "made-here", room: "own", redirect_uris: ["https://made.example.test/cb"] },
  "POST /keys": { purpose: "draw" },
  "POST /api-keys": { id: "made-here", role: "viewer" },
  // Disabled: nothing is sent.
  "POST /webhooks": { url: "https://receiver.example.test/", enabled: false },
};

test("a viewer's key changes nothing, whatever it asks", async () => {
  const changes = routeTable.filter(({ method }) => method !== "GET");
  // What is measured anew each time says nothing of changes.
  const measured = new Set(["/health", "/backup"]);
  const lists = routeTable.filter(
    ({ method, path }) =>
      method === "GET" &&
      !path.includes(":") &&
      !path.startsWith("/audit") &&
      !endless.has(path) &&
      !measured.has(path),
  );
  const state = async () => {
    const answers = await Promise.all(lists.map(({ method, path }) => ask("admin-of-all", method, path)));
    for (const { status } of answers) expect(status).toBe(200);
    // When the state was read, and how many came of late, which falls by itself after the logins that checks have played.
    return answers.map(({ body }) => body.replaceAll(/"updated_at":"[^"]*"|"outflow_per_minute":[\d.]+,"draw"/g, ""));
  };
  const sweep = async (id: string) => {
    const asked = changes.map((route) => [route, bodies[`${route.method} ${route.path}`]] as const);
    const statuses = [];
    for (const [{ method, path }, body] of asked)
      statuses.push((await ask(id, method, named(path, "own"), body)).status);
    return statuses;
  };
  const before = await state();
  const allowed = changes.map(({ role }) => (role === "viewer" ? 200 : 403));
  for (const id of ["viewer-of-all", "viewer-of-own"]) expect(await sweep(id)).toEqual(allowed);
  expect(await state()).toEqual(before);
  // The same requests change all of these lists where the key may.
  await sweep("admin-of-all");
  // Sessions are made by signing in, which is no route of the table.
  const { status } = await world().http.request(`${world().issuer}/admin/sign-in/key`, {
    method: "POST",
    headers: { origin: world().issuer },
    body: new URLSearchParams({ key: keyOf("admin-of-all") }),
  });
  expect(status).toBe(303);
  const after = await state();
  for (const [index, { path }] of lists.entries()) expect(after[index], path).not.toBe(before[index]);
});
