import type english from "../../../../views/locales/en.json";
import type { PaceJson, PollGuidance } from "../../../room/public-status/status.ts";
import type { StockTexts } from "./wording.ts";

/** What a waiting page carries for its script. */
export interface Live {
  readonly texts: LiveTexts;
  readonly poll: PollGuidance;
  readonly room: string;
  /** The room is called so here, whatever its status says. */
  readonly isRenamed?: boolean;
  readonly claimWithinMs: number | null;
  /** While the line moves, or is about to; null where nothing is known of it. */
  readonly pace: PaceJson | null;
  /** Before the doors: whether it says how many have an entry number. */
  readonly showsPeople?: boolean;
  /** What the page says of the stock, where it says something. */
  readonly stock?: StockTexts | undefined;
  readonly whileWaiting?: WhileWaitingRevisions;
  /** The room notifies its visitors by Web Push. */
  readonly push?: true;
  /** Files that the script loads on demand: `/assets/FILE.js`. */
  readonly later: { readonly [part in "call" | "life" | "progress" | "words"]: string } & { readonly draw?: string };
}

/** What later parts of the script say. They come with it: see `LiveTexts` for what the page itself carries. */
export type LaterTexts = (typeof english)["later"] & {
  readonly pausedReasons: TextsByName;
  readonly paceNotes: TextsByName;
  /** Said for the moment before the next page. */
  readonly status: TextsByName;
  /** `problem.recovering` and `estimate.paused` of the page's own. */
  readonly recovering: string;
  readonly paused: string;
};

/** What visitors may read while they wait, by its name; "" for nothing. */
export interface WhileWaitingRevisions {
  /** Null: the room leaves it to the theme. */
  readonly room: string | null;
  readonly theme: string;
}

type EnglishTexts = (typeof english)["waiting"]["live"];
type TextsByName = Readonly<Record<string, string | undefined>>;

/** `waiting.live` of the locale, without what the page never comes to say. */
type ForSome = "aheadAtMost" | "drawn" | "doors" | "pausedReasons" | "paceNotes" | "problem" | "estimate";

export type LiveTexts = Omit<EnglishTexts, ForSome> &
  Partial<Pick<EnglishTexts, "aheadAtMost" | "drawn" | "doors">> & {
    readonly estimate: Omit<EnglishTexts["estimate"], "paused">;
    readonly problem: Pick<EnglishTexts["problem"], "offline" | "stale">;
    readonly titles: TextsByName;
    readonly status: TextsByName;
  };
