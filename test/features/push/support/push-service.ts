/**
 * A push service and the browsers that have subscribed at it, built from RFC 8030 (delivery), RFC 8188 and 8291 (encryption) and RFC 8292
 * (VAPID). It answers as the RFCs say, refuses what they refuse, and decrypts as a browser does.
 */
import { createDecipheriv, createECDH, createPublicKey, type ECDH, hkdfSync, randomBytes, verify } from "node:crypto";
import { createServer, type IncomingMessage, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";

export interface DeliveredPush {
  readonly subscriber: string;
  readonly headers: Readonly<Record<string, string | undefined>>;
  readonly message: Readonly<Record<string, unknown>>;
}

/** What it answers instead of delivering: a status with headers; or nothing at all. */
export type PushRefusal = { readonly status: number; readonly headers?: Record<string, string> } | "hang";

interface Subscriber {
  readonly ecdh: ECDH;
  readonly auth: Buffer;
  /** The key that it has subscribed with; others may not send (RFC 8292, section 4). */
  readonly applicationServerKey: string | null;
}

export type PushService = Awaited<ReturnType<typeof startPushService>>;

export async function startPushService() {
  const subscribers = new Map<string, Subscriber>();
  const delivered: DeliveredPush[] = [];
  const refusals: PushRefusal[] = [];
  /** What senders did wrong. */
  const faults: string[] = [];
  let usual: PushRefusal | null = null;
  let hanging = 0;

  const server = createServer((request, response) => {
    const chunks: Buffer[] = [];
    request.on("data", (chunk: Buffer) => chunks.push(chunk));
    request.on("end", () => {
      try {
        answer(request, Buffer.concat(chunks), response);
      } catch (error) {
        faults.push(String(error));
        response.writeHead(400).end();
      }
    });
  });

  function answer(request: IncomingMessage, body: Buffer, response: ServerResponse): void {
    const name = (request.url ?? "").slice("/push/".length);
    const refusal = refusals.shift() ?? usual;
    if (refusal === "hang") {
      hanging++;
      return;
    }
    if (refusal !== null) return void response.writeHead(refusal.status, refusal.headers).end();
    const subscriber = subscribers.get(name);
    if (subscriber === undefined) return void response.writeHead(410).end();
    const { headers } = request;
    if (request.method !== "POST") throw new Error("a message is sent by POST");
    if (!/^\d+$/.test(String(headers.ttl))) throw new Error("TTL is missing (RFC 8030, section 5.2)");
    if (headers["content-encoding"] !== "aes128gcm") throw new Error("the content encoding is not aes128gcm");
    if (headers.topic !== undefined && !/^[\w-]{1,32}$/.test(String(headers.topic))) throw new Error("no topic");
    if (!["very-low", "low", "normal", "high"].includes(String(headers.urgency))) throw new Error("no urgency");
    if (body.length > 4_096) return void response.writeHead(413).end();
    checkVapid(String(headers.authorization), subscriber);
    const message = JSON.parse(decrypt(body, subscriber).toString("utf8"));
    delivered.push({ subscriber: name, headers: headers as DeliveredPush["headers"], message });
    response.writeHead(201, { location: `${origin()}/message/${delivered.length}` }).end();
  }

  function checkVapid(authorization: string, { applicationServerKey }: Subscriber): void {
    const [, token = "", key = ""] = /^vapid t=([\w.-]+), ?k=([\w-]+)$/.exec(authorization) ?? [];
    if (applicationServerKey !== null && key !== applicationServerKey) throw new Error("another sender");
    const [header = "", claims = "", signature = ""] = token.split(".");
    const point = Buffer.from(key, "base64url");
    if (point.length !== 65) throw new Error("k is no uncompressed point of P-256");
    const jwk = {
      kty: "EC",
      crv: "P-256",
      x: point.subarray(1, 33).toString("base64url"),
      y: point.subarray(33).toString("base64url"),
    };
    const isSigned = verify(
      "sha256",
      Buffer.from(`${header}.${claims}`),
      { key: createPublicKey({ key: jwk, format: "jwk" }), dsaEncoding: "ieee-p1363" },
      Buffer.from(signature, "base64url"),
    );
    if (!isSigned) throw new Error("the token is not signed with k");
    const { aud, exp, sub } = JSON.parse(Buffer.from(claims, "base64url").toString());
    if (aud !== origin()) throw new Error(`aud is ${aud}`);
    const leftSec = exp - Date.now() / 1_000;
    if (leftSec <= 0 || leftSec > 86_400) throw new Error("exp is not within 24 hours");
    if (!/^(mailto:|https?:)/.test(sub)) throw new Error("sub names no contact");
  }

  const origin = () => `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));

  return {
    delivered,
    refusals,
    faults,
    /** What a configuration names as `push.services`. */
    get host() {
      return new URL(origin()).host;
    },
    /** For all further messages; null: it delivers. */
    refuse(refusal: PushRefusal | null) {
      usual = refusal;
    },
    /** How many messages it has left without an answer. */
    hanging: () => hanging,
    /** A browser subscribes: what its `PushSubscription` says as JSON. */
    subscribe(name: string, applicationServerKey: string | null = null) {
      const ecdh = createECDH("prime256v1");
      const auth = randomBytes(16);
      subscribers.set(name, { ecdh, auth, applicationServerKey });
      const p256dh = ecdh.generateKeys().toString("base64url");
      return { endpoint: `${origin()}/push/${name}`, keys: { p256dh, auth: auth.toString("base64url") } };
    },
    /** A key of another sender. */
    ownKey: () => createECDH("prime256v1").generateKeys().toString("base64url"),
    /** The browser is gone: messages to it are answered 410. */
    unsubscribe: (name: string) => void subscribers.delete(name),
    deliveredTo: (name: string) => delivered.filter(({ subscriber }) => subscriber === name),
    async stop() {
      server.closeAllConnections();
      await new Promise((resolve) => server.close(resolve));
    },
  };
}

/** RFC 8188, section 2, with the keys of RFC 8291, section 3.4. */
export function decrypt(body: Buffer, { ecdh, auth }: Pick<Subscriber, "ecdh" | "auth">): Buffer {
  const salt = body.subarray(0, 16);
  const recordSize = body.readUInt32BE(16);
  const keyLength = body.readUInt8(20);
  const senderKey = body.subarray(21, 21 + keyLength);
  const record = body.subarray(21 + keyLength);
  if (record.length > recordSize) throw new Error("there is more than one record");
  const bytes = (secret: Buffer, salted: Buffer, info: Buffer, length: number) =>
    Buffer.from(hkdfSync("sha256", secret, salted, info, length));
  const keyInfo = Buffer.concat([Buffer.from("WebPush: info\0"), ecdh.getPublicKey(), senderKey]);
  const material = bytes(ecdh.computeSecret(senderKey), auth, keyInfo, 32);
  const key = bytes(material, salt, Buffer.from("Content-Encoding: aes128gcm\0"), 16);
  const nonce = bytes(material, salt, Buffer.from("Content-Encoding: nonce\0"), 12);
  const decipher = createDecipheriv("aes-128-gcm", key, nonce);
  decipher.setAuthTag(record.subarray(-16));
  const padded = Buffer.concat([decipher.update(record.subarray(0, -16)), decipher.final()]);
  const end = padded.findLastIndex((byte) => byte !== 0);
  if (padded[end] !== 2) throw new Error("the last record does not say that it is the last");
  return padded.subarray(0, end);
}
