import { createLruCache } from "../../lib/lru-cache.ts";
import type { AdmissionTokens, IssuedAdmissionToken, PresentedAdmission } from "../../oidc/index.ts";
import { type Admission, type AwayAdmission, isInterruption, type WaitingRoom } from "../../room/index.ts";
import type { RoomSitesOf } from "../room-sites.ts";

/** `ended`: the admission is over. Null: unknown, while the store is away. */
export type Renewal = IssuedAdmissionToken | "ended" | null;

const verifiedMax = 10_000;
const renewalsMax = 20_000;
const visitsMax = 20_000;
/** Longer than a hand-over is valid. */
const awayMs = 120_000;
/** After an unknown result. */
const retryMs = 5_000;
/** Tokens name whole seconds. */
const roundingMs = 1_000;
/** Near the end of an admission its tokens are short-lived. */
const minReuseMs = 1_000;

/** The admission tokens that visitors of sites behind forward authentication come with. Times are of the store's clock. */
export function createSiteTokens(tokens: AdmissionTokens, sitesOf: RoomSitesOf) {
  const verified = createLruCache<string, PresentedAdmission>(verifiedMax);
  const renewals = createLruCache<string, { untilMs: number; answer: Promise<Renewal> }>(renewalsMax);
  /** First visits of admissions that end unless a site sees the visitor in time. */
  const visits = createLruCache<string, Promise<unknown>>(visitsMax);

  /** Hand-overs of admissions that were given while the store was away. They are valid for a minute. */
  const away = createLruCache<string, true>(visitsMax, awayMs);

  return {
    /** True once for each hand-over, so that none is used twice. */
    takeAway({ sub, handOver }: PresentedAdmission): boolean {
      const login = `${sub} ${handOver}`;
      if (away.has(login)) return false;
      away.set(login, true);
      return true;
    },

    /**
     * The contents of a token; null if it is invalid, or if this process has learned that the admission is over. Valid ones are
     * cached, because a page requests all its parts with the same token.
     */
    async read(room: WaitingRoom, token: string, nowMs: number): Promise<PresentedAdmission | null> {
      const key = `${room.name} ${token}`;
      const presented = verified.get(key) ?? (await tokens.read(room.id, token, nowMs));
      if (presented === null) return null;
      verified.set(key, presented);
      if (presented.expiresMs <= nowMs) return null;
      return isOver(room, presented) ? null : presented;
    },

    /**
     * The next token of a visitor whose admission is live. However many requests the visitor sends, the store is queried at most once in
     * half of a token's lifetime. While the store is away, this process's cached admission decides.
     */
    renew(room: WaitingRoom, presented: KnownAdmission, nowMs: number): Promise<Renewal> {
      const key = `${room.name} ${presented.sub} ${presented.admittedMs}`;
      const cached = renewals.get(key);
      if (cached !== undefined && cached.untilMs > nowMs) return cached.answer;
      const answer = ask(room, presented, nowMs);
      renewals.set(key, { untilMs: nowMs + sitesOf(room.id).validityMs / 2, answer });
      answer.then(
        (renewal) => {
          if (renewal !== "ended") renewals.set(key, { untilMs: nowMs + reuseMs(renewal, nowMs), answer });
        },
        () => renewals.delete(key),
      );
      return answer;
    },

    /**
     * Records that the site has seen the visitor, which it must in time (`admission.first_visit_within`). Only the first request of
     * an admission calls the store; if the store is away then, a later one does.
     */
    async noteVisit(room: WaitingRoom, { sub, admittedMs }: KnownAdmission, nowMs: number): Promise<void> {
      const cached = room.admissions.cached(sub);
      // The admission carries its own deadline: the room's setting may have changed since.
      if (cached?.isLive ? cached.admission.visitByMs === undefined : !mayBeUnseen(room, admittedMs, nowMs)) return;
      const key = `${room.name} ${sub} ${admittedMs}`;
      const visit = visits.get(key) ?? room.admissions.visit(sub);
      visits.set(key, visit);
      try {
        await visit;
      } catch (error) {
        visits.delete(key);
        if (!isInterruption(error)) throw error;
      }
    },
  };

  async function ask(room: WaitingRoom, presented: KnownAdmission, nowMs: number): Promise<Renewal> {
    const { sub, admittedMs } = presented;
    if (presented.via === "away" && room.away.isLettingIn) {
      const { position, admittedUntilMs: expiresMs } = presented;
      return tokens.issue(room.id, { sub, position: position ?? 0, admittedMs, expiresMs, via: "away" }, nowMs);
    }
    const admission = await lookUp(room, sub);
    // An earlier admission says nothing of one that was given without the store.
    if (admission === null || toSecond(admission.admittedMs) < admittedMs) return null;
    return admission.ended === null ? tokens.issue(room.id, admission, nowMs) : "ended";
  }
}

/** An admission as its tokens have it. */
type KnownAdmission = Pick<PresentedAdmission, "sub" | "position" | "via" | "admittedMs" | "admittedUntilMs">;

export function presentedOf(admission: Admission | AwayAdmission): KnownAdmission {
  const { sub, position, via, admittedMs, expiresMs } = admission;
  return {
    sub,
    position: position === 0 ? null : position,
    via,
    admittedMs: toSecond(admittedMs),
    admittedUntilMs: expiresMs,
  };
}

/** Whether this process knows that the admission is over. */
export function isOver(room: WaitingRoom, { sub, admittedMs }: PresentedAdmission): boolean {
  const cached = room.admissions.cached(sub);
  // An earlier admission of the visitor says nothing of this one.
  return cached !== null && !cached.isLive && toSecond(cached.admission.admittedMs) >= admittedMs;
}

/** Of an admission that this process has not heard of: it is a new one, of a room that wants visitors to be seen. */
function mayBeUnseen(room: WaitingRoom, admittedMs: number, nowMs: number): boolean {
  const withinMs = room.settings.admission.firstVisitWithinMs ?? null;
  return withinMs !== null && nowMs - admittedMs <= withinMs + roundingMs;
}

/** A token may be good for less than the room's validity, since it ends with its admission. */
function reuseMs(renewal: IssuedAdmissionToken | null, nowMs: number): number {
  return renewal === null ? retryMs : Math.max(minReuseMs, (renewal.expiresMs - nowMs) / 2);
}

/** A visit to the site extends the admission as a refresh of tokens does, where admissions are sliding. */
async function lookUp(room: WaitingRoom, sub: string): Promise<Admission | null> {
  try {
    return await room.admissions.renew(sub);
  } catch (error) {
    if (!isInterruption(error)) throw error;
    const cached = room.admissions.cached(sub);
    return cached?.isLive ? cached.admission : null;
  }
}

function toSecond(ms: number): number {
  return Math.floor(ms / 1_000) * 1_000;
}
