import { LRUCache } from "lru-cache";
import type { AdmissionTokens, IssuedAdmissionToken, PresentedAdmission } from "../../oidc/index.ts";
import { type Admission, isInterruption, type WaitingRoom } from "../../room/index.ts";

/** `ended`: the admission is over. Null: nobody can say just now. */
export type Renewal = IssuedAdmissionToken | "ended" | null;

interface Kept {
  /** By the store's clock. */
  readonly untilMs: number;
  readonly answer: Promise<Renewal>;
}

const keptMax = 20_000;
/** Where nobody could say. */
const retryMs = 5_000;
/** Near the end of an admission tokens are short. */
const minKeptMs = 1_000;

/**
 * Tokens for visitors whose admission goes on. The store is asked at most once for each visitor and half of the time that the
 * token is good for, however often the visitor comes; while it is away, what this process knows of the admission counts.
 */
export function createTokenRenewals(tokens: AdmissionTokens, validityMsOf: (room: string) => number) {
  const kept = new LRUCache<string, Kept>({ max: keptMax });

  return {
    /** @param nowMs the store's clock */
    renew(room: WaitingRoom, { sub, admittedMs }: PresentedAdmission, nowMs: number): Promise<Renewal> {
      const key = `${sub} ${admittedMs}`;
      const known = kept.get(key);
      if (known !== undefined && known.untilMs > nowMs) return known.answer;
      const answer = ask(room, sub, nowMs);
      kept.set(key, { untilMs: nowMs + validityMsOf(room.id) / 2, answer });
      answer.then(
        (renewal) => {
          if (renewal !== "ended") kept.set(key, { untilMs: nowMs + keptForMs(renewal, nowMs), answer });
        },
        () => kept.delete(key),
      );
      return answer;
    },
  };

  async function ask(room: WaitingRoom, sub: string, nowMs: number): Promise<Renewal> {
    const admission = await lookUp(room, sub);
    if (admission === null) return null;
    return admission.ended === null ? tokens.issue(room.id, admission, nowMs) : "ended";
  }
}

/** A token may be good for less than the room's validity, since it ends with its admission. */
function keptForMs(renewal: IssuedAdmissionToken | null, nowMs: number): number {
  return renewal === null ? retryMs : Math.max(minKeptMs, (renewal.expiresMs - nowMs) / 2);
}

/** A visit to the site extends the admission as a refresh of tokens does, where admissions are sliding. */
async function lookUp(room: WaitingRoom, sub: string): Promise<Admission | null> {
  try {
    return await room.admissions.renew(sub);
  } catch (error) {
    if (!isInterruption(error)) throw error;
    const known = room.admissions.known(sub);
    return known?.isLive ? known.admission : null;
  }
}
