/** Stable identifiers of what can go wrong, with their usual HTTP status; pages and JSON errors carry them. */
export const errorStatuses = {
  admission_ended: 403,
  approval_required: 428,
  bad_request: 400,
  body_too_large: 413,
  confirmation_required: 428,
  check_required: 403,
  conflict: 409,
  cookies_blocked: 400,
  device_required: 403,
  entry_voided: 409,
  forbidden: 403,
  idempotency_key_reused: 422,
  in_use: 429,
  internal_error: 500,
  invalid_invitation: 403,
  invalid_ticket: 401,
  invitation_early: 403,
  method_not_allowed: 405,
  move_spent: 409,
  moved: 409,
  network_refused: 403,
  no_ticket: 401,
  not_an_entry: 404,
  not_found: 404,
  other_device: 403,
  place_expired: 409,
  place_left: 409,
  provider_unavailable: 503,
  request_too_long: 414,
  room_closed: 409,
  room_ended: 409,
  room_full: 503,
  room_recovering: 503,
  sign_in_failed: 403,
  sign_in_required: 403,
  store_unavailable: 503,
  ticket_unreadable: 409,
  too_many_from_address: 429,
  too_many_logins: 429,
  too_many_places: 409,
  too_many_requests: 429,
  too_many_restarts: 200,
  unauthorized: 401,
  uninvited: 403,
  unknown_room: 404,
  unknown_target: 400,
  unsupported_media_type: 415,
} as const;

export type ErrorCode = keyof typeof errorStatuses;

/** What an answer says beside code and message. */
export type ErrorMembers = Readonly<Record<string, boolean | string | object>>;

/** An operating error: something outside failed, and the caller learns what failed and how to mend it. */
export class UsherError extends Error {
  override name = "UsherError";
  readonly code: ErrorCode;
  readonly status: number;
  /** Whether the message may be shown to the caller. */
  readonly expose: boolean;
  readonly retryAfterSec: number | undefined;
  readonly members: ErrorMembers | undefined;
  readonly reason: string | undefined;

  constructor(
    code: ErrorCode,
    message: string,
    options: {
      /** HTTP status, where it is not the usual one of the code. */
      status?: number;
      /** Seconds after which the same request may succeed. */
      retryAfterSec?: number;
      members?: ErrorMembers;
      cause?: unknown;
      /** What is wrong, for operators: it stands in the log alone, and has nothing secret. */
      reason?: string;
    } = {},
  ) {
    const { status, retryAfterSec, members, cause, reason } = options;
    super(message, { cause });
    this.code = code;
    this.status = status ?? errorStatuses[code];
    this.expose = code !== "internal_error";
    this.retryAfterSec = retryAfterSec;
    this.members = members;
    this.reason = reason;
  }
}

/** What keeps a command from starting, and an operator can mend: the message says how, and is all that is shown. */
export class SetupError extends Error {
  override name = "SetupError";
}

/** The store did not answer. Whether a command that was under way was carried out is unknown. */
export class StoreUnavailableError extends UsherError {
  override name = "StoreUnavailableError";

  /** What is wrong with it, and what to do. */
  declare readonly reason: string;

  constructor(cause?: unknown, reason = "the store does not answer") {
    super("store_unavailable", "the store is away; try again in a moment", { retryAfterSec: 2, cause, reason });
  }
}

/** A single-use record was used before, or is gone. Becomes `invalid_grant` inside oidc/. */
export class AlreadyConsumedError extends Error {
  override name = "AlreadyConsumedError";
}
