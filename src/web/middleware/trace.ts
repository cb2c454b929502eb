import type { IncomingHttpHeaders } from "node:http";

/** An id of zeros is none, and so is version ff. A later version than 00 may have more behind these parts. */
const traceparent = /^(?!ff)[0-9a-f]{2}-(?!0{32})([0-9a-f]{32})-(?!0{16})([0-9a-f]{16})-[0-9a-f]{2}(?=-|$)/;
const lengthOfVersion0 = 55;

/**
 * The trace that a request is part of, for log lines: none where its `traceparent` is missing or invalid (W3C Trace Context,
 * section 3.2).
 */
export function traceFields(headers: IncomingHttpHeaders): { trace_id?: string; parent_span_id?: string } {
  const given = headers.traceparent;
  if (typeof given !== "string" || (given.startsWith("00") && given.length !== lengthOfVersion0)) return {};
  const [, traceId, spanId] = traceparent.exec(given) ?? [];
  return traceId === undefined || spanId === undefined ? {} : { trace_id: traceId, parent_span_id: spanId };
}
