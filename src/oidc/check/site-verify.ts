import { createHash } from "node:crypto";
import { z } from "zod";
import type { ChallengeConfig } from "../../config/index.ts";
import { createBoundedFetch } from "../../lib/bounded-fetch.ts";
import type { Clock } from "../../lib/clock-and-random.ts";
import { createOutage } from "../../lib/outage.ts";
import { verifyUrlOf } from "./providers.ts";

/** Characters of a visitor's answer. All providers' are shorter; longer ones are not passed on. */
export const responseLengthMax = 8_192;
/** Requests to one provider at a time, at this process. */
const underWayMax = 64;
/** Of a provider's answer. */
const bytesMax = 16_384;
/** How long a provider that many visitors got no answer from is not asked. */
const awayMs = 10_000;
const reportEveryMs = 60_000;

/** The part of the answer that all providers share; the rest is not read. */
const answerSchema = z.object({
  success: z.boolean(),
  hostname: z.string().max(255).optional(),
  "error-codes": z.array(z.string().max(100)).max(20).optional(),
});

/**
 * `away`: many visitors got no answer recently. `busy`: this answer cannot be verified now, because the provider's reply was not valid, too
 * many requests are in flight, or the provider says that it is busy.
 */
export type Verdict =
  | { readonly verdict: "passed"; readonly id: string }
  | { readonly verdict: "refused" | "wrong_host" | "away" | "busy" };

export type SiteVerify = ReturnType<typeof createSiteVerify>;

/**
 * Asks a provider whether a visitor's answer is right, by the `siteverify` contract: a form with `secret`, `response` and `remoteip`,
 * answered with JSON. Redirects are not followed. A provider that is away is asked again after ten seconds. Only time-outs and
 * refused connections of several addresses make it so: what it answers may be what one visitor has sent.
 *
 * @param host of the issuer, at which the challenge must have been shown
 */
export function createSiteVerify(challenge: ChallengeConfig, host: string, clock: Clock) {
  let underWay = 0;
  const outage = createOutage(clock);
  let unnamed = 0;
  let failures = 0;
  let reportedMs = -Infinity;
  const fetchAnswer = createBoundedFetch({ bytesMax, timeoutMs: challenge.timeoutMs });

  function failed(reason: string, report: (failure: { reason: string; count: number }) => void): Verdict {
    const nowMs = clock.now();
    failures++;
    // Negative: the clock was set back.
    if (nowMs - reportedMs >= reportEveryMs || nowMs < reportedMs) {
      report({ reason, count: failures });
      failures = 0;
      reportedMs = nowMs;
    }
    return { verdict: outage.leftMs > 0 ? "away" : "busy" };
  }

  return {
    get isAway(): boolean {
      return outage.leftMs > 0;
    },

    /** @param address null if unknown @param report called on failures, at most once a minute */
    async verify(
      response: string,
      address: string | null,
      report: (failure: { reason: string; count: number }) => void,
    ): Promise<Verdict> {
      if (response === "" || response.length > responseLengthMax) return { verdict: "refused" };
      if (underWay >= underWayMax) return { verdict: "busy" };
      underWay++;
      try {
        return await ask(response, address, report);
      } finally {
        underWay--;
      }
    },
  };

  async function ask(
    response: string,
    address: string | null,
    report: (failure: { reason: string; count: number }) => void,
  ): Promise<Verdict> {
    const body = new URLSearchParams({ secret: challenge.secret, response });
    if (address !== null) body.set("remoteip", address);
    let answered: Response;
    try {
      answered = await fetchAnswer(verifyUrlOf(challenge), { method: "POST", body, redirect: "manual" });
    } catch (error) {
      // Without addresses, visitors cannot be distinguished.
      if (isSilence(error)) outage.fail(address ?? `unnamed ${unnamed++}`, awayMs);
      return failed(reasonOf(error), report);
    }
    outage.end();
    if (answered.status === 429) return { verdict: "busy" };
    if (answered.status !== 200) return failed(`answered ${answered.status}`, report);
    const answer = readAnswer(await answered.text());
    if (answer === null) return failed("answered something that cannot be read", report);
    const { success, hostname, "error-codes": codes = [] } = answer;
    // The secret is wrong, which is not the visitor's fault.
    const isOurs = codes.find((code) => /^(missing|invalid)-input-secret$|^sitekey-secret-mismatch$/.test(code));
    if (isOurs !== undefined) return failed(`answered ${isOurs}: see secret and site_key of the challenge`, report);
    if (!success) return { verdict: "refused" };
    if (hostname !== undefined && hostname !== host) return { verdict: "wrong_host" };
    // A provider accepts each answer only once.
    return { verdict: "passed", id: createHash("sha256").update(response).digest("base64url").slice(0, 22) };
  }
}

function readAnswer(text: string): z.output<typeof answerSchema> | null {
  try {
    return answerSchema.parse(JSON.parse(text));
  } catch {
    return null;
  }
}

/** Whether the request failed without an answer, which says nothing about what was sent. */
function isSilence(error: unknown): boolean {
  if (!(error instanceof Error)) return false;
  const cause = error.cause instanceof Error && "code" in error.cause ? String(error.cause.code) : "";
  return error.name === "TimeoutError" || noConnection.test(cause);
}

const noConnection =
  /^(?:ECONNREFUSED|EHOSTUNREACH|ENETUNREACH|ENOTFOUND|EAI_AGAIN|ETIMEDOUT|UND_ERR_CONNECT_TIMEOUT)$/;

/** Never contains what was sent. */
function reasonOf(error: unknown): string {
  if (!(error instanceof Error)) return "failed";
  if (error.name === "TimeoutError") return error.message;
  const { cause } = error;
  return cause instanceof Error && "code" in cause ? String(cause.code) : error.message;
}
