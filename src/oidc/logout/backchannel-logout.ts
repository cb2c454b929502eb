import { type JWK, SignJWT } from "jose";
import type { ClientConfig } from "../../config/config.ts";
import { statusOf } from "../../lib/bounded-fetch.ts";
import type { Clock, Random } from "../../lib/clock-and-random.ts";
import { createOutages } from "../../lib/outage.ts";
import { createRounds, type Rounds } from "../../lib/rounds.ts";
import type { ClientDirectory } from "../../registry/index.ts";
import { type EndedLogin, isInterruption, type WaitingRoom, type WaitingRooms } from "../../room/index.ts";
import type { OidcParts } from "../parts.ts";
import { sessionIdOf } from "../provider/admission-policy.ts";

/** A room, as far as the ends of its admissions matter. */
type EndingRoom = { readonly admissions: Pick<WaitingRoom["admissions"], "takeEnded"> } & Pick<WaitingRoom, "id">;

const roundMs = 1_000;
const perTake = 100;
/** So many requests to a site are under way at a time, for a room. */
const sideBySide = 10;
/**
 * No request is begun late: logins left over for a slow site come again, after a longer pause. Within the time that an
 * answer may take, every login taken is sent or left before another process may take it.
 */
const beginWithinMs = { first: 5_000, last: 20_000 };
/** Milliseconds for which a site that fails many is left alone, so that it delays no others: its logins come again. */
const restMs = 10_000;
/** Milliseconds for a site's whole answer. */
const timeoutMs = 5_000;

/**
 * Back-channel logout (OpenID Connect Back-Channel Logout 1.0): notifies sites that an admission has ended, whatever
 * ended it. The store queues the notifications, and gives each to one process (`takeEndedLogins` in
 * store/contract/room-store.ts). A room without a client with a `backchannel_logout_uri` costs nothing.
 */
export function createBackchannelLogout(options: {
  readonly rooms: { readonly all: readonly EndingRoom[]; readonly events: Pick<WaitingRooms["events"], "emit"> };
  readonly clients: ClientDirectory;
  readonly tokens: LogoutTokens;
  readonly clock: Clock;
  /** For jitter. */
  readonly random: Pick<Random, "fraction">;
  /** Default: Node's own. */
  readonly fetch?: typeof fetch;
}): Rounds {
  const { rooms, clients, tokens, clock, random, fetch: ask } = options;
  const listeners = clients.derive((all) =>
    all.filter(({ backchannelLogoutUri }) => backchannelLogoutUri !== undefined),
  );
  /** By client. */
  const outages = createOutages(clock);

  /** Sends the notifications that are due. */
  async function look(room: EndingRoom, stopping: AbortSignal): Promise<number> {
    if (!listeners().some((client) => client.rooms.includes(room.id))) return roundMs;
    let done: readonly string[] = [];
    let taken: readonly EndedLogin[];
    do {
      try {
        taken = await room.admissions.takeEnded(done, stopping.aborted ? 0 : perTake);
      } catch (error) {
        if (!isInterruption(error)) throw error;
        return roundMs;
      }
      done = await notifyAll(room, taken, stopping);
    } while (taken.length > 0);
    return roundMs;
  }

  /** Answers the ids of those that need not come again. No site waits for another; what comes no more is first. */
  async function notifyAll(room: EndingRoom, taken: readonly EndedLogin[], stopping: AbortSignal): Promise<string[]> {
    const done: string[] = [];
    const beganMs = clock.now();
    const work = async (left: EndedLogin[]) => {
      for (let next = left.shift(); next !== undefined && !stopping.aborted; next = left.shift()) {
        const withinMs = next.isLast ? beginWithinMs.last : beginWithinMs.first;
        if (clock.now() - beganMs < withinMs) {
          if (await notify(room, next, stopping)) done.push(next.id);
        } else if (next.isLast) {
          reportFailure(room, next, true, "the site answers too slowly");
        }
      }
    };
    const bySite = new Map<string, EndedLogin[]>();
    for (const login of taken.toSorted((a, b) => Number(b.isLast) - Number(a.isLast))) {
      bySite.set(login.clientId, [...(bySite.get(login.clientId) ?? []), login]);
    }
    const workers = [...bySite.values()].flatMap((left) => Array.from({ length: sideBySide }, () => work(left)));
    await Promise.all(workers);
    return done;
  }

  /** @returns whether the login need not come again */
  async function notify(room: EndingRoom, login: EndedLogin, stopping: AbortSignal): Promise<boolean> {
    const { clientId, sub, isLast } = login;
    const client = clients.get(clientId);
    // Another process may know the client, while settings or files are changed one process after the other.
    if (client?.backchannelLogoutUri === undefined) return false;
    const outage = outages.of(clientId);
    if (outage.leftMs > 0 && !isLast) return false;
    const token = await tokens.issue(client, login);
    const answer = await sendLogoutToken(client.backchannelLogoutUri, token, stopping, ask);
    if (stopping.aborted) return answer.result === "sent";
    if (answer.result === "failed") outage.fail(sub, restMs);
    else outage.end();
    if (answer.result === "sent") {
      rooms.events.emit("backchannel_logout.sent", { room: room.id, client: clientId, sub });
      return true;
    }
    const isOver = isLast || answer.result === "refused";
    reportFailure(room, login, isOver, answer.reason);
    return isOver;
  }

  function reportFailure({ id }: EndingRoom, { clientId, sub, attempt }: EndedLogin, isOver: boolean, reason: string) {
    rooms.events.emit("backchannel_logout.failed", { room: id, client: clientId, sub, attempt, isOver, reason });
  }

  const onFailure = (room: EndingRoom, error: unknown) => rooms.events.emit("room.failed", { room: room.id, error });
  return createRounds({ rooms: () => rooms.all, random, look, onFailure });
}

/** `refused`: the site has judged the token and wants none of it (OpenID Connect Back-Channel Logout 1.0 §2.8), so it gets no other. */
type LogoutAnswer = { readonly result: "sent" } | { readonly result: "refused" | "failed"; readonly reason: string };

/** Posts a logout token to a site. @param stopping ends what is under way */
export async function sendLogoutToken(
  uri: string,
  token: string,
  stopping: AbortSignal,
  ask?: typeof fetch,
): Promise<LogoutAnswer> {
  const headers = { accept: "*/*", "user-agent": "usher-logout" };
  const body = new URLSearchParams({ logout_token: token });
  try {
    const { status, ok } = await statusOf(uri, { method: "POST", headers, body }, timeoutMs, stopping, ask);
    if (ok) return { result: "sent" };
    return { result: status === 400 ? "refused" : "failed", reason: `answered ${status}` };
  } catch (error) {
    return { result: "failed", reason: describe(error) };
  }
}

/** Node's fetch says what went wrong in the cause. */
function describe(error: unknown): string {
  const cause = error instanceof Error ? (error.cause ?? error) : error;
  if (!(cause instanceof Error)) return String(cause);
  const code = "code" in cause && typeof cause.code === "string" ? cause.code : "";
  return cause.message || code || cause.name;
}

/** The admission that has ended: of a visitor's several only this one. */
export type EndedAdmission = Pick<EndedLogin, "sub" | "admittedMs">;

export type LogoutTokens = ReturnType<typeof createLogoutTokens>;

/** What a site may take to answer, and the difference of its clock (OpenID Connect Back-Channel Logout 1.0 §4: two minutes at most). */
const validitySec = 120;

/** Logout tokens (OpenID Connect Back-Channel Logout 1.0 §2.4), signed as the client's ID tokens are. */
export function createLogoutTokens(parts: Pick<OidcParts, "issuer" | "keys" | "clock" | "random">) {
  const { issuer, keys, clock, random } = parts;
  return {
    async issue(client: ClientConfig, ended: EndedAdmission): Promise<string> {
      const { signing } = keys.current;
      const jwk = signing.find(({ alg }) => alg === client.idTokenSignedResponseAlg) ?? signing[0];
      if (jwk === undefined) throw new Error("there is no key to sign with");
      const nowSec = Math.floor(clock.now() / 1_000);
      return new SignJWT({
        events: { "http://schemas.openid.net/event/backchannel-logout": {} },
        ...(client.backchannelLogoutSessionRequired && { sid: sessionIdOf(client.clientId, ended) }),
      })
        .setProtectedHeader({ alg: jwk.alg, kid: jwk.kid, typ: "logout+jwt" })
        .setIssuer(issuer)
        .setAudience(client.clientId)
        .setSubject(ended.sub)
        .setIssuedAt(nowSec)
        .setExpirationTime(nowSec + validitySec)
        .setJti(random.bytes(16).toString("base64url"))
        .sign(jwk as JWK);
    },
  };
}
