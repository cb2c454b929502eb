import { UsherError } from "../../../lib/errors.ts";
import type { AdminKeys } from "../../../registry/index.ts";
import type { Principal } from "../access/principal.ts";

export interface AuthorOptions {
  readonly adminKeys: Pick<AdminKeys, "views">;
  /** Whether people sign in at a provider. */
  readonly isPeoples: boolean;
}

/**
 * Whose word a request is, so that nobody gives both. Where people sign in it is theirs alone: who holds a key is not known. Else a
 * key of the file stands for itself, and one that was made at run time for whoever made it, as long as nobody else gave it a secret.
 *
 * @throws UsherError `forbidden` where that is not known
 */
export function authorOf(
  { kind, id }: Pick<Principal, "kind" | "id">,
  { adminKeys, isPeoples }: AuthorOptions,
): string {
  if (kind === "person") return id;
  if (isPeoples) throw nobodys("sign in: where people do, a key does not say who holds it");
  const { views } = adminKeys;
  let author = id;
  for (const _ of views) {
    const view = views.find((each) => each.id === author);
    if (view === undefined) break;
    if (view.source === "file") return `key:${author}`;
    const { created_by: maker, rotated_by: other } = view.registered;
    if (other !== undefined) throw nobodys("another than its maker rotated this key, and may hold it: make a new one");
    author = maker;
    if (author.startsWith("person:")) return author;
  }
  throw nobodys("use a key of the configuration file, or one whose maker is still among the keys");
}

function nobodys(wayOut: string): UsherError {
  return new UsherError("forbidden", `this step takes the word of two people (admin.four_eyes): ${wayOut}`);
}
