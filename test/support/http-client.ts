/**
 * Plain HTTP(S) requests for tests: no redirects followed, every header as given, names ending in `.test` are here. A gateway's
 * answer that is not as it is described is an error.
 */

import { lookup } from "node:dns";
import { Agent, request as httpRequest, type IncomingHttpHeaders, type IncomingMessage } from "node:http";
import { Agent as HttpsAgent, request as httpsRequest } from "node:https";
import { isIP, type LookupFunction } from "node:net";
import { undescribedIn } from "./described-answers.ts";

export interface HttpRequest {
  method?: string;
  headers?: Record<string, string | string[]>;
  /** A string is sent as it is, an object as JSON, URLSearchParams as a form. */
  body?: string | Buffer | URLSearchParams | object;
  timeoutMs?: number;
}

export interface HttpResponse {
  readonly url: URL;
  readonly status: number;
  readonly headers: IncomingHttpHeaders;
  /** Each `Set-Cookie` header by itself. */
  readonly setCookies: readonly string[];
  readonly body: string;
  /** The body parsed; throws with the body's beginning when it is not JSON. */
  json(): unknown;
  header(name: string): string | undefined;
}

export interface HttpClient {
  request(url: string | URL, options?: HttpRequest): Promise<HttpResponse>;
  get(url: string | URL, headers?: HttpRequest["headers"]): Promise<HttpResponse>;
  close(): void;
}

export interface HttpClientOptions {
  /** Certificate of the authority to trust, PEM. */
  ca?: string;
  /** Connections at a time to one server; default 64. */
  connectionsMax?: number;
}

export function createHttpClient(options: HttpClientOptions = {}): HttpClient {
  const shared = { keepAlive: true, maxSockets: options.connectionsMax ?? 64, lookup: lookupHere };
  const http = new Agent(shared);
  const https = new HttpsAgent(options.ca === undefined ? shared : { ...shared, ca: options.ca });

  async function request(target: string | URL, given: HttpRequest = {}, isAgain = false): Promise<HttpResponse> {
    const url = new URL(target);
    const mayRepeat = !isAgain && ["GET", "HEAD"].includes(given.method ?? "GET");
    const { content, headers } = encodeBody(given);
    const isHttps = url.protocol === "https:";
    const start = isHttps ? httpsRequest : httpRequest;
    return new Promise((resolve, reject) => {
      const outgoing = start(url, {
        method: given.method ?? "GET",
        headers: { ...headers, ...given.headers },
        agent: isHttps ? https : http,
        // The server that is meant, whatever the header Host says.
        servername: url.hostname,
        signal: AbortSignal.timeout(given.timeoutMs ?? 60_000),
      });
      outgoing.once("response", (incoming) =>
        readResponse(url, incoming).then((response) => {
          const undescribed = undescribedIn({ method: given.method ?? "GET", ...response });
          if (undescribed === null) resolve(response);
          else reject(new Error(undescribed));
        }, reject),
      );
      outgoing.once("error", (error: NodeJS.ErrnoException) => {
        // A server may end a connection that was idle just when it is used again. Browsers ask once more, too.
        const wasEnded = outgoing.reusedSocket && (error.code === "ECONNRESET" || error.code === "EPIPE");
        if (wasEnded && mayRepeat) resolve(request(target, given, true));
        else reject(error);
      });
      outgoing.end(content);
    });
  }

  return {
    request: (url, options) => request(url, options),
    get: (url, headers) => request(url, headers === undefined ? {} : { headers }),
    close() {
      http.destroy();
      https.destroy();
    },
  };
}

function encodeBody({ body }: HttpRequest): { content?: string | Buffer; headers: Record<string, string> } {
  if (body === undefined) return { headers: {} };
  const [content, type] = serialise(body);
  const headers: Record<string, string> = { "content-length": String(Buffer.byteLength(content)) };
  if (type !== undefined) headers["content-type"] = type;
  return { content, headers };
}

function serialise(body: NonNullable<HttpRequest["body"]>): [string | Buffer, string?] {
  if (typeof body === "string" || Buffer.isBuffer(body)) return [body];
  if (body instanceof URLSearchParams) return [body.toString(), "application/x-www-form-urlencoded"];
  return [JSON.stringify(body), "application/json"];
}

async function readResponse(url: URL, incoming: IncomingMessage): Promise<HttpResponse> {
  const chunks: Buffer[] = [];
  for await (const chunk of incoming) chunks.push(chunk as Buffer);
  const body = Buffer.concat(chunks).toString("utf8");
  const status = incoming.statusCode ?? 0;
  const header = (name: string) => {
    const value = incoming.headers[name.toLowerCase()];
    return Array.isArray(value) ? value.join(", ") : value;
  };
  const json = () => {
    try {
      return JSON.parse(body) as unknown;
    } catch {
      throw new Error(`${url} answered ${status} and no JSON: ${body.slice(0, 300)}`);
    }
  };
  return {
    url,
    status,
    headers: incoming.headers,
    setCookies: incoming.headers["set-cookie"] ?? [],
    body,
    json,
    header,
  };
}

const lookupHere: LookupFunction = (hostname, options, callback) => {
  if (!hostname.endsWith(".test") || isIP(hostname) !== 0) return lookup(hostname, options, callback);
  if (options.all === true) callback(null, [{ address: "127.0.0.1", family: 4 }]);
  else callback(null, "127.0.0.1", 4);
};
