/**
 * Every page that a visitor can meet, in every state that looks different, with made-up data: for whoever wants to see the
 * pages (`usher preview`, the screenshots) or must know that they work (an operator's own views, the tests of the pages).
 * Data alone: nothing is read or rendered here.
 */
import type { DrawDocument } from "../../draw/index.ts";
import type { Notice, VisitorFigures, WaitingView } from "../types.ts";
import { noticeSamples } from "./notices.ts";
import { madeUpRoom, type SampleRoom } from "./room.ts";
import type { SampleStatus } from "./status.ts";
import { waitingSamples } from "./waiting.ts";

export { madeUpRoom, type SampleRoom } from "./room.ts";
export { type SampleStatus, sampleStatusJson } from "./status.ts";

interface Common {
  /** Unique; letters, digits and underscores. */
  readonly id: string;
  /** Short, English, for a list. */
  readonly title: string;
  /** What the room's public status says while this page stands. */
  readonly status: SampleStatus;
  /**
   * CSS selector of what is there once the page's script has heard that. Absent where the page is what it is from its beginning,
   * and stays so.
   */
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

/**
 * @param nowMs what is said of times goes from here, in milliseconds since the epoch
 * @param room whose pages they are; default: a made-up one
 */
export function samples(nowMs: number, room: SampleRoom = madeUpRoom): readonly Sample[] {
  return [...waitingSamples(nowMs, room), ...noticeSamples(nowMs, room)];
}
