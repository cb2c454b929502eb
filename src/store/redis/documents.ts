import { createHash } from "node:crypto";
import { checkDocumentText } from "../../lib/json.ts";
import type { SharedDocument, SharedDocuments } from "../contract/room-store.ts";
import type { Keys } from "./keys.ts";
import type { Runner } from "./runner.ts";
import { scripts } from "./scripts.ts";

/** Shared documents in Redis: one hash each, and each operation a script on it alone, wherever a Cluster keeps it. */
export function createRedisDocuments(runner: Runner, keys: Keys): SharedDocuments {
  /** Of documents that passed the check: every process asks each second, and what it remembers is seldom another one. */
  const digests = new WeakMap<SharedDocument, string>();

  function digestOfCached(name: string, cached: SharedDocument): string {
    const memoised = digests.get(cached);
    if (memoised !== undefined) return memoised;
    checkDocumentText(name, cached.text);
    const digest = digestOf(cached.text);
    digests.set(cached, digest);
    return digest;
  }

  /** What the caller remembers is named by its digest; the text itself is sent when the store asks for it. */
  function exchange(name: string, cached: SharedDocument | null, isTextSent: boolean) {
    return runner.run(
      scripts.exchangeDocument,
      { document: keys.document(name) },
      {
        offered_version: cached?.version ?? 0,
        offered_digest: cached === null ? "" : digestOfCached(name, cached),
        has_text: isTextSent ? "1" : "0",
        offered_text: cached !== null && isTextSent ? cached.text : "",
      },
    );
  }

  return {
    async exchange(name, cached) {
      let answer = await exchange(name, cached, false);
      if (answer === "send") answer = await exchange(name, cached, true);
      if (answer === "send") throw new TypeError("a script asked for a text that it was given");
      return answer;
    },
    async replace(name, text, expectedVersion) {
      checkDocumentText(name, text);
      return runner.run(
        scripts.replaceDocument,
        { document: keys.document(name) },
        { expected_version: expectedVersion, text, digest: digestOf(text) },
      );
    },
  };
}

function digestOf(text: string): string {
  return createHash("sha256").update(text).digest("base64url");
}
