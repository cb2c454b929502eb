import { type ClientRequest, Agent as HttpAgent, type IncomingHttpHeaders, request as requestHttp } from "node:http";
import { Agent as HttpsAgent, request as requestHttps } from "node:https";
import { gunzipSync } from "node:zlib";
import { reasonOf } from "../../../lib/reason.ts";
import { Latencies } from "../report/tally.ts";

export interface WebRequest {
  readonly method?: "GET" | "POST" | "DELETE";
  readonly headers?: Readonly<Record<string, string>>;
  readonly body?: string;
  /** Since the request had a connection, or began to make one. */
  readonly timeoutMs: number;
}

export interface WebAnswer {
  readonly status: number;
  readonly headers: IncomingHttpHeaders;
  readonly text: string;
  /** Since the request had a connection, or began to make one: milliseconds. */
  readonly tookMs: number;
}

/** No page that is read here is longer. */
const lengthMax = 2_000_000;

export type Web = ReturnType<typeof createWeb>;

/**
 * Asks as many browsers do, over connections that are kept. A browser has its own; here all share so many for each origin, and what
 * they wait for one is measured apart, as it is no fault of the installation.
 */
export function createWeb(connections: number) {
  const options = { keepAlive: true, maxSockets: connections, maxFreeSockets: connections };
  const [http, https] = [new HttpAgent(options), new HttpsAgent(options)];
  const underWay = new Set<ClientRequest>();
  const queuedMs = new Latencies();

  function send(url: URL, options: WebRequest, mayRepeat: boolean): Promise<WebAnswer | string> {
    const { method = "GET", headers = {}, body, timeoutMs } = options;
    const isSecure = url.protocol === "https:";
    const sent = {
      "user-agent": "usher-rehearse",
      "accept-encoding": "gzip",
      ...headers,
      ...(body !== undefined && { "content-length": String(Buffer.byteLength(body)) }),
    };
    return new Promise((resolve) => {
      const calledMs = performance.now();
      let connectingMs = calledMs;
      let timer: NodeJS.Timeout | undefined;
      const settle = (answer: WebAnswer | string | Promise<WebAnswer | string>) => {
        clearTimeout(timer);
        underWay.delete(request);
        resolve(answer);
      };
      const request = (isSecure ? requestHttps : requestHttp)(
        url,
        { method, headers: sent, agent: isSecure ? https : http },
        (response) => {
          const chunks: Buffer[] = [];
          let length = 0;
          response.on("data", (chunk: Buffer) => {
            length += chunk.length;
            if (length > lengthMax) request.destroy(new Error("an answer that is too long"));
            else chunks.push(chunk);
          });
          response.once("error", (error) => settle(reasonOf(error)));
          response.once("end", () => {
            const tookMs = performance.now() - connectingMs;
            const { statusCode: status = 0, headers: responseHeaders } = response;
            const text = readText(Buffer.concat(chunks), responseHeaders["content-encoding"]);
            settle(
              text === null ? "an answer that cannot be read" : { status, headers: responseHeaders, text, tookMs },
            );
          });
        },
      );
      underWay.add(request);
      request.once("socket", () => {
        connectingMs = performance.now();
        queuedMs.add(connectingMs - calledMs);
        // Not before: the site has no part in the queue for a connection of this command.
        timer = setTimeout(() => request.destroy(new Error("no answer in time")), timeoutMs);
      });
      request.once("error", (error) => {
        const reason = reasonOf(error);
        // The server had closed the kept connection meanwhile: browsers ask again by another one (RFC 9110, section 9.2.2).
        const isClosed = request.reusedSocket && (reason === "ECONNRESET" || reason === "EPIPE");
        settle(mayRepeat && isClosed && method === "GET" ? send(url, options, false) : reason);
      });
      request.end(body);
    });
  }

  return {
    /** How long requests waited for a connection of this command. */
    queuedMs,

    /** What answers; in words why nothing does. */
    ask: (url: URL, request: WebRequest): Promise<WebAnswer | string> => send(url, request, true),

    /** Ends what is under way. */
    cut(): void {
      for (const request of underWay) request.destroy(new Error("stopped"));
    },

    close(): void {
      http.destroy();
      https.destroy();
    },
  };
}

function readText(body: Buffer, encoding: string | undefined): string | null {
  if (encoding !== "gzip") return body.toString();
  try {
    return gunzipSync(body, { maxOutputLength: lengthMax }).toString();
  } catch {
    return null;
  }
}
