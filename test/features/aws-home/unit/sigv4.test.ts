import { AwsV4Signer } from "aws4fetch";
import { expect, it } from "vitest";
import {
  createVerifySignature,
  dateOf,
  isOfNow,
  readSignedHeader,
  type SignedRequest,
} from "../../../../src/features/aws-home/sigv4.ts";

const secret = "wJalrXUtnFEMI/K7MDENG+bPxRfiCYEXAMPLEKEY";
const signature = "0".repeat(64);
const headerOf = (more: { credential?: string; signedHeaders?: string; signature?: string; extra?: string } = {}) =>
  `AWS4-HMAC-SHA256 Credential=${more.credential ?? "AKIDEXAMPLE/20260101/eu-west-1/execute-api/aws4_request"}, ` +
  `SignedHeaders=${more.signedHeaders ?? "host;x-amz-date"}, Signature=${more.signature ?? signature}${more.extra ?? ""}`;

it("reads a whole header", () => {
  expect(readSignedHeader(headerOf())).toEqual({
    accessKeyId: "AKIDEXAMPLE",
    day: "20260101",
    region: "eu-west-1",
    signedHeaders: ["host", "x-amz-date"],
    signature,
  });
});

it.each([
  [undefined],
  [""],
  ["Bearer x"],
  ["AWS4-HMAC-SHA256 Credential=x"],
  [headerOf({ credential: "AKIDEXAMPLE/20260101/eu-west-1/s3/aws4_request" })],
  [headerOf({ credential: "AKIDEXAMPLE/20260101/eu-west-1/execute-api/aws4" })],
  [headerOf({ credential: "AKID EXAMPLE/20260101/eu-west-1/execute-api/aws4_request" })],
  [headerOf({ signedHeaders: "x-amz-date" })],
  [headerOf({ signedHeaders: "" })],
  [headerOf({ signedHeaders: "x-amz-date;host" })],
  [headerOf({ signedHeaders: "host;host" })],
  [headerOf({ signedHeaders: "Host" })],
  [
    headerOf({
      signedHeaders: Array.from({ length: 40 }, (_, at) => `a${at + 10}`)
        .concat("host")
        .join(";"),
    }),
  ],
  [headerOf({ signature: signature.slice(1) })],
  [headerOf({ signature: signature.replace("0", "G") })],
  [headerOf({ extra: ", Signature=1" })],
  [headerOf({ extra: ", Other=1" })],
  [headerOf({ extra: " ".repeat(3_000) })],
])("refuses %.120s", (header) => expect(readSignedHeader(header)).toBeNull());

it.each([
  [{ "x-amz-date": "20260101T000000Z" }, Date.UTC(2026, 0, 1)],
  [{ date: "Thu, 01 Jan 2026 00:00:00 GMT" }, Date.UTC(2026, 0, 1)],
  [{ "x-amz-date": "20260101T000000Z", date: "Fri, 02 Jan 2026 00:00:00 GMT" }, Date.UTC(2026, 0, 1)],
  [{ "x-amz-date": "2026-01-01T00:00:00Z" }, null],
  [{ "x-amz-date": "20261301T000000Z" }, null],
  [{ date: "yesterday" }, null],
  [{}, null],
])("reads the date of %j", (headers, ms) => {
  const date = dateOf(headers);
  expect(date?.ms ?? null).toBe(ms);
  if (date !== null) expect(date.text).toBe("20260101T000000Z");
});

it.each([
  [0, "20260101", true],
  [300_000, "20260101", true],
  [300_001, "20260101", false],
  [-300_000, "20260101", true],
  [-300_001, "20260101", false],
  [0, "20251231", false],
])("is of now at %d ms of difference, signed for %s: %s", (differenceMs, day, expected) => {
  const ms = Date.UTC(2026, 0, 1, 12);
  expect(isOfNow({ ms, text: "20260101T120000Z" }, day, ms + differenceMs)).toBe(expected);
});

interface Signed {
  readonly url: string;
  readonly method?: string;
  readonly body?: string;
  readonly headers?: Record<string, string>;
}

/** Signs as a client does, and answers the request as a server reads it. */
async function sign({ url, method = "GET", body, headers = {} }: Signed) {
  const signer = new AwsV4Signer({
    url,
    method,
    headers,
    ...(body !== undefined && { body }),
    accessKeyId: "AKIDEXAMPLE",
    secretAccessKey: secret,
    service: "execute-api",
    region: "eu-west-1",
    datetime: "20260101T000000Z",
  });
  const signed = await signer.sign();
  const header = readSignedHeader(signed.headers.get("authorization") ?? undefined);
  if (header === null) throw new Error("it was not signed");
  const { pathname, search, host } = new URL(url);
  const request: SignedRequest = {
    method,
    target: pathname + search,
    headers: Object.fromEntries(signed.headers),
    hosts: [host],
    body: Buffer.from(body ?? ""),
  };
  return { header, request };
}

const verify = createVerifySignature();
const holds = (
  { header, request }: Awaited<ReturnType<typeof sign>>,
  changed: Partial<SignedRequest> = {},
  secrets = [secret],
) => verify(header, "20260101T000000Z", { ...request, ...changed }, secrets);
const base = "https://queue.example:8443/aws/private/api/num_active_tokens";

it.each([
  `${base}`,
  `${base}?event_id=Sample`,
  `${base}?z=1&event_id=Sample&a=2`,
  `${base}?event_id=b&event_id=a`,
  `${base}?event_id=a%20b%2Fc%C3%A4&x=%7E`,
  `${base}?event_id=a%2520b`,
  `${base}?event_id=(a)!*'`,
  `${base}?event_id`,
])("verifies what aws4fetch signs: %s", async (url) => {
  const signed = await sign({ url });
  expect(holds(signed)).toBe(true);
  expect(holds(signed, {}, ["x".repeat(40), secret])).toBe(true);
  expect(holds(signed, {}, ["x".repeat(40)])).toBe(false);
  expect(holds(signed, {}, [])).toBe(false);
});

it("holds for this body, path, query, method and host alone", async () => {
  const signed = await sign({ url: `${base}?event_id=Sample`, method: "POST", body: '{"a":1}' });
  expect(holds(signed)).toBe(true);
  for (const changed of [
    { body: Buffer.from('{"a":2}') },
    { body: Buffer.alloc(0) },
    { target: signed.request.target.replace("num_active_tokens", "expired_tokens") },
    { target: signed.request.target.replace("Sample", "Other") },
    { method: "GET" },
    { hosts: ["other.example:8443"] },
    { hosts: ["queue.example"] },
    { headers: { ...signed.request.headers, "x-amz-date": "20260101T000001Z" } },
    { headers: { ...signed.request.headers, "x-amz-date": undefined } },
    { headers: { ...signed.request.headers, "x-amz-content-sha256": "0".repeat(64) } },
  ]) {
    expect(holds(signed, changed), JSON.stringify(changed)).toBe(false);
  }
  expect(holds(signed, { hosts: ["other.example", "queue.example:8443"] })).toBe(true);
});

it("holds with a query that a client has signed as it sent it", async () => {
  const { header, request } = await sign({ url: `${base}?a=x%2Fy` });
  expect(holds({ header, request }, { target: request.target.replace("%2F", "/") })).toBe(true);
});

it("refuses a signature with a flipped bit", async () => {
  const { header, request } = await sign({ url: base });
  for (let at = 0; at < 64; at++) {
    const digit = (Number.parseInt(header.signature[at] ?? "0", 16) ^ 1).toString(16);
    const flipped = { ...header, signature: header.signature.slice(0, at) + digit + header.signature.slice(at + 1) };
    expect(holds({ header: flipped, request })).toBe(false);
  }
});
