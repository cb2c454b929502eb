import { request as requestHttp } from "node:http";
import { request as requestHttps } from "node:https";
import { isIP } from "node:net";
import { withDeadline } from "../../lib/deadline.ts";
import { hostOf, isListed, isPublicAddress, lookupPublic, receiverFault } from "./addresses.ts";

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
  readonly body: string;
}

export type Send = (message: Message, stopping?: AbortSignal) => Promise<SendResult>;

const timeoutMs = 10_000;
/** Bytes of an answer that are read. */
const answerMax = 1_024;

/**
 * Posts a message to its receiver. Redirects are not followed, since they may lead anywhere.
 *
 * @param allowed hosts that need not be public; see addresses.ts
 */
export function createSend(allowed: readonly string[], userAgent = "Usher"): Send {
  const never = new AbortController().signal;
  return (message, stopping = never) => withDeadline(timeoutMs, stopping, (signal) => post(message, signal));

  function post(message: Message, signal: AbortSignal): Promise<SendResult> {
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
      const request = (url.protocol === "https:" ? requestHttps : requestHttp)(url, {
        method: "POST",
        // A connection of its own, which goes to the address that was checked.
        agent: false,
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
        const done = () => {
          end(response.statusCode ?? null, answer.slice(0, answerMax), null, response.headers["retry-after"]);
          request.destroy();
        };
        response.setEncoding("utf8");
        response.on("data", (chunk: string) => {
          answer += chunk;
          if (answer.length >= answerMax) done();
        });
        response.on("end", done);
        // The status has come: what follows it is of no account.
        response.on("error", done);
      });
      // To `101 Switching Protocols` there is neither an answer nor an error.
      request.on("upgrade", (_response, socket) => socket.destroy());
      request.on("error", (error) => end(null, "", describe(error)));
      request.on("close", () => end(null, "", "the connection was closed without an answer"));
      request.end(body);
    });
  }
}

function describe(error: Error): string {
  if (error.name === "TimeoutError" || error.name === "AbortError") return `no answer within ${timeoutMs / 1_000} s`;
  const { code } = error as NodeJS.ErrnoException;
  return code === undefined ? error.message : `${error.message} (${code})`;
}

/** Seconds, or nothing that counts. */
function retryAfterMsOf(header: string | undefined): number | null {
  return header !== undefined && /^\d{1,6}$/.test(header) ? Number(header) * 1_000 : null;
}
