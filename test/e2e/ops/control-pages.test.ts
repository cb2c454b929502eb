/** The commands of docs/audit.md, docs/statistics.md and docs/roles.md, one after the other as they stand there: each does what its page says. */
import { writeFile } from "node:fs/promises";
import { join } from "node:path";
import { afterAll, beforeAll, expect, test } from "vitest";
import { curlSections, readPage } from "../../support/curl-lines.ts";
import { ADMIN_KEY } from "../../support/gateway.ts";
import { makeTempDir, type TempDir } from "../../support/temp-dir.ts";
import { runUsher } from "../../support/usher-command.ts";
import { memoryStore, useWorld } from "../world.ts";

const world = useWorld(() => ({
  store: memoryStore,
  rooms: [{ id: "tickets", inlet: { type: "periodic", outflow_per_minute: 600 } }],
}));
let folder: TempDir;
beforeAll(async () => {
  folder = await makeTempDir("pages");
  for (let i = 0; i < 3; i++) await world().http.request(`${world().issuer}/rooms/tickets/tickets`, { method: "POST" });
  await world().admin.request("PATCH", "/rooms/tickets", { max_waiting: 500 });
});
afterAll(() => folder.remove());

const variables = { USHER_ADMIN: "http://127.0.0.1:3000", USHER_ADMIN_API_KEY: ADMIN_KEY };

/** What a page's lines of curl answer; lines of other programs, remarks and where an answer is saved are left out. */
function commandsOf(path: string) {
  const lines = readPage(path)
    .replaceAll(/^(?:#(?!#) .*|usher .*)\n/gm, "")
    .replaceAll(/ > \S+$/gm, "");
  return curlSections(`## Before all\n${lines}`, variables).flatMap(({ commands }) => commands);
}

async function answers(path: string) {
  const all: { request: string; status: number; type: string; body: string }[] = [];
  let token = "";
  for (const { method, url, headers, body } of commandsOf(path)) {
    const sent = headers.confirm === "TOKEN" ? { ...headers, confirm: token } : headers;
    const options = { method, headers: sent, ...(body !== undefined && { body }) };
    const answer = await world().http.request(`${world().issuer}${url.pathname}${url.search}`, options);
    token = /"confirm":"([^"]+)"/.exec(answer.body)?.[1] ?? token;
    const type = String(answer.headers["content-type"]).split(";")[0] ?? "";
    all.push({ request: `${method} ${url.pathname}`, status: answer.status, type, body: answer.body });
  }
  return all;
}
const shapes = (all: Awaited<ReturnType<typeof answers>>) =>
  all.map(({ request, status, type }) => [request, status, type]);

test("docs/statistics.md", async () => {
  const all = await answers("docs/statistics.md");
  const statistics = "/admin/rooms/tickets/statistics";
  expect(shapes(all)).toEqual([
    [`GET ${statistics}`, 200, "application/json"],
    [`GET ${statistics}`, 200, "text/csv"],
    ["GET /admin/rooms/tickets/forecast", 200, "application/json"],
    ["POST /admin/rooms/tickets/forecast", 200, "application/json"],
  ]);
  expect(JSON.parse(all[0]?.body ?? "")).toMatchObject({ step_seconds: 60 });
});

test("docs/roles.md", async () => {
  const [made] = await answers("docs/roles.md");
  expect([made?.status, JSON.parse(made?.body ?? "{}")]).toEqual([
    201,
    expect.objectContaining({ id: "ticket-desk", role: "box_office", rooms: ["tickets"], secret: expect.any(String) }),
  ]);
});

test("docs/audit.md", async () => {
  const all = await answers("docs/audit.md");
  expect(shapes(all)).toEqual([
    ["GET /admin/audit", 200, "application/json"],
    ["GET /admin/audit/export", 200, "application/x-ndjson"],
    ["POST /admin/rooms/tickets/end", 428, "application/json"],
    ["POST /admin/rooms/tickets/end", 200, "application/json"],
  ]);
  expect(JSON.parse(all[0]?.body ?? "")).toMatchObject({ rows: [{ changes: [{ member: "/max_waiting", to: 500 }] }] });
  expect(JSON.parse(all[2]?.body ?? "")).toMatchObject({ error: "confirmation_required", confirm: expect.any(String) });
  // As the page goes on.
  const [, exported] = all;
  const file = join(folder.path, "audit.ndjson");
  await writeFile(file, exported?.body ?? "");
  const lines = (exported?.body ?? "").trim().split("\n");
  const { seq, hash } = JSON.parse(lines.at(-1) ?? "{}") as { seq: number; hash: string };
  expect(readPage("docs/audit.md")).toContain("usher verify-log audit.ndjson --head ");
  expect(await runUsher(["verify-log", file, "--head", `${seq}:${hash}`])).toMatchObject({ code: 0 });
  expect(await runUsher(["verify-log", file, "--head", `${seq}:${"0".repeat(64)}`])).toMatchObject({ code: 1 });
});
