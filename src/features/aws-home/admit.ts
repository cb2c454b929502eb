import type { Context } from "koa";
import { firstRefusal, type GateSteps, type LoginAttempt } from "../../oidc/index.ts";
import { mayClaim } from "../../room/index.ts";
import {
  findHolderNow,
  type Holder,
  type HomeEvent,
  readLogin,
  type TokenTerms,
  usualTerms,
  writeLogin,
} from "./home.ts";
import type { HomeCounts } from "./metrics.ts";
import type { Admitted, AwsTokens } from "./tokens.ts";
import { type Answer, awayRetryMs, failed, gatewayErrors, ok } from "./wire.ts";

const notServed = () => failed(202, "Request ID not being served yet");
const placeExpired = () => failed(410, "Queue position has expired");
const tokenExpired = () => failed(410, "Token corresponding to request id has expired");

export type Admit = ReturnType<typeof createAdmit>;

/**
 * `generate_token`: a place becomes an admission by the same claim as everywhere, and so within the same limits, and the admission three tokens. Who
 * asks again gets the same ones.
 */
export function createAdmit({
  tokens,
  counts,
  steps,
}: {
  readonly tokens: AwsTokens;
  readonly counts: Pick<HomeCounts, "admitted">;
  readonly steps: Pick<GateSteps, "beforeLogin">;
}) {
  return async (
    ctx: Context,
    event: HomeEvent,
    requestId: string,
    wanted: TokenTerms = usualTerms,
  ): Promise<Answer> => {
    const { room } = event;
    const holder = await findHolderNow(event, requestId, room.clock.now());
    if (holder === null) {
      if (room.state === null) throw gatewayErrors.away(awayRetryMs);
      return failed(400, "Invalid request ID");
    }
    const known = room.admissions.cached(holder.ticket.sub);
    if (known?.isLive && readLogin(known.admission) !== null) return tokensOf(event, holder, known.admission);
    // An id is of one session: where everybody passes, a claim would begin another one.
    const last =
      room.entrance === "pass" ? (known?.admission ?? (await room.admissions.find(holder.ticket.sub))) : null;
    if (last?.ended != null && readLogin(last) !== null) return ended(event, holder);
    if (!mayClaim(room, holder.ticket)) return unclaimed(event, holder, known !== null);
    const attempt: LoginAttempt = { ctx, room, by: "app", address: "", ticket: holder.ticket, grant: {} };
    // A setting of the room asks something since Usher was started, which nobody can answer here.
    if ((await firstRefusal(steps.beforeLogin, attempt)) !== null) throw gatewayErrors.forbidden();
    return claim(event, holder, wanted);
  };

  /** @throws GatewayError */
  async function claim(event: HomeEvent, holder: Holder, wanted: TokenTerms): Promise<Answer> {
    const { room } = event;
    const result = await room.claim(holder.ticket, writeLogin(holder.requestId, wanted));
    const isNew = result.result === "let_in" || (result.result === "admitted" && result.isNew);
    if (isNew) counts.admitted(room.id, result.admission);
    switch (result.result) {
      case "admitted":
      case "answered":
      case "let_in":
        return tokensOf(event, holder, result.admission, wanted);
      case "exhausted":
      case "too_many_addresses":
        throw gatewayErrors.tooMany(awayRetryMs);
      case "away":
        throw gatewayErrors.away(awayRetryMs);
      case "recovering":
        throw gatewayErrors.away(result.remainingMs);
      case "ended":
        return ended(event, holder);
      case "expired":
      case "left":
      case "moved":
      case "voided":
      case "old_edition":
      // Taken where everybody passed, and there is a line now.
      case "no_place":
        return placeExpired();
      case "closed":
        return room.state?.basePhase === "idle" ? notServed() : placeExpired();
      default:
        return notServed();
    }
  }

  /** Tokens of an admission whose time is over are the same as ever, and have expired; one that was ended otherwise gives none. */
  async function ended(event: HomeEvent, holder: Holder): Promise<Answer> {
    const { admissions } = event.room;
    const { sub } = holder.ticket;
    const admission = admissions.cached(sub)?.admission ?? (await admissions.find(sub));
    const hasLapsed = admission !== null && admission.ended === "expired" && readLogin(admission) !== null;
    return hasLapsed ? tokensOf(event, holder, admission) : tokenExpired();
  }

  function unclaimed(event: HomeEvent, holder: Holder, wasAdmitted: boolean): Answer | Promise<Answer> {
    // Let in without the store, perhaps by another process.
    if (holder.ticket.position === 0 && event.room.availability === "away") throw gatewayErrors.away(awayRetryMs);
    if (holder.place.state !== "expired") return notServed();
    return wasAdmitted ? ended(event, holder) : placeExpired();
  }

  async function tokensOf(
    event: HomeEvent,
    { requestId }: Holder,
    admission: Admitted & { readonly logins?: readonly string[] },
    wanted = usualTerms,
  ): Promise<Answer> {
    const recorded = readLogin({ logins: admission.logins ?? [] });
    return ok(await tokens.issue(event.id, requestId, admission, recorded?.terms ?? wanted, event.room.nowMs));
  }
}

/** `queue_pos_expiry`: how long the turn is held yet. */
export function turnOf({ room }: HomeEvent, { place }: Holder): Answer {
  if (isUnserved(place.state)) return notServed();
  if (place.state === "expired") return placeExpired();
  // No turn ends where everybody passes, or once the visitor has been let in.
  if (place.turnLeftMs === null || room.state === null) return failed(202, "Queue position expiration not enabled");
  return ok({ expires_in: Math.floor(place.turnLeftMs / 1_000) });
}

function isUnserved(state: Holder["place"]["state"]): boolean {
  return state === "entered" || state === "waiting";
}
