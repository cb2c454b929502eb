/** What the console takes for an answer of Usher: only what has the shape that the API's description gives. */
import { describe, expect, test } from "vitest";
import { fits, isOurs, readEvent } from "../../../../src/operate/console/api/reading.ts";
import shapes from "../../../../src/operate/console/api/shapes.json" with { type: "json" };

const session = { principal: null, session: null, csrf_token: null, sign_in: { key: true, provider: false } };
const json = { "content-type": "application/json; charset=utf-8" };
const answer = (body: string | null, status = 200, headers: Record<string, string> = json) =>
  new Response(body, { status, headers });
const readsSession = (response: Response) => isOurs("GET /admin/session", response);

describe("an answer is Usher's", () => {
  test("with all that its description requires, and more", async () => {
    expect(await readsSession(answer(JSON.stringify(session)))).toBe(true);
    expect(await readsSession(answer(JSON.stringify({ ...session, later: [1] })))).toBe(true);
    expect(await isOurs("DELETE /admin/rooms/{room}", answer(null, 204, {}))).toBe(true);
    expect(await readsSession(answer('{"error":"unauthorized","error_description":"No."}', 401))).toBe(true);
  });

  test.each([
    ["a page", answer("<html>Sign in to the network</html>", 200, { "content-type": "text/html" })],
    ["a page that says it is JSON", answer("<html></html>")],
    ["no members", answer("{}")],
    ["null", answer("null")],
    ["a list", answer("[]")],
    ["a number", answer("5")],
    ["a member of another type", answer(JSON.stringify({ ...session, csrf_token: 5 }))],
    ["an inner member of another shape", answer(JSON.stringify({ ...session, principal: { kind: "key" } }))],
    ["nothing", answer("")],
    ["half of it", answer(JSON.stringify(session).slice(0, -9))],
    ["another success", answer(JSON.stringify(session), 203)],
    ["a portal's 511", answer("<html></html>", 511, { "content-type": "text/html" })],
    ["a CDN's 520", answer("error code: 520", 520, { "content-type": "text/plain" })],
    ["a proxy's 401", answer("<html></html>", 401, { "content-type": "text/html" })],
  ])("not: %s", async (_, response) => {
    expect(await readsSession(response)).toBe(false);
  });

  test("not where the browser was sent elsewhere", async () => {
    const response = answer(JSON.stringify(session));
    Object.defineProperty(response, "redirected", { value: true });
    expect(await readsSession(response)).toBe(false);
  });
});

test.each(["", "<html>", "{}", "null", '{"at":5,"rooms":[]}', '{"at":"2030-01-01T00:00:00Z","rooms":[{}]}'])(
  "%s is no news of the stream",
  (text) => expect(readEvent(text, "LiveFigures")).toBeNull(),
);

test("figures are news, and every schema that a shape names is there", () => {
  expect(readEvent('{"at":"2030-01-01T00:00:00.000Z","rooms":[]}', "LiveFigures")).toMatchObject({ rooms: [] });
  const names = [...JSON.stringify(shapes).matchAll(/"#(\w+)"/g)].map(([, name = ""]) => name);
  expect(names.filter((name) => !Object.hasOwn(shapes.schemas, name))).toEqual([]);
  expect(fits({ a: "x" }, { a: "string", "b?": { "[]": "number" } })).toBe(true);
  expect(fits({ a: "x", b: ["5"] }, { a: "string", "b?": { "[]": "number" } })).toBe(false);
  expect(fits([1, "x"], { "[]": { "|": { 0: "number", 1: "string" } } })).toBe(true);
});
