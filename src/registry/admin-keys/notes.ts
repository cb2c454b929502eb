import { type Change, differences, withChanges } from "../noted-changes.ts";
import type { AdminKeysContent } from "./content.ts";

/** The content with a note of the keys that were made, given another secret, or revoked. Secrets that have ended are no news. */
export function withKeyChanges(
  before: AdminKeysContent,
  after: AdminKeysContent,
  version: number,
  nowMs: number,
): AdminKeysContent {
  const news = differences(newestSecrets(before), newestSecrets(after)).map(([id, what]): Change => {
    const role = (Object.hasOwn(after.keys, id) ? after : before).keys[id]?.role;
    const done = what === "updated" ? "rotated" : what === "deleted" ? "revoked" : what;
    return { kind: "admin_key", id, what: done, ...(role && { role }) };
  });
  return withChanges(after, news, version, nowMs);
}

function newestSecrets({ keys }: AdminKeysContent) {
  return Object.fromEntries(Object.entries(keys).map(([id, { secrets }]) => [id, secrets[0]?.sha256 ?? ""]));
}
