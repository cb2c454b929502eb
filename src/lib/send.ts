import { Agent as HttpAgent, request as requestHttp } from "node:http";
import { Agent as HttpsAgent, request as requestHttps } from "node:https";
import { isIP } from "node:net";
import { withDeadline } from "./deadline.ts";
import { lookupPublic } from "./public-lookup.ts";
import { hostOf, isListed, isPublicAddress, receiverFault } from "./receiver-address.ts";

/** What a receiver said, or why it could not be asked. */
export interface SendResult {
  readonly isAccepted: boolean;
  /** Null where there was no answer. */
  readonly status: number | null;
  /** The beginning of the answer. */
  readonly answer: string;
  /** Null where it was accepted. */
  readonly reason: string | null;
  /** For how long the receiver wants to be left alone; null: it has not said. */
  readonly retryAfterMs: number | null;
  readonly durationMs: number;
}

export interface Message {
  readonly url: string;
  readonly contentType: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly body: string | Buffer;
}

export type Send = (message: Message, stopping?: AbortSignal) => Promise<SendResult>;

const timeoutMs = 10_000;
/** Bytes of an answer that are read. */
const answerMax = 1_024;
/** Connections stay open for the next event. Each goes to an address that was checked when it was made. */
const agentOptions = { keepAlive: true, maxFreeSockets: 64, timeout: 5_000 };

/**
 * Posts a message to its receiver: an event to a webhook, a notification to a push service. Redirects are not followed, since they may lead anywhere.
 *
 * @param allowed hosts that need not be public; see public-lookup.ts
 */
export function createSend(allowed: readonly string[], userAgent = "Usher"): Send {
  const never = new AbortController().signal;
  const agents = { http: new HttpAgent(agentOptions), https: new HttpsAgent(agentOptions) };
  return (message, stopping = never) => withDeadline(timeoutMs, stopping, (signal) => post(message, signal));

  /** @param isKeepAlive whether a connection that is there already may be used */
  function post(message: Message, signal: AbortSignal, isKeepAlive = true): Promise<SendResult> {
    return new Promise((resolve) => {
      const startedMs = performance.now();
      const end = (status: number | null, answer: string, failure: string | null, retryAfter?: string) => {
        const isAccepted = failure === null && status !== null && status >= 200 && status < 300;
        const refusal = isAccepted ? null : (failure ?? `the receiver answered ${status}`);
        const durationMs = Math.round(performance.now() - startedMs);
        resolve({ isAccepted, status, answer, reason: refusal, retryAfterMs: retryAfterMsOf(retryAfter), durationMs });
      };
      // The configuration may have changed since the webhook was made.
      const fault = receiverFault(message.url, allowed);
      if (fault !== null) return end(null, "", fault);
      const url = new URL(message.url);
      const mayBeAny = isListed(url, allowed);
      if (!mayBeAny && isIP(hostOf(url)) !== 0 && !isPublicAddress(hostOf(url)))
        return end(null, "", "no public address");
      const body = Buffer.from(message.body);
      const isHttps = url.protocol === "https:";
      const request = (isHttps ? requestHttps : requestHttp)(url, {
        method: "POST",
        agent: isKeepAlive && (isHttps ? agents.https : agents.http),
        signal,
        headers: {
          ...message.headers,
          "content-type": message.contentType,
          "content-length": body.length,
          "user-agent": userAgent,
          accept: "*/*",
        },
        ...(!mayBeAny && { lookup: lookupPublic }),
      });
      request.on("response", (response) => {
        let answer = "";
        const done = () =>
          end(response.statusCode ?? null, answer.slice(0, answerMax), null, response.headers["retry-after"]);
        response.setEncoding("utf8");
        response.on("data", (chunk: string) => {
          answer += chunk;
          if (answer.length < answerMax) return;
          done();
          request.destroy();
        });
        response.on("end", done);
        // The status has come: what follows it is of no account.
        response.on("error", done);
      });
      // To `101 Switching Protocols` there is neither an answer nor an error.
      request.on("upgrade", (_response, socket) => socket.destroy());
      request.on("error", (error) => {
        // The receiver may close a connection that it keeps at the moment when it is used again.
        const isStale = request.reusedSocket && ["ECONNRESET", "EPIPE"].includes(codeOf(error) ?? "");
        if (isStale && isKeepAlive) resolve(post(message, signal, false));
        else end(null, "", describe(error));
      });
      request.on("close", () => end(null, "", "the connection was closed without an answer"));
      request.end(body);
    });
  }
}

function describe(error: Error): string {
  if (error.name === "TimeoutError" || error.name === "AbortError") return `no answer within ${timeoutMs / 1_000} s`;
  const code = codeOf(error);
  return code === undefined ? error.message : `${error.message} (${code})`;
}

function codeOf(error: Error): string | undefined {
  return (error as NodeJS.ErrnoException).code;
}

/** Seconds, or nothing that counts. */
function retryAfterMsOf(header: string | undefined): number | null {
  return header !== undefined && /^\d{1,6}$/.test(header) ? Number(header) * 1_000 : null;
}
