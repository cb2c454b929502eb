/** How a room went, as JSON and CSV; how its line goes on; and questions that make no sense. */
import { readFileSync } from "node:fs";
import { expect, test } from "vitest";
import { memoryStore, useWorld } from "../world.ts";

const inlet = { type: "periodic", outflow_per_minute: 60 };
const world = useWorld(() => ({ store: memoryStore, rooms: [{ id: "line", inlet }, { id: "other" }] }));

type Step = Record<string, unknown> & { at: string; arrivals: number | null; admitted: { queue: number | null } };
interface Statistics {
  room: string;
  from: string;
  to: string;
  step_seconds: number;
  steps: Step[];
}

const ask = (query: string, headers: Record<string, string> = {}) =>
  world().admin.request("GET", `/rooms/line/statistics${query}`, undefined, headers);
const statistics = async (query = ""): Promise<Statistics> => {
  const answer = await ask(query);
  expect(answer.status, answer.body).toBe(200);
  expect(answer.headers["content-type"]).toMatch(/^application\/json/);
  return answer.json() as Statistics;
};

async function join(): Promise<string> {
  const { http, issuer } = world();
  const joined = await http.request(`${issuer}/rooms/line/tickets`, { method: "POST" });
  return (joined.json() as { ticket: string }).ticket;
}

test("all visitors of the last hour are in its steps, and no step knows what nobody recorded", async () => {
  const tickets = await Promise.all(Array.from({ length: 5 }, join));
  await world().admin.increment("line", 5);
  const headers = { authorization: `Bearer ${tickets[0]}` };
  const { http, issuer, admin } = world();
  expect((await http.request(`${issuer}/rooms/line/tickets/me/token`, { method: "POST", headers })).status).toBe(200);
  const told = await statistics();
  expect(told).toMatchObject({ room: "line", step_seconds: 10 });
  const sum = (of: (step: Step) => number | null) => told.steps.reduce((total, step) => total + (of(step) ?? 0), 0);
  expect(sum((step) => step.arrivals)).toBe(5);
  expect(sum((step) => step.admitted.queue)).toBe(1);
  expect(told.steps[0]).toMatchObject({
    recorded_seconds: 0,
    complete: false,
    loss: false,
    arrivals: null,
    phase: null,
  });
  expect(Date.parse(told.to) - Date.parse(told.from)).toBe(10_000 * told.steps.length);
  const day = await statistics(`?from=${new Date(Date.now() - 86_400_000).toISOString()}&step=1h`);
  expect(day.steps.length).toBeLessThanOrEqual(25);
  expect(day.steps.at(-1)).toMatchObject({ arrivals: 5, complete: false });
  const other = (await admin.request("GET", "/rooms/other/statistics?step=1m")).json() as Statistics;
  expect(other.steps.at(-1)).toMatchObject({ arrivals: 0 });
});

test("a step has every figure that docs/statistics.md explains, the refusals by their reasons, and no other", async () => {
  const page = readFileSync(new URL("../../../docs/statistics.md", import.meta.url), "utf8");
  const section = (title: string) => page.split(/^#+ /m).find((each) => each.startsWith(`${title}\n`)) ?? "";
  const rows = [...section("Statistics").matchAll(/^\| (`[^|]+) \|/gm)].map(([, cell = ""]) => cell);
  const explained = rows.flatMap((cell) => [...cell.matchAll(/`(\w+)`/g)].map(([, name]) => name));
  const [step] = (await statistics("?step=1m")).steps.slice(-1);
  expect(Object.keys(step ?? {}).sort()).toEqual(explained.toSorted());
  const reasons = Object.keys(step?.refused as object);
  expect(reasons).toHaveLength(14);
  for (const reason of reasons) expect(section("Refusals")).toContain(`\`${reason}\``);
  expect(Object.keys(step?.admitted as object)).toEqual(["queue", "bypass", "without_line"]);
});

test("a spreadsheet gets the same as lines, by Accept or by format", async () => {
  const [byAccept, byFormat] = [await ask("?step=1m", { accept: "text/csv" }), await ask("?step=1m&format=csv")];
  for (const answer of [byAccept, byFormat]) expect(answer.headers["content-type"]).toBe("text/csv; charset=utf-8");
  const [head = "", ...lines] = byFormat.body.trimEnd().split("\r\n");
  const { steps } = await statistics("?step=1m");
  expect(head).toMatch(/^at,recorded_seconds,complete,loss,arrivals,served,admitted_queue,/);
  expect(lines).toHaveLength(steps.length);
  for (const line of lines) expect(line.split(",")).toHaveLength(head.split(",").length);
  expect(lines[0]).toMatch(/^[\d:TZ.-]+,0,false,false,,,,/);
  expect((await ask("?format=json", { accept: "text/csv" })).headers["content-type"]).toMatch(/json/);
});

test("what makes no sense is refused, and the answer says what to write", async () => {
  const soon = new Date(Date.now() + 3_600_000).toISOString();
  const daysAgo = (days: number) => new Date(Date.now() - days * 86_400_000).toISOString();
  const wrong: [string, RegExp][] = [
    ["?from=yesterday", /^from: expected a time such as 2027-03-01T10:00:00\+01:00/],
    ["?from=2027-02-30T10:00Z", /^from: there is no such date/],
    [`?from=${soon}`, /^from: expected a time before/],
    [`?from=${daysAgo(1)}&to=${daysAgo(2)}`, /^from: expected a time before/],
    [`?from=${daysAgo(91)}`, /^from: figures are kept for 90 days/],
    [`?from=${daysAgo(3)}&step=10s`, /^step: figures of ten seconds are kept for 48 hours/],
    ["?step=15s", /^step: expected a multiple of ten seconds/],
    ["?step=0s", /^step: expected a duration from 10s to 7d/],
    ["?step=30", /^step: a unit is missing/],
    ["?step=8d", /^step: expected a duration/],
    [`?from=${daysAgo(1)}&step=10s`, /^step: 864\d steps are more than the 1500 of one answer/],
    ["?format=xml", /^format: /],
    ["?form=csv", /did you mean from/],
    ["?from=2027-03-01T10:00Z&from=2027-03-01T11:00Z", /^from: expected one time/],
  ];
  for (const [query, message] of wrong) {
    const answer = await ask(query);
    expect(answer.status, query).toBe(400);
    const { error, error_description } = answer.json() as { error: string; error_description: string };
    expect({ query, error }).toEqual({ query, error: "bad_request" });
    expect(error_description, query).toMatch(message);
  }
  // A plus sign in an address is a space.
  expect((await ask(`?from=${daysAgo(1).slice(0, 16)}:00+00:00&step=1h`)).status).toBe(200);
  expect((await world().admin.request("GET", "/rooms/nowhere/statistics")).status).toBe(404);
});

test("the forecast is that of the last visitor, and what if changes nothing", async () => {
  const { admin } = world();
  await Promise.all(Array.from({ length: 30 }, join));
  const forecast = async (method = "GET", body?: object) => {
    const answer = await admin.request(method, "/rooms/line/forecast", body);
    expect(answer.status, answer.body).toBe(200);
    return answer.json() as { waiting: number; wait_of_last_seconds: { low: number; high: number } | null };
  };
  // As soon as all are known.
  await expect.poll(async () => (await forecast()).waiting).toBeGreaterThan(10);
  const told = await forecast();
  expect(told).toMatchObject({ room: "line", phase: "open", arrivals_per_minute: expect.any(Number) });
  const faster = await forecast("POST", { outflow_per_minute: 600 });
  expect(faster.wait_of_last_seconds?.high).toBeLessThan(told.wait_of_last_seconds?.high ?? 0);
  const room = (await admin.request("GET", "/rooms/line")).json() as { outflow_limit: number };
  expect(room.outflow_limit).toBe(60);
  for (const body of [{}, { outflow_per_minute: 0 }, { outflow_per_minute: "60" }, { outflow_per_minute: 1, by: 2 }]) {
    const answer = await admin.request("POST", "/rooms/line/forecast", body);
    expect([JSON.stringify(body), answer.status]).toEqual([JSON.stringify(body), 400]);
  }
});
