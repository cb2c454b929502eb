import { describe, expect, test } from "vitest";
import { traceFields } from "../../../src/web/koa-app.ts";

const traceId = "4bf92f3577b34da6a3ce929d0e0e4736";
const spanId = "00f067aa0ba902b7";
const fields = { trace_id: traceId, parent_span_id: spanId };

describe("traceparent", () => {
  test.each([
    ["of version 00", `00-${traceId}-${spanId}-01`],
    ["that is not sampled", `00-${traceId}-${spanId}-00`],
    ["of a later version", `cc-${traceId}-${spanId}-01`],
    ["of a later version with more behind", `cc-${traceId}-${spanId}-01-what-comes-later`],
  ])("%s is taken over", (_, traceparent) => {
    expect(traceFields({ traceparent })).toEqual(fields);
  });

  test.each([
    ["none", undefined],
    ["an empty one", ""],
    ["version ff", `ff-${traceId}-${spanId}-01`],
    ["version 00 with more behind", `00-${traceId}-${spanId}-01-more`],
    ["a later version whose flags go on", `cc-${traceId}-${spanId}-01more`],
    ["a trace of zeros", `00-${"0".repeat(32)}-${spanId}-01`],
    ["a span of zeros", `00-${traceId}-${"0".repeat(16)}-01`],
    ["capital letters", `00-${traceId.toUpperCase()}-${spanId}-01`],
    ["two headers in one", `00-${traceId}-${spanId}-01, 00-${traceId}-${spanId}-01`],
    ["words", "hello"],
    ["a long one", `cc-${traceId}-${spanId}-01${"a".repeat(50_000)}`],
  ])("is not: %s", (_, traceparent) => {
    expect(traceFields(traceparent === undefined ? {} : { traceparent })).toEqual({});
  });
});
