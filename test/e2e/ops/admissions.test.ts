/** The list of admissions: of one status, of one edition, the present one first; one by itself; and queries that no route takes. */
import { expect, test } from "vitest";
import { registeredPaths } from "../spellings.ts";
import { memoryStore, useWorld } from "../world.ts";

const world = useWorld(() => ({ store: memoryStore, rooms: [{ id: "line" }, { id: "asked" }] }));

interface Row {
  sub: string;
  status: string;
  edition: number;
  queue_position: number;
}
interface List {
  edition: number;
  admissions: Row[];
  next_cursor: string | null;
}

/** An app's visitor comes in. */
async function enter(room: string): Promise<void> {
  const { http, issuer, admin } = world();
  const tickets = `${issuer}/rooms/${room}/tickets`;
  const { ticket } = (await http.request(tickets, { method: "POST" })).json() as { ticket: string };
  await admin.increment(room, 1);
  const headers = { authorization: `Bearer ${ticket}` };
  expect((await http.request(`${tickets}/me/token`, { method: "POST", headers })).status).toBe(200);
}

async function pagesOf(query: string): Promise<Row[][]> {
  const pages: Row[][] = [];
  for (let cursor: string | null = ""; cursor !== null; ) {
    const answer = await world().admin.request(
      "GET",
      `/rooms/line/admissions?${query}${cursor && `&cursor=${cursor}`}`,
    );
    expect(answer.status).toBe(200);
    const { admissions, next_cursor }: List = answer.json() as List;
    pages.push(admissions);
    cursor = next_cursor;
  }
  return pages;
}

test("after a reset those of the new edition come first; status and edition pick; each can be asked for", async () => {
  const { admin } = world();
  for (let i = 0; i < 3; i++) await enter("line");
  const before = (await admin.request("GET", "/rooms/line/admissions")).json() as List;
  await admin.request("PATCH", `/rooms/line/admissions/${before.admissions[1]?.sub}`, { status: "completed" });
  await admin.step("line", "reset");
  for (let i = 0; i < 2; i++) await enter("line");

  const after = (await admin.request("GET", "/rooms/line/admissions")).json() as List;
  expect(after.edition).toBeGreaterThan(before.edition);
  const said = (rows: Row[]) =>
    rows.map((row) => `${row.edition === before.edition ? 0 : 1}.${row.queue_position} ${row.status}`);
  const all = ["1.1 live", "1.2 live", "0.1 live", "0.3 live", "0.2 completed"];
  expect(said(after.admissions)).toEqual(all);
  for (const limit of [1, 2, 3]) expect(said((await pagesOf(`limit=${limit}`)).flat())).toEqual(all);
  expect(said((await pagesOf("status=live&limit=3")).flat())).toEqual(all.slice(0, 4));
  expect((await pagesOf("status=completed")).map(said)).toEqual([["0.2 completed"]]);
  expect(said((await pagesOf(`edition=${before.edition}&limit=2`)).flat())).toEqual(all.slice(2));

  const [first] = after.admissions;
  expect((await admin.request("GET", `/rooms/line/admissions/${first?.sub}`)).json()).toEqual(first);
  const nobody = await admin.request("GET", "/rooms/line/admissions/nobody");
  expect([nobody.status, nobody.json()]).toMatchObject([404, { error: "not_found" }]);
});

test.each([
  ["status=gone", /^status: unknown status; allowed: live, expired/],
  ["edition=first", /^edition: expected a whole number/],
  ["edition=0", /^edition: expected a whole number/],
  ["cursor=12", /^cursor: expected the next_cursor of the page before/],
  ["cursor=not-5-1&edition=5", /^cursor: /],
  ["cursor=6-1&edition=5", /^cursor: /],
  ["limit=0", /^limit: expected a whole number from 1 to 500$/],
  ["statu=live", /^statu: unknown query parameter, did you mean status\?; allowed: status, edition, limit, cursor$/],
])("?%s: 400, and it says why", async (query, message) => {
  const answer = await world().admin.request("GET", `/rooms/line/admissions?${query}`);
  const { error, error_description } = answer.json() as { error: string; error_description: string };
  expect([answer.status, error, error_description]).toEqual([400, "bad_request", expect.stringMatching(message)]);
});

test("a query parameter that a route does not take is an error on every route, and changes nothing", async () => {
  const { admin } = world();
  const state = async () => ({ ...Object((await admin.request("GET", "/rooms/asked")).json()), updated_at: null });
  const before = await state();
  const paths = registeredPaths("asked").operators.filter((path) => path.startsWith("/admin/"));
  expect(paths).toContain("/admin/rooms/asked/admissions");
  const answers = await Promise.all(
    paths.flatMap((path) =>
      ["GET", "POST", "PATCH", "DELETE"].map(async (method) => {
        const answer = await admin.request(method, `${path.slice("/admin".length)}?nonsense=1`);
        return { method, path, status: answer.status, body: answer.body };
      }),
    ),
  );
  const wrong = answers.filter(({ status, body }) => status !== 405 && !(status === 400 && body.includes("nonsense")));
  expect(wrong).toEqual([]);
  expect(answers.filter(({ status }) => status === 400).length).toBeGreaterThanOrEqual(paths.length);
  expect(await state()).toEqual(before);
});
