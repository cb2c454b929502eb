import { hash } from "node:crypto";
import type { UsherConfig } from "../../config/index.ts";
import type { Clock, Random } from "../../lib/clock-and-random.ts";
import { UsherError } from "../../lib/errors.ts";
import { stableText } from "../../lib/json.ts";
import type { AdminKeys, KeyGrant } from "../admin-keys/admin-keys.ts";
import { createRegistry, type RegistryOptions } from "../registry.ts";
import { type RegisteredSession, type SessionsContent, sessionsContent } from "./content.ts";

/** The document's name in the store. */
export const sessionsName = "admin sessions";

const sessionsMax = 300;
const sessionsOfOneMax = 10;
const logoutsMax = 1_000;
/** A session's use is recorded at most this many times within its idle timeout. */
const refreshesPerIdle = 6;
const idBytes = 32;

/** What a session is worth now. */
export interface SessionGrant extends KeyGrant {
  readonly kind: "key" | "person";
  /** Shown to people. */
  readonly name: string;
}

export interface SessionView extends SessionGrant {
  /** Names it to operators, and opens nothing. */
  readonly session: string;
  readonly createdMs: number;
  readonly seenMs: number;
  readonly expiresMs: number;
}

/** What a person was granted at the provider. `sid` is the session there. */
export interface Person extends Omit<KeyGrant, "id"> {
  readonly id: string;
  readonly name: string;
  readonly sid: string | null;
}

/** Whom the provider has logged out: a session of its own, or a person. */
export interface ProviderLogout {
  readonly jti: string;
  readonly sid: string | null;
  readonly personId: string | null;
  /** Until when a token with this `jti` could be taken. */
  readonly expiresMs: number;
}

export interface AdminSessionsOptions extends Omit<RegistryOptions<SessionsContent>, "kind" | "name"> {
  readonly adminKeys: Pick<AdminKeys, "find">;
  readonly admin: Pick<UsherConfig["admin"], "signIn" | "session" | "keys">;
  /** The store's. */
  readonly clock: Clock;
  readonly random: Random;
}

export type AdminSessions = ReturnType<typeof createAdminSessions>;

/**
 * The sessions of operators' browsers, alike in all processes. A browser has 256 random bits; here are their SHA-256 and what
 * they are worth: what the key is worth that somebody signed in with, or what the rules gave a person, as long as they are the same.
 */
export function createAdminSessions(options: AdminSessionsOptions) {
  const { admin, adminKeys, clock, random } = options;
  const { lifetimeMs, idleMs } = admin.session;
  const rules = rulesHash(admin);
  const registry = createRegistry({
    ...options,
    kind: sessionsContent,
    name: sessionsName,
    // Many browsers note their use, and all processes of a machine write the one file, which has clients and keys, too.
    isMinor: (before, after) => withoutUse(before) === withoutUse(after),
  });

  /** Sessions whose use is being recorded now. */
  const refreshing = new Set<string>();
  const sessionOf = (sha256: string) => {
    const { sessions } = registry.content;
    return Object.hasOwn(sessions, sha256) ? sessions[sha256] : undefined;
  };

  return {
    registry,
    /** Whether the session of this id is worth anything. Is no use of it. */
    isInForce(id: string): boolean {
      const session = sessionOf(hash("sha256", id));
      return session !== undefined && grantOf(session) !== null;
    },
    /** Whether there is a session of this id, whatever it is worth. Asks no store. */
    has: (id: string): boolean => sessionOf(hash("sha256", id)) !== undefined,
    /** How operators know the session of this id. */
    nameOf: (id: string): string => nameOf(hash("sha256", id)),
    /** What the session of this id is worth; null for nothing. Asks no store. */
    find(id: string): SessionGrant | null {
      const sha256 = hash("sha256", id);
      const session = sessionOf(sha256);
      if (session === undefined) return null;
      const grant = grantOf(session);
      if (grant !== null && clock.now() - session.seen_ms > idleMs / refreshesPerIdle) void note(sha256);
      return grant;
    },
    /** Answers the id for the cookie. `before` is the session that the browser had. @throws UsherError `store_unavailable` */
    async create(
      who: { readonly key: string; readonly keySha256: Buffer } | Person,
      before: string | null,
    ): Promise<string> {
      const id = random.bytes(idBytes).toString("base64url");
      await change((sessions, nowMs) => {
        const times = { created_ms: nowMs, seen_ms: nowMs, expires_ms: nowMs + lifetimeMs };
        const session: RegisteredSession =
          "key" in who
            ? { kind: "key", key: who.key, key_sha256: who.keySha256.toString("hex"), ...times }
            : { kind: "person", ...who, rules: rules ?? hash("sha256", ""), ...times };
        const others = before === null ? sessions : without(sessions, [hash("sha256", before)]);
        const ofSameOwner = newestFirst(others).filter(([, other]) => ownerOf(other) === ownerOf(session));
        const rest = without(
          others,
          ofSameOwner.slice(sessionsOfOneMax - 1).map(([sha256]) => sha256),
        );
        const remaining = Object.fromEntries(newestFirst(rest).slice(0, sessionsMax - 1));
        return { ...remaining, [hash("sha256", id)]: session };
      });
      return id;
    },
    /** By what is in the cookie. @throws UsherError `store_unavailable` */
    end: (id: string): Promise<void> => change((sessions) => without(sessions, [hash("sha256", id)])),
    /** By the name that operators know. @throws UsherError `not_found`, `store_unavailable` */
    endNamed: (name: string): Promise<void> =>
      change((sessions) => {
        const found = Object.keys(sessions).filter((sha256) => nameOf(sha256) === name);
        if (found.length === 0)
          throw new UsherError("not_found", "there is no such session: GET /admin/sessions lists them");
        return without(sessions, found);
      }),
    /**
     * Ends what the provider says (OpenID Connect Back-Channel Logout 1.0, section 2.7).
     *
     * @throws UsherError `bad_request` for a token that was taken before, `store_unavailable`
     */
    async endByProvider({ jti, sid, personId, expiresMs }: ProviderLogout): Promise<void> {
      await registry.update((content) => {
        const nowMs = clock.now();
        const logouts = Object.entries(content.logouts).filter(([, endMs]) => endMs > nowMs);
        const taken = hash("sha256", jti);
        if (logouts.some(([digest]) => digest === taken)) {
          throw new UsherError("bad_request", "this logout token was taken before");
        }
        const ended = Object.entries(content.sessions).filter(
          ([, session]) =>
            session.kind === "person" &&
            (personId === null
              ? session.sid === sid
              : session.id === personId && (sid === null || session.sid === null || session.sid === sid)),
        );
        return {
          ...content,
          sessions: without(
            content.sessions,
            ended.map(([sha256]) => sha256),
          ),
          logouts: Object.fromEntries([...logouts.slice(1 - logoutsMax), [taken, expiresMs]]),
        };
      });
    },
    /** Those that are worth something. */
    get views(): SessionView[] {
      return newestFirst(registry.content.sessions).flatMap(([sha256, session]) => {
        const grant = grantOf(session);
        const { created_ms: createdMs, seen_ms: seenMs, expires_ms: expiresMs } = session;
        return grant === null ? [] : [{ ...grant, session: nameOf(sha256), createdMs, seenMs, expiresMs }];
      });
    },
  };

  function grantOf(session: RegisteredSession): SessionGrant | null {
    if (!isAlive(session, clock.now())) return null;
    if (session.kind === "key") {
      const grant = adminKeys.find(Buffer.from(session.key_sha256, "hex"));
      return grant && { kind: "key", name: grant.id, ...grant };
    }
    if (session.rules !== rules) return null;
    const { kind, id, name, role, rooms } = session;
    return { kind, id, name, role, rooms };
  }

  function isAlive({ seen_ms: seenMs, expires_ms: endMs }: RegisteredSession, nowMs: number): boolean {
    return nowMs < endMs && nowMs - seenMs < idleMs;
  }

  /** That it was used. Where the store is away, the next request tries again. */
  async function note(sha256: string): Promise<void> {
    if (refreshing.has(sha256)) return;
    refreshing.add(sha256);
    await change((sessions, nowMs) => {
      const session = sessions[sha256];
      const isRecent = session === undefined || nowMs - session.seen_ms <= idleMs / refreshesPerIdle;
      return isRecent ? sessions : { ...sessions, [sha256]: { ...session, seen_ms: nowMs } };
    }).catch(() => undefined);
    refreshing.delete(sha256);
  }

  /** Those that have ended leave with any change. */
  async function change(
    make: (sessions: SessionsContent["sessions"], nowMs: number) => SessionsContent["sessions"],
  ): Promise<void> {
    await registry.update((content) => {
      const nowMs = clock.now();
      const updated = make(content.sessions, nowMs);
      if (updated === content.sessions) return content;
      const sessions = Object.fromEntries(Object.entries(updated).filter(([, session]) => isAlive(session, nowMs)));
      return { ...content, sessions };
    });
  }
}

/**
 * Changes with whatever decides who gets what: sessions of people that were made under other rules end by it. With neither a
 * provider nor keys, the rule is that whoever was given the printed link is an admin. Null where only keys sign in.
 */
function rulesHash({ signIn, keys }: AdminSessionsOptions["admin"]): string | null {
  if (signIn === null) return keys.length > 0 ? null : hash("sha256", "a printed link");
  const { issuer, clientId, rules } = signIn;
  return hash("sha256", stableText([issuer, clientId, rules]));
}

function withoutUse({ sessions, ...rest }: SessionsContent): string {
  const unused = Object.entries(sessions).map(([sha256, session]) => [sha256, { ...session, seen_ms: 0 }]);
  return stableText([rest, Object.fromEntries(unused)]);
}

/** Half of the hash: it names one session among a few hundred, and leads to no cookie. */
function nameOf(sha256: string): string {
  return sha256.slice(0, 32);
}

function ownerOf(session: RegisteredSession): string {
  return session.kind === "key" ? `key ${session.key}` : `person ${session.id}`;
}

function newestFirst(sessions: SessionsContent["sessions"]) {
  return Object.entries(sessions).toSorted(([, a], [, b]) => b.created_ms - a.created_ms);
}

function without(sessions: SessionsContent["sessions"], ended: readonly string[]): SessionsContent["sessions"] {
  if (!ended.some((sha256) => Object.hasOwn(sessions, sha256))) return sessions;
  return Object.fromEntries(Object.entries(sessions).filter(([sha256]) => !ended.includes(sha256)));
}
