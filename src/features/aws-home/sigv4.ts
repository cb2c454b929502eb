/**
 * Signed requests to the private API: AWS Signature Version 4, in the header form, for the service `execute-api`
 * (https://docs.aws.amazon.com/IAM/latest/UserGuide/reference_sigv-create-signed-request.html). What costs something is done last: the date, the
 * access key and the shape of the header are looked at first, then the body is read, then the signature is computed.
 */
import { createHmac, hash, timingSafeEqual } from "node:crypto";
import { createLruCache } from "../../lib/lru-cache.ts";

/** What a signature says of itself. */
export interface SignedHeader {
  readonly accessKeyId: string;
  /** `YYYYMMDD`. */
  readonly day: string;
  readonly region: string;
  readonly signedHeaders: readonly string[];
  readonly signature: string;
}

export interface SignedRequest {
  readonly method: string;
  /** Path and query as they were sent. */
  readonly target: string;
  /** As sent, by lower-case name; `host` is replaced by one of `hosts`. */
  readonly headers: Readonly<Record<string, string | readonly string[] | undefined>>;
  /** Names under which this server may have been asked. A signature holds for one of them. */
  readonly hosts: readonly string[];
  readonly body: Buffer;
}

/** Clocks may differ by so much, in milliseconds. */
const skewMaxMs = 300_000;
const algorithm = "AWS4-HMAC-SHA256";
const service = "execute-api";
const headerLengthMax = 2_048;
const signedHeadersMax = 32;
const valueLengthMax = 4_096;
const credential = /^(\w{4,128})\/(\d{8})\/([a-z0-9-]{1,32})\/execute-api\/aws4_request$/;

/** Null for what is no such header, whole and well-formed. */
export function readSignedHeader(authorization: string | undefined): SignedHeader | null {
  if (authorization === undefined || authorization.length > headerLengthMax) return null;
  if (!authorization.startsWith(`${algorithm} `)) return null;
  const fields = new Map<string, string>();
  for (const field of authorization.slice(algorithm.length + 1).split(",")) {
    const at = field.indexOf("=");
    const name = field.slice(0, Math.max(0, at)).trim();
    if (at < 0 || fields.has(name)) return null;
    fields.set(name, field.slice(at + 1).trim());
  }
  const [, accessKeyId, day, region] = credential.exec(fields.get("Credential") ?? "") ?? [];
  const signature = fields.get("Signature") ?? "";
  const signedHeaders = (fields.get("SignedHeaders") ?? "").split(";");
  if (accessKeyId === undefined || day === undefined || region === undefined) return null;
  if (fields.size !== 3 || !/^[0-9a-f]{64}$/.test(signature)) return null;
  return areSigned(signedHeaders) ? { accessKeyId, day, region, signedHeaders, signature } : null;
}

/** In lower case and in order, each once, and the host among them: else a request could be sent to another server. */
function areSigned(names: readonly string[]): boolean {
  if (names.length > signedHeadersMax || !names.includes("host")) return false;
  return names.every((name, at) => /^[a-z0-9-]{1,64}$/.test(name) && (at === 0 || name > (names[at - 1] ?? "")));
}

/** The date of a request, in milliseconds; null for none. `X-Amz-Date` counts more than `Date`. */
export function dateOf(headers: SignedRequest["headers"]): { readonly ms: number; readonly text: string } | null {
  const written = headers["x-amz-date"];
  if (written === undefined) {
    const { date } = headers;
    const ms = typeof date === "string" && date.length <= 64 ? Date.parse(date) : Number.NaN;
    return Number.isNaN(ms) ? null : { ms, text: `${new Date(ms).toISOString().replaceAll(/[-:]|\.\d+/g, "")}` };
  }
  const [, year, month, day, hour, minute, second] =
    /^(\d{4})(\d\d)(\d\d)T(\d\d)(\d\d)(\d\d)Z$/.exec(String(written)) ?? [];
  if (year === undefined) return null;
  const ms = Date.parse(`${year}-${month}-${day}T${hour}:${minute}:${second}Z`);
  return Number.isNaN(ms) ? null : { ms, text: String(written) };
}

/** Whether a request is of now, and its signature of the day that it is of. */
export function isOfNow(date: { readonly ms: number; readonly text: string }, day: string, nowMs: number): boolean {
  return Math.abs(nowMs - date.ms) <= skewMaxMs && date.text.startsWith(day);
}

export type VerifySignature = ReturnType<typeof createVerifySignature>;

/** Signing keys are of one secret, day and region. */
const cachedMax = 100;

export function createVerifySignature() {
  const signingKeys = createLruCache<string, Buffer>(cachedMax);

  /** Constant time in the signature. @param secrets of the access key */
  return (signed: SignedHeader, dateText: string, request: SignedRequest, secrets: readonly string[]): boolean => {
    const bodyHash = hash("sha256", request.body, "hex");
    const stated = request.headers["x-amz-content-sha256"];
    if (stated !== undefined && stated !== bodyHash) return false;
    const scope = `${signed.day}/${signed.region}/${service}/aws4_request`;
    const presented = Buffer.from(signed.signature, "hex");
    let isGood = false;
    for (const canonical of canonicalRequests(signed, request, bodyHash)) {
      const text = [algorithm, dateText, scope, hash("sha256", canonical)].join("\n");
      for (const secret of secrets) {
        const expected = createHmac("sha256", signingKey(secret, signed)).update(text).digest();
        if (timingSafeEqual(expected, presented)) isGood = true;
      }
    }
    return isGood;
  };

  function signingKey(secret: string, { day, region }: SignedHeader): Buffer {
    const name = `${secret} ${day} ${region}`;
    const cached = signingKeys.get(name);
    if (cached !== undefined) return cached;
    const key = [day, region, service, "aws4_request"].reduce<string | Buffer>(
      (parent, part) => createHmac("sha256", parent).update(part).digest(),
      `AWS4${secret}`,
    ) as Buffer;
    signingKeys.set(name, key);
    return key;
  }
}

/**
 * What may have been signed: by each name of the host, with the query as the specification has it, and as it was sent, which some clients sign
 * where they have encoded it otherwise. None where a header is missing that was signed.
 */
function canonicalRequests({ signedHeaders }: SignedHeader, request: SignedRequest, bodyHash: string): string[] {
  const { method, target, headers, hosts } = request;
  const at = target.indexOf("?");
  const path = at < 0 ? target : target.slice(0, at);
  const query = at < 0 ? "" : target.slice(at + 1);
  const queries = new Set([canonicalQuery(query), query.split("&").sort().join("&")]);
  const values = signedHeaders.map((name) => (name === "host" ? "" : headerText(headers[name])));
  if (values.includes(null)) return [];
  return [...new Set(hosts)].flatMap((host) =>
    [...queries].map((each) => {
      const lines = signedHeaders.map((name, index) => `${name}:${name === "host" ? host : values[index]}`);
      return [method, path, each, ...lines, "", signedHeaders.join(";"), bodyHash].join("\n");
    }),
  );
}

/** Null where there is none. Spaces in a row count as one. */
function headerText(value: string | readonly string[] | undefined): string | null {
  if (value === undefined) return null;
  const text = typeof value === "string" ? value : value.join(",");
  return text.length > valueLengthMax ? null : text.trim().replaceAll(/ +/g, " ");
}

/** Decoded once and encoded once, however it was sent; sorted by name, and then by value. */
function canonicalQuery(query: string): string {
  if (query === "") return "";
  return query
    .split("&")
    .map((pair) => {
      const at = pair.indexOf("=");
      const [name, value] = at < 0 ? [pair, ""] : [pair.slice(0, at), pair.slice(at + 1)];
      return [encode(name), encode(value)] as const;
    })
    .sort(([nameA, valueA], [nameB, valueB]) => compare(nameA, nameB) || compare(valueA, valueB))
    .map(([name, value]) => `${name}=${value}`)
    .join("&");
}

function compare(a: string, b: string): number {
  return a < b ? -1 : a > b ? 1 : 0;
}

/** RFC 3986: letters, digits and -._~ alone stay as they are. */
function encode(sent: string): string {
  const plain = sent.replaceAll("+", " ");
  let decoded: string;
  try {
    decoded = decodeURIComponent(plain);
  } catch {
    decoded = plain;
  }
  return encodeURIComponent(decoded).replaceAll(
    /[!'()*]/g,
    (character) => `%${character.charCodeAt(0).toString(16).toUpperCase()}`,
  );
}
