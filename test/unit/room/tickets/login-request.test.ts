import { expect, test } from "vitest";
import {
  decodeRequests,
  encodeRequests,
  findRequest,
  hashRequest,
  isSuperseded,
  nameSeries,
  rememberRequest,
  type SeenRequest,
} from "../../../../src/room/tickets/ticket.ts";

test("a request keeps the time it was first seen, however often it comes again", () => {
  const once = rememberRequest([], "aaaaaaaa", 1_000);
  expect(rememberRequest(once, "aaaaaaaa", 9_000)).toBe(once);
  expect(findRequest(once, "aaaaaaaa")?.firstSeenMs).toBe(1_000);
});

test("the oldest requests are forgotten first, so that a ticket stays small", () => {
  let requests: readonly SeenRequest[] = [];
  for (let index = 0; index < 12; index++) requests = rememberRequest(requests, hashRequest(`state=${index}`), index);
  expect(requests).toHaveLength(8);
  expect(findRequest(requests, hashRequest("state=3"))).toBeUndefined();
  expect(findRequest(requests, hashRequest("state=4"))?.firstSeenMs).toBe(4);
});

test("requests that differ anywhere have different names", () => {
  expect(hashRequest("a=1&state=x")).not.toBe(hashRequest("a=1&state=y"));
  expect(hashRequest("a=1")).toMatch(/^[A-Za-z0-9_-]{8}$/);
});

test("a newer request of the same client takes an older one's place where the client remembers one", () => {
  let requests: readonly SeenRequest[] = [];
  requests = rememberRequest(requests, "older---", 1_000, "AA");
  requests = rememberRequest(requests, "another-", 2_000, "BB");
  expect(isSuperseded(requests, "older---", "AA")).toBe(false);
  requests = rememberRequest(requests, "newer---", 3_000, "AA");
  expect(isSuperseded(requests, "older---", "AA")).toBe(true);
  expect(isSuperseded(requests, "newer---", "AA")).toBe(false);
  expect(isSuperseded(requests, "another-", "BB")).toBe(false);
  // Of a client that remembers many by now, and of one whose requests were not told apart before.
  expect(isSuperseded(requests, "older---", undefined)).toBe(false);
  expect(isSuperseded(rememberRequest([], "older---", 1_000), "older---", "AA")).toBe(false);
  expect(isSuperseded(requests, "unknown-", "AA")).toBe(false);
});

test("coming again makes no request newer, and one whose age nobody knows is no newer one", () => {
  let requests = rememberRequest([], "older---", 1_000, "AA");
  requests = rememberRequest(requests, "newer---", 2_000, "AA");
  requests = rememberRequest(requests, "older---", 3_000, "AA");
  expect(isSuperseded(requests, "newer---", "AA")).toBe(false);
  requests = rememberRequest(requests, "ageless-", 0, "AA");
  expect(isSuperseded(requests, "newer---", "AA")).toBe(false);
});

test("a newer request may be known by the ticket of another room", () => {
  const here = rememberRequest([], "here----", 5_000, "AA");
  const isOvertakenBy = (firstSeenMs: number, series: string) =>
    isSuperseded(here, "here----", "AA", [{ hash: "there---", firstSeenMs, series }]);
  expect([isOvertakenBy(6_000, "AA"), isOvertakenBy(5_000, "AA"), isOvertakenBy(4_000, "AA")]).toEqual([
    ...[true, false, false],
  ]);
  expect(isOvertakenBy(6_000, "BB")).toBe(false);
});

test("what is remembered survives the cookie, with and without a series", () => {
  const requests: SeenRequest[] = [
    { hash: "a_b-c_d-", firstSeenMs: 1_900_000_000_000 },
    { hash: "________", firstSeenMs: 0, series: "__" },
    { hash: "x1234567", firstSeenMs: 1_900_000_001_000, series: nameSeries("shop") },
  ];
  const encoded = encodeRequests(requests);
  expect(decodeRequests(encoded)).toEqual(requests);
  expect(encoded).toMatch(/^[\w!-]+$/);
});

test("names of series are short", () => {
  expect(nameSeries("shop")).toMatch(/^[\w-]{2}$/);
  expect(nameSeries("shop")).not.toBe(nameSeries("shop-2"));
});
