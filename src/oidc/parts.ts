import type { IncomingMessage } from "node:http";
import type { Context } from "koa";
import type { Adapter, ErrorOut, KoaContextWithOIDC } from "oidc-provider";
import type { FailedAttempts } from "../lib/address-buckets.ts";
import type { Clock, Random } from "../lib/clock-and-random.ts";
import type { ClientDirectory, IssuerKeys, RoomDirectory } from "../registry/index.ts";
import type { ArrivalStamps, AwayAdmission, WaitingRooms } from "../room/index.ts";
import type { GateResponder, GateSteps, JoinOf } from "./gate/contract.ts";
import type { CookieBound } from "./gate/cookie-bound.ts";
import type { VisitorCookies } from "./gate/visitor-cookies.ts";
import type { Identities } from "./identity/identities.ts";

/** A claim that the gate made for the visitor of one request, for the policy to verify. */
export interface LoginVerdict {
  readonly room: string;
  readonly sub: string;
  /** The authorization request as it was recorded with the admission. */
  readonly login: string;
  /** Given without the store, which knows nothing of it; absent: the store has the visitor's admission. */
  readonly away?: AwayAdmission;
  /** What the login's grant carries. */
  readonly grant: Readonly<Record<string, string>>;
}

/** Why the gate lets nobody in by a request that has to be answered at once all the same. */
export type LoginRefusal = "in_line" | "not_logged_in" | "other_visitor";

/** Pages that oidc-provider needs. Implemented where pages live. */
export interface ProviderPages {
  error(ctx: KoaContextWithOIDC, out: ErrorOut): void;
  /** Asks whether to log out; the form posts `xsrf` and `logout=yes` to `action`. */
  confirmLogout(ctx: KoaContextWithOIDC, form: { action: string; xsrf: string }): void;
  loggedOut(ctx: KoaContextWithOIDC): void;
}

/** Records of oidc-provider of one model, in one store. */
export type StoredRecords = Omit<Adapter, "findByUserCode" | "findByUid" | "revokeByGrantId">;

/** What the parts of one issuer's OpenID Connect are made of. Each names what it takes of it. */
export interface OidcParts {
  readonly issuer: string;
  /** The issuer's own. */
  readonly rooms: WaitingRooms;
  /** The same, as they are configured. */
  readonly directory: RoomDirectory;
  readonly clients: ClientDirectory;
  readonly keys: IssuerKeys;
  readonly cookies: VisitorCookies;
  readonly cookieBound: CookieBound;
  readonly stamps: ArrivalStamps;
  readonly responder: GateResponder & ProviderPages;
  /** Under which address a visitor's join, and a login, is counted; null: it is not. */
  readonly joinAddressOf: (ctx: Context) => string | null;
  readonly join: JoinOf;
  readonly steps: GateSteps;
  readonly identities: Identities;
  /** From the gate to the policy, which runs in oidc-provider's own Koa context. */
  readonly verdicts: WeakMap<IncomingMessage, LoginVerdict | LoginRefusal>;
  /** Records of oidc-provider in a store by its name, null for the one of what belongs to no room. Null where nobody knows the name. */
  readonly adapter: (model: string, store: string | null) => StoredRecords | null;
  /** Tags of the languages that the pages speak. */
  readonly languages: readonly string[];
  readonly failures: FailedAttempts;
  readonly clock: Clock;
  readonly random: Random;
}
