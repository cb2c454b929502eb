import type { DrawDocument } from "../../draw/index.ts";
import type { Notice, VisitorFigures, WaitingView } from "../types.ts";

/** A room's public status, as far as the samples differ in it. */
export interface SampleStatus {
  readonly phase: "idle" | "prequeue" | "open" | "paused" | "ended" | "passthrough";
  readonly availability: "ready" | "recovering" | "away";
  readonly serving: number;
  /** Milliseconds from now until the admissions go on after a recovery; null when they do. */
  readonly heldForMs: number | null;
  /** Default: none. */
  readonly drawStage?: NonNullable<Notice["draw"]>["stage"];
}

interface Common {
  /** Unique; letters, digits and underscores. */
  readonly id: string;
  /** Short, English, for a list. */
  readonly title: string;
  /** What the room's public status says while this page stands. */
  readonly status: SampleStatus;
  /** CSS selector of what is there once the page's script has processed that. Absent where the page does not change. */
  readonly becomes?: string | undefined;
}

export interface WaitingSample extends Common {
  readonly kind: "waiting";
  readonly view: WaitingView;
  readonly visitor: VisitorFigures;
}

export interface NoticeSample extends Common {
  readonly kind: "notice";
  readonly notice: Notice;
  /** What `GET …/draw` answers to the page of a draw. */
  readonly record?: DrawDocument;
}

export type Sample = WaitingSample | NoticeSample;
