import { expect, test } from "vitest";
import {
  findRequest,
  hashRequest,
  rememberRequest,
  type SeenRequest,
} from "../../../src/waiting-room/login-request.ts";

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
