/** Stable identifiers of what can go wrong; pages and JSON errors carry them. */
export type ErrorCode =
  | "admission_ended"
  | "bad_request"
  | "body_too_large"
  | "conflict"
  | "cookies_blocked"
  | "forbidden"
  | "idempotency_key_reused"
  | "internal_error"
  | "invalid_ticket"
  | "method_not_allowed"
  | "moved"
  | "no_ticket"
  | "not_an_entry"
  | "not_found"
  | "place_expired"
  | "place_left"
  | "request_too_long"
  | "room_closed"
  | "room_ended"
  | "room_full"
  | "room_recovering"
  | "store_unavailable"
  | "ticket_unreadable"
  | "too_many_from_address"
  | "in_use"
  | "too_many_logins"
  | "too_many_restarts"
  | "unauthorized"
  | "unknown_room"
  | "unknown_target"
  | "unsupported_media_type";

export interface UsherErrorOptions {
  /** HTTP status. */
  status: number;
  /** Whether the message may be shown to the caller. */
  expose?: boolean;
  /** Seconds after which the same request may succeed. */
  retryAfterSec?: number;
  cause?: unknown;
}

/** An operating error: something outside failed, and the caller learns what failed and how to mend it. */
export class UsherError extends Error {
  override name = "UsherError";
  readonly code: ErrorCode;
  readonly status: number;
  readonly expose: boolean;
  readonly retryAfterSec: number | undefined;

  constructor(code: ErrorCode, message: string, options: UsherErrorOptions) {
    super(message, { cause: options.cause });
    this.code = code;
    this.status = options.status;
    this.expose = options.expose ?? options.status < 500;
    this.retryAfterSec = options.retryAfterSec;
  }
}

/** What keeps a command from starting, and an operator can mend: the message says how, and is all that is shown. */
export class SetupError extends Error {
  override name = "SetupError";
}

/** The store did not answer. Whether a command that was under way was carried out is unknown. */
export class StoreUnavailableError extends UsherError {
  override name = "StoreUnavailableError";

  /** For operators: what is wrong with it, and what to do. */
  readonly reason: string;

  constructor(cause?: unknown, reason = "the store does not answer") {
    super("store_unavailable", "the store is away; try again in a moment", {
      status: 503,
      expose: true,
      retryAfterSec: 2,
      cause,
    });
    this.reason = reason;
  }
}

/** A single-use record was used before, or is gone. Becomes `invalid_grant` inside oidc/. */
export class AlreadyConsumedError extends Error {
  override name = "AlreadyConsumedError";
}
