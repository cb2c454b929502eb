/** What the log says of a provider that did not do what it was asked for: enough to mend it, and nothing that is secret. */
import { expect, test } from "vitest";
import { reasonOf } from "../../../src/lib/openid/reason.ts";

const caused = (message: string, cause: unknown) => new Error(message, { cause });
const withMembers = (message: string, members: object) => Object.assign(new Error(message), members);
const chain = (length: number): Error => (length === 1 ? new Error("1") : caused(String(length), chain(length - 1)));

test.each<[what: string, cause: unknown, reason: string]>([
  ["an error", new Error("no answer"), "no answer"],
  ["what caused it", caused("fetch failed", new Error("connect ECONNREFUSED")), "fetch failed: connect ECONNREFUSED"],
  ["four errors that caused each other, and no more", chain(9), "9: 8: 7: 6"],
  ["what is no error", "refused", "no error"],
  ["an error that no error caused", caused("refused", "the secret"), "refused"],
  ["nothing", undefined, "no error"],
  ["an error without words", new TypeError(), "TypeError"],
  ["the code of OAuth", withMembers("refused", { error: "invalid_grant" }), "refused (invalid_grant)"],
  ["a status", withMembers("refused", { status: 502 }), "refused (HTTP 502)"],
  ["both", withMembers("refused", { error: "invalid_client", status: 401 }), "refused (invalid_client) (HTTP 401)"],
  ["a code that is a sentence", withMembers("refused", { error: "the secret is wrong" }), "refused"],
  ["a code that is too long", withMembers("refused", { error: "x".repeat(65) }), "refused"],
  ["a code and a status of other types", withMembers("refused", { error: { a: 1 }, status: "502" }), "refused"],
  ["no description", withMembers("refused", { error: "e", error_description: "the secret" }), "refused (e)"],
  ["no words of a parser, which quote what it read", new SyntaxError('Unexpected "the secret"'), "SyntaxError"],
  ["the first of several addresses", new AggregateError([new Error("connect 1"), new Error("connect 2")]), "connect 1"],
  ["several without an error", new AggregateError(["connect"]), "AggregateError"],
  ["the words of several, where there are some", new AggregateError([new Error("one")], "all failed"), "all failed"],
  ["an address without its query", new Error("GET https://id.example/?code=secret"), "GET https://id.example/"],
  ["no control characters", new Error("no\u001b[31m answer\n"), "no\ufffd[31m answer\ufffd"],
])("it has %s", (_, cause, reason) => {
  expect(reasonOf(cause)).toBe(reason);
});

test("it has at most 200 characters of an error", () => {
  expect(reasonOf(new Error("x".repeat(5_000)))).toHaveLength(200);
});
