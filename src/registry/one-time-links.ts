import { hash } from "node:crypto";
import type { Clock, Random } from "../lib/clock-and-random.ts";
import { AlreadyConsumedError } from "../lib/errors.ts";
import type { OidcAdapter, OidcRecord } from "../store/contract/room-store.ts";

const tokenBytes = 32;
const tokenShape = /^[\w-]{43}$/;

/** What a link is for. A link for one thing is worth nothing for another. */
export type LinkPurpose = "sign-in" | "debug" | "confirmation";

export interface OneTimeLink {
  /** As it was given to `make`, through JSON. */
  readonly about: unknown;
  readonly expiresMs: number;
  readonly isUsed: boolean;
  /** For how long it has been used by the browser that asks, in milliseconds; null where it is not, or another has used it. */
  readonly usedByCallerForMs: number | null;
}

export type OneTimeLinks = ReturnType<typeof createOneTimeLinks>;

/**
 * Links that work once, at whichever process: a token of 256 random bits, of which the store keeps the SHA-256 alone. A token is
 * found by that hash, so the time of an answer says nothing about how close a guess was.
 *
 * @param records the store's, of the model `oneTimeLinkModel`
 * @param clock the store's
 */
export function createOneTimeLinks(records: OidcAdapter, clock: Clock, random: Random) {
  const idOf = (purpose: LinkPurpose, token: string) => hash("sha256", `${purpose}\n${token}`);

  const ownerOf = (purpose: LinkPurpose, token: string, browser: string) =>
    hash("sha256", `${purpose}\n${token}\n${browser}`);

  return {
    /** A value by which a browser is known again, in a cookie. */
    newBrowser: (): string => random.bytes(tokenBytes).toString("base64url"),
    /** @throws StoreUnavailableError */
    async make(
      purpose: LinkPurpose,
      about: OidcRecord,
      validMs: number,
    ): Promise<{ token: string; expiresMs: number }> {
      const token = random.bytes(tokenBytes).toString("base64url");
      const expiresMs = Math.floor(clock.now()) + validMs;
      await records.upsert(
        idOf(purpose, token),
        { about, expires_ms: expiresMs, iat: Math.floor(clock.now() / 1_000) },
        validMs / 1_000,
      );
      return { token, expiresMs };
    },
    /** Uses nothing up. Null for one that has expired, or is none. @throws StoreUnavailableError */
    async find(purpose: LinkPurpose, token: string, browser: string | null): Promise<OneTimeLink | null> {
      const found = tokenShape.test(token) ? await records.find(idOf(purpose, token)) : undefined;
      if (found === undefined) return null;
      const isUsedByCaller = browser !== null && found.consumed_by === ownerOf(purpose, token, browser);
      return {
        about: found.about,
        expiresMs: Number(found.expires_ms),
        isUsed: found.consumed !== undefined,
        usedByCallerForMs: isUsedByCaller ? Math.max(0, clock.now() - Number(found.consumed) * 1_000) : null,
      };
    },
    /**
     * Whether this call was the first: of any number at once, at all processes, one is. The link is that browser's from then on.
     *
     * @throws StoreUnavailableError
     */
    async use(purpose: LinkPurpose, token: string, browser: string): Promise<boolean> {
      if (!tokenShape.test(token)) return false;
      try {
        // What was found is no older copy of one that was used.
        if ((await records.find(idOf(purpose, token))) === undefined) return false;
        await records.consume(idOf(purpose, token), ownerOf(purpose, token, browser));
        return true;
      } catch (error) {
        if (error instanceof AlreadyConsumedError) return false;
        throw error;
      }
    },
  };
}
