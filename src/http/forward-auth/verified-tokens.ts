import { LRUCache } from "lru-cache";
import type { AdmissionTokens, PresentedAdmission } from "../../oidc/index.ts";

const keptMax = 10_000;

/** Reads tokens, and remembers the good ones: a page asks for its parts with one and the same token. */
export function createVerifiedTokens(tokens: Pick<AdmissionTokens, "read">): Pick<AdmissionTokens, "read"> {
  const verified = new LRUCache<string, PresentedAdmission>({ max: keptMax });
  return {
    async read(room, token, nowMs) {
      const key = `${room} ${token}`;
      const known = verified.get(key);
      if (known !== undefined) {
        if (known.expiresMs > nowMs) return known;
        verified.delete(key);
        return null;
      }
      const presented = await tokens.read(room, token, nowMs);
      if (presented !== null) verified.set(key, presented);
      return presented;
    },
  };
}
