/** What is described of a route, whatever it is registered by. */
import type { z } from "zod";
import type { Role } from "../../../src/config/index.ts";
import { type ErrorCode, errorStatuses } from "../../../src/lib/errors.ts";
import type { Reach } from "../../../src/operate/admin-api/admin-router.ts";

/** What programs are told in place of a page of the gate or of a link; see docs/error-codes.md. */
const pageStatuses = {
  bypass_full: 503,
  bypass_held: 503,
  bypass_later: 503,
  bypass_unreadable: 409,
  bypass_void: 410,
  hold_on: 503,
  link_preview: 200,
  move_void: 410,
  navigation_required: 403,
  not_open: 503,
} as const;

/** Statuses by code. The one answer that is not thrown is of forward authentication. */
export const codeStatuses = { ...errorStatuses, ...pageStatuses, admission_required: 401 } as const;
export type Code = ErrorCode | keyof typeof pageStatuses | "admission_required";

/** A code, with its status where that is not the usual one. */
export type Refusal = Code | readonly [code: Code, status: number];

export interface DescribedAnswer {
  readonly status: number;
  /** Without one there is no content, or it is no JSON. */
  readonly schema?: z.ZodType | readonly z.ZodType[];
  /** Of the schema; default: `application/json`. */
  readonly schemaType?: string;
  /** Media types beside that of the schema, or in its place. */
  readonly types?: readonly string[];
  readonly description: string;
}

export interface DescribedRoute {
  readonly method: string;
  /** As it is registered: `/rooms/:room`. */
  readonly path: string;
  readonly tag: Tag;
  readonly summary: string;
  readonly query?: z.ZodObject | undefined;
  readonly body?: z.ZodType | undefined;
  readonly form?: z.ZodObject | undefined;
  /** Of the media type `text/plain`. */
  readonly plainText?: z.ZodType | undefined;
  readonly isRepeatable?: boolean;
  readonly answers: readonly DescribedAnswer[];
  readonly errors: readonly Refusal[];
  /** Errors are those of OAuth 2.0 (RFC 6749, section 5.2), with these statuses. */
  readonly oauthErrors?: readonly number[];
  readonly security?: "adminKey" | "ticket" | "client" | "accessToken";
  /** The least that is needed, of the admin API. */
  readonly role?: Role;
  /** What a key for some rooms gets. */
  readonly reach?: Reach;
}

/** In the order in which they stand in the description. */
export const tags = {
  Rooms: "Rooms, with live numbers and settings.",
  Line: "What operators and the site's programs do to a room's line.",
  Admissions: "Who is in and who was, and the admission log.",
  Statistics: "How a room went, and how its line goes on.",
  Visitors: "How it stands with one visitor, and why.",
  Clients: "Relying parties.",
  Keys: "Usher's own keys.",
  "Admin keys": "Keys for the admin API, while Usher runs.",
  People: "How people sign in with a browser, their sessions, and the console.",
  Events: "What happens, told as it happens, and to webhooks.",
  Incidents: "What the public status pages say of what is wrong.",
  Audit: "Who changed what, and what was refused.",
  Operation: "What orchestrators and monitoring ask.",
  "Public API": "The room's status, and places for apps.",
  Pages: "What visitors' browsers are shown; told to programs as JSON.",
  Themes: "How the pages of rooms look, and the pages themselves, with made-up visitors.",
  Health: "How processes, store, keys and logs are, and what is not well.",
  Backup: "A copy of the installation.",
  "Forward authentication": "What a proxy in front of a site asks.",
  "OpenID Connect": "The provider's endpoints, as its specifications define them.",
} as const;
export type Tag = keyof typeof tags;

export const pathOf = (path: string) => path.replace(/:(\w+)/g, "{$1}");
