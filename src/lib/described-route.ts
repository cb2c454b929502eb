/**
 * What is said of a route where it is registered, as data: docs/openapi.json and the tables of the documents follow from it. No request
 * reads it.
 */
import type { z } from "zod";
import { type ErrorCode, errorStatuses } from "./errors.ts";

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

/** Answers of forward authentication that are not thrown. */
const verifyStatuses = { admission_required: 401, crawler_unconfirmed: 429 } as const;

/** Statuses by code. */
export const codeStatuses = { ...errorStatuses, ...pageStatuses, ...verifyStatuses } as const;
export type Code = ErrorCode | keyof typeof pageStatuses | keyof typeof verifyStatuses;

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

export interface RouteDescription {
  /** One sentence, in plain text. */
  readonly summary: string;
  readonly query?: z.ZodObject;
  readonly body?: z.ZodType;
  readonly form?: z.ZodObject;
  /** Of the media type `text/plain`. */
  readonly plainText?: z.ZodType;
  readonly answers: readonly DescribedAnswer[];
  /** Why it may refuse, beside what any route may that takes the same. */
  readonly errors?: readonly Refusal[];
  /** Errors are those of OAuth 2.0 (RFC 6749, section 5.2), with these statuses. */
  readonly oauthErrors?: readonly number[];
  readonly security?: "ticket" | "client" | "accessToken";
}

/** What routes are grouped by in the description, beside those of the admin API. */
export type RouteGroup = "Operation" | "People" | "Public API" | "Pages" | "Forward authentication" | "OpenID Connect";

export interface DescribedRoute extends RouteDescription {
  readonly tag: RouteGroup;
  readonly method: string;
  /** As it is registered: `/rooms/:room`. */
  readonly path: string;
}

export const html = ["text/html"];
export const javaScript = ["text/javascript"];
export const seeOtherAnswer: DescribedAnswer = { status: 303, description: "Go on at `Location`." };
export const notModified: DescribedAnswer = { status: 304, description: "It is still the same." };
