import { createLruCache } from "../../lib/lru-cache.ts";
import type { AdmissionTokens, IssuedAdmissionToken, PresentedAdmission } from "../../oidc/index.ts";
import { type Admission, isInterruption, type WaitingRoom } from "../../room/index.ts";
import type { RoomSitesOf } from "../room-sites.ts";

/** `ended`: the admission is over. Null: nobody can say just now. */
export type Renewal = IssuedAdmissionToken | "ended" | null;

const verifiedMax = 10_000;
const renewalsMax = 20_000;
const visitsMax = 20_000;
/** Longer than such a hand-over is good for. */
const awayMs = 120_000;
/** Where nobody could say. */
const retryMs = 5_000;
/** Tokens name whole seconds. */
const roundingMs = 1_000;
/** Near the end of an admission tokens are short. */
const minReuseMs = 1_000;

/** The admission tokens that visitors of sites behind forward authentication come with. Times are of the store's clock. */
export function createSiteTokens(tokens: AdmissionTokens, sitesOf: RoomSitesOf) {
  const verified = createLruCache<string, PresentedAdmission>(verifiedMax);
  const renewals = createLruCache<string, { untilMs: number; answer: Promise<Renewal> }>(renewalsMax);
  /** Those of admissions that a site has to see in time. */
  const visits = createLruCache<string, Promise<unknown>>(visitsMax);

  /** Hand-overs of admissions that no store knows. They are good for a minute. */
  const away = createLruCache<string, true>(visitsMax, awayMs);

  return {
    /** Answers true once for each. */
    takeAway({ sub, handOver }: PresentedAdmission): boolean {
      const login = `${sub} ${handOver}`;
      if (away.has(login)) return false;
      away.set(login, true);
      return true;
    },

    /**
     * What a token says; null for one that is not good, and where this process knows that the admission is over. Good ones are
     * remembered: a page asks for its parts with one and the same token.
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
     * A token for a visitor whose admission goes on. The store is asked at most once for each visitor and half of the time that
     * the token is good for, however often the visitor comes; while it is away, what this process knows of the admission counts.
     */
    renew(room: WaitingRoom, presented: PresentedAdmission, nowMs: number): Promise<Renewal> {
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
     * A request to the site, which has to see the visitor in time (`admission.first_visit_within`). The store is asked for the first one
     * alone; while it is away, for a later one.
     */
    async noteVisit(room: WaitingRoom, { sub, admittedMs }: PresentedAdmission, nowMs: number): Promise<void> {
      const cached = room.admissions.cached(sub);
      // The admission itself says whether it has to be seen: the setting may be another one since.
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

  async function ask(room: WaitingRoom, presented: PresentedAdmission, nowMs: number): Promise<Renewal> {
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
