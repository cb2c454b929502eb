import type { ErrorCode } from "../../lib/errors.ts";

/** How a page chooses its next poll: interval = clamp(floor, ceiling, expected wait / divisor), ± 30 %. */
export interface PollGuidance {
  readonly floor_ms: number;
  readonly ceiling_ms: number;
  readonly divisor: number;
}

/**
 * - `waiting`: the line has not reached the visitor yet.
 * - `held`: served, and the limiter holds back; the page asks again by itself after `retryMs`.
 * - `paused`: an operator, or a loss that nobody remembers, stopped the line.
 * - `store_away`: the last known numbers, if there are any, with their age.
 * - `recovering`: the store came back without its memory; places are being put together again.
 */
export type WaitingState = "waiting" | "held" | "paused" | "store_away" | "recovering";

/**
 * Everything on the waiting page that is the same for all visitors of a room. Pages are compiled once per
 * object: pass the same object for as long as nothing in it changes, and a new one when something does.
 */
export interface WaitingView {
  readonly room: { readonly id: string; readonly title: string };
  readonly state: WaitingState;
  /** A key of `waiting.live.pausedReasons` in the locale, or words to be shown as they are. */
  readonly pausedReason: string | null;
  /** Null where nothing is known of the line: the people ahead are then what they are at most. */
  readonly serving: number | null;
  /** The operator's words, shown as plain text. */
  readonly message: string | null;
  /** When these numbers were true, in milliseconds since the epoch, by the server's clock; null without numbers. */
  readonly updatedAtMs: number | null;
  readonly poll: PollGuidance;
  /**
   * Whether the outflow limit sets the pace (a `periodic` inlet), so that the page's script estimates by it; else
   * by what was measured. Default: wherever there is a limit.
   */
  readonly limitBinds?: boolean;
  readonly statusUrl: string;
  readonly leaveUrl: string;
  /** How long a turn is held for a visitor who is away. Shown where given. */
  readonly claimWithinMs?: number;
}

/** What is the visitor's own on the waiting page. */
export interface VisitorFigures {
  readonly position: number;
  readonly ahead: number;
  readonly estimate: { readonly lowSec: number; readonly highSec: number } | null;
  /** `held`: milliseconds after which the page asks to enter again. */
  readonly retryMs: number | null;
  readonly edition: number;
}

/** Stable ids, shown on the page so that a visitor can quote them. Texts: `notices` in the locale. */
export type NoticeCode =
  | ErrorCode
  | "left"
  | "link_preview"
  | "logged_out"
  | "logout_confirm"
  | "navigation_required"
  | "not_now"
  | "place_expired"
  | "place_left"
  | "request_refused"
  | "request_too_long";

/** Keys of `actions` in the locale. */
export type ActionLabel = "check" | "join_again" | "log_out" | "start_again" | "try_again";

export type NoticeAction =
  /** `href: ""` is the page's own address. Other than http, https and local addresses are refused. */
  | { readonly kind: "link"; readonly href: string; readonly label: ActionLabel }
  /** A form whose fields are hidden inputs. */
  | {
      readonly kind: "post";
      readonly action: string;
      readonly label: ActionLabel;
      readonly fields: Readonly<Record<string, string>>;
    };

export interface Notice {
  readonly code: NoticeCode;
  /** Fill the placeholders of the texts. A paragraph that asks for a value which is not here is left out. */
  readonly values?: Readonly<Record<string, string | number>>;
  /** Fills the placeholder `duration`, in the language's own words. */
  readonly durationMs?: number;
  readonly requestId?: string;
  readonly action?: NoticeAction;
  /** After about this time, while it can be seen, the page asks for itself again (with jitter and backoff). */
  readonly autoRetryMs?: number;
}

/** What the request said about the answers it can take. */
export interface Accept {
  readonly gzip: boolean;
  /** The Accept-Language header, as it came. */
  readonly language: string | undefined;
}

export interface RenderedPage {
  /** `text/html; charset=utf-8`, in `contentEncoding`. */
  readonly body: Buffer;
  readonly contentEncoding: "gzip" | undefined;
  /** For Content-Language. */
  readonly language: string;
  readonly contentSecurityPolicy: string;
}

export interface Pages {
  waiting(view: WaitingView, visitor: VisitorFigures, accept: Accept): RenderedPage;
  notice(notice: Notice, accept: Accept): RenderedPage;
}
