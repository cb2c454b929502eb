import { ROLES, type Role } from "../../../config/index.ts";
import { UsherError } from "../../../lib/errors.ts";
import type { AdminKeys, AdminKeyView, AdminSessions, PendingStep } from "../../../registry/index.ts";
import type { Principal } from "../access/principal.ts";

export interface AuthorOptions {
  readonly adminKeys: Pick<AdminKeys, "views">;
  /** Whether people sign in at a provider. */
  readonly isPeoples: boolean;
}

type Named = Pick<Principal, "kind" | "id">;

/**
 * Whose word a request is, so that nobody gives both. Where people sign in it is theirs alone: who holds a key is not known. Else a
 * key of the file stands for itself, and one that was made at run time for whoever made it, as long as nobody else gave it a secret.
 * Keys are followed by what they are, not by their names: another key may have had one before.
 *
 * @throws UsherError `forbidden` where that is not known
 */
export function authorOf({ kind, id }: Named, { adminKeys, isPeoples }: AuthorOptions): string {
  if (kind === "person") return id;
  if (isPeoples) throw nobodys("sign in: where people do, a key does not say who holds it");
  const { views } = adminKeys;
  let view = keyInForce(id, views);
  for (const _ of views) {
    if (view === undefined) break;
    if (view.source === "file") return view.identity;
    const { maker, rotated_by: other } = view.registered;
    if (other !== undefined) throw nobodys("another than its maker rotated this key, and may hold it: make a new one");
    if (maker?.startsWith("person:")) return maker;
    view = views.find(({ identity }) => identity === maker);
  }
  throw nobodys("use a key of the configuration file, or one whose maker is still among the keys");
}

/** What tells a principal from a later one of the same name. */
export function identityOf({ kind, id }: Named, { adminKeys }: Pick<AuthorOptions, "adminKeys">): string {
  return kind === "person" ? id : (keyInForce(id, adminKeys.views)?.identity ?? "");
}

/** One of the file wins over one of the same id. */
export function keyInForce(id: string, views: readonly AdminKeyView[]): AdminKeyView | undefined {
  return views.find(
    (candidate) => candidate.id === id && (candidate.source === "file" || candidate.status === "active"),
  );
}

function nobodys(wayOut: string): UsherError {
  return new UsherError("forbidden", `this step takes the word of two people (admin.four_eyes): ${wayOut}`);
}

interface Grant {
  readonly role: Role;
  readonly rooms: readonly string[] | null;
}

/**
 * Whether who asked for a step may still ask for it: a key as long as it is in force and for the room, a person as long as they have
 * a session that is. Asks no store.
 */
export function isRightful(
  { room, asked_by: by }: Omit<PendingStep, "id">,
  options: AuthorOptions & {
    readonly sessions: Pick<AdminSessions, "views">;
  },
): boolean {
  if (identityOf(by, options) !== by.identity || !isAuthor()) return false;
  return grantsOf().some(({ role, rooms }) => isOperator(role) && (rooms === null || rooms.includes(room)));

  function grantsOf(): readonly Grant[] {
    if (by.kind === "person") return options.sessions.views.filter(({ kind, id }) => kind === "person" && id === by.id);
    const key = keyInForce(by.id, options.adminKeys.views);
    return key === undefined ? [] : [key];
  }

  function isAuthor(): boolean {
    try {
      return authorOf(by, options) === by.author;
    } catch (error) {
      if (error instanceof UsherError) return false;
      throw error;
    }
  }
}

function isOperator(role: Role): boolean {
  return ROLES.indexOf(role) >= ROLES.indexOf("operator");
}
