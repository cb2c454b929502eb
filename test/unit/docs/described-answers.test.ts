/** The comparison of gateways' answers with docs/openapi.json, which all tests over HTTP rely on, finds what is not described. */
import { describe, expect, test } from "vitest";
import { expectDescribedAt, undescribedIn } from "../../support/described-answers.ts";

const port = 65_001;
expectDescribedAt(port);

const json = { "content-type": "application/json; charset=utf-8" };
const at = (method: string, path: string, status: number, body: unknown, headers = json) =>
  undescribedIn({
    method,
    url: new URL(`http://localhost:${port}${path}`),
    status,
    headers,
    body: typeof body === "string" ? body : JSON.stringify(body),
  });
const refusal = (error: string) => ({ error, error_description: "why" });
const serving = { serving: 1, queued: 2, waiting: 1 };

describe("an answer of a gateway", () => {
  test.each([
    ["as it is described", at("POST", "/admin/rooms/a/serving", 200, serving)],
    ["an error of the route", at("POST", "/admin/rooms/a/serving", 422, refusal("idempotency_key_reused"))],
    ["no such address", at("GET", "/nowhere", 404, refusal("not_found"))],
    ["no such method", at("PUT", "/healthz", 405, refusal("method_not_allowed"))],
    ["a page in place of an error", at("GET", "/rooms/a/enter", 400, "<html>", { "content-type": "text/html" })],
    ["with a path of the visitor's", at("POST", "/rooms/a/verify/cart", 403, refusal("forbidden"))],
  ])("passes: %s", (_, fault) => expect(fault).toBeNull());

  test.each([
    ["a member too many", at("POST", "/admin/rooms/a/serving", 200, { ...serving, secret: 1 }), /additional/],
    ["a member too few", at("POST", "/admin/rooms/a/serving", 200, { serving: 1 }), /queued/],
    [
      "another type",
      at("POST", "/admin/rooms/a/serving", 200, { ...serving, waiting: "1" }),
      /waiting must be integer/,
    ],
    ["a nested member too many", at("GET", "/rooms/a/status", 200, { draw: { id: 1, stage: "drawn", x: 1 } }), /draw/],
    ["a status that the route has not", at("POST", "/admin/rooms/a/serving", 409, refusal("conflict")), /status/],
    ["an error that the route has not", at("GET", "/rooms/a/draw", 404, refusal("not_an_entry")), /not_an_entry/],
    ["a route that is not described", at("GET", "/admin/secrets", 200, {}), /no such route/],
    ["a method that is not described", at("DELETE", "/healthz", 200, {}), /no such route/],
    ["another kind of content", at("GET", "/healthz", 200, "ok", { "content-type": "text/plain" }), /type/],
  ])("fails the test: %s", (_, fault, said) => expect(fault).toMatch(said));
});

test("what another server answers is not looked at", () => {
  const url = new URL("http://localhost:65002/healthz");
  expect(undescribedIn({ method: "GET", url, status: 418, headers: {}, body: "" })).toBeNull();
});
