import type { ThemeConfig, WordsInLanguage } from "../../config/index.ts";
import type { PublishedDraw } from "../../room/draw-recipe/index.ts";
import type { NextSale, Pace, RoomLink, RoomMessage } from "../../room/index.ts";
import type { DrawJson, PollGuidance, StockJson } from "../../room/public-status/status.ts";
import type { LanguageWishes } from "./locales/languages.ts";
import type { Locale } from "./locales/locale.ts";
import type { LocaleTexts } from "./locales/texts.ts";
import type { AssetFile, StaticPage } from "./render/assets.ts";
import type { WhileWaitingRevisions } from "./shared/live.ts";

/** How a page looks. Pages are compiled once per object: pass the same one for the same room and client. */
export type Theme = Omit<ThemeConfig, "places" | "chosenColors" | "whileWaiting">;

/**
 * - `entered`: the visitor has a number, and the doors are not open yet.
 * - `drawing`: the doors are open, and what place the visitor's entry number has is being drawn.
 * - `waiting`: the line has not reached the visitor yet.
 * - `held`: served, and held back (see `heldBy`); the page asks again by itself after `retryMs`.
 * - `paused`: an operator, an alarm, the site's health, or a loss that nobody remembers, stopped the line.
 * - `sold_out`: everything is sold, and visitors may wait for what is returned.
 * - `store_away`: the last known numbers, if there are any, with their age.
 * - `recovering`: the store came back without its memory; places are being put together again.
 */
export type WaitingState =
  | "entered"
  | "drawing"
  | "waiting"
  | "held"
  | "paused"
  | "sold_out"
  | "store_away"
  | "recovering";

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
  /** The operator's words, shown as plain text, in the page's language where they are in that. */
  readonly message: RoomMessage | null;
  /** What is left to sell, as far as the operator shows it; undefined where the page says nothing of it. */
  readonly stock?: StockJson | null | undefined;
  /** When these numbers were true, in milliseconds since the epoch, by the server's clock; null without numbers. */
  readonly updatedAtMs: number | null;
  readonly poll: PollGuidance;
  /** For the first rendering of its note (`waiting.live.paceNotes` in the locale); later ones, and all estimates, follow the public status. Null where nothing is known. */
  readonly pace: Pace | null;
  /** When the doors open, in milliseconds since the epoch, by the server's clock; null where no time is set, or it has passed. */
  readonly opensAtMs: number | null;
  /** The zone (IANA name) of times where the script does not run. Default: UTC. */
  readonly timeZone?: string | undefined;
  /** What holds back a served visitor: the outflow limit, or a site that is full. Null in other states than `held`. */
  readonly heldBy: "limit" | "capacity" | null;
  /** Held, and ready visitors enter first. */
  readonly isBehind: boolean;
  /** Whether the place of an entry number is to be drawn yet, or was drawn; null for a visitor in no draw. */
  readonly draw: "undrawn" | "drawn" | null;
  /** Of the draw to come, how many take part and when it is; undefined for a visitor in none, and where nothing is known. */
  readonly drawToCome?: DrawJson | undefined;
  /** Where the draw is explained. */
  readonly drawUrl: string;
  readonly statusUrl: string;
  readonly leaveUrl: string;
  /** Where a page that is held asks to enter without being loaded anew. */
  readonly claimUrl: string;
  /** Milliseconds for which nobody enters yet, after a loss in the store. Default: 0, for none. */
  readonly recoveryLeftMs?: number;
  /** How long a turn is held for an absent visitor. Shown where given, with the turn's deadline. */
  readonly claimWithinMs?: number;
  /** Whether the page says that nothing is sold here. Default: no. */
  readonly isRehearsal?: boolean;
  /** Whether visitors before the doors read how many have an entry number. Default: no. */
  readonly showsPeople?: boolean;
  /** Whether the page offers to move the place: `once`, not while it is to be drawn. Default: `once`. */
  readonly moves?: "never" | "once" | "unlimited";
  /** What visitors may read below all else. Undefined where neither the room nor the theme says anything of it. */
  readonly whileWaiting?: WhileWaitingOffer | undefined;
  /** Said where everything is sold (`sold_out`). */
  readonly onward?: Onward;
  /** Whether the room notifies its visitors by Web Push. Default: no. */
  readonly hasPush?: boolean;
  readonly theme?: Theme | undefined;
}

/** What visitors may read while they wait: the text itself is loaded later. See `revisionOf`. */
export interface WhileWaitingOffer {
  /** Those in force; null for none. */
  readonly words: readonly WordsInLanguage[] | null;
  readonly revisions: WhileWaitingRevisions;
  /** Where it is had, without the query that names text and language. */
  readonly url: string;
}

/** What visitors may read while they wait, and what is around it on a page of its own. */
export interface WhileWaitingContent {
  readonly words: readonly WordsInLanguage[];
  /** The room's title. */
  readonly room: string;
  readonly isRehearsal: boolean;
  readonly theme: Theme | undefined;
}

/** The same for all. */
export interface WhileWaitingPages {
  readonly page: StaticPage;
  /** What the waiting page's script puts into that. */
  readonly part: StaticPage;
}

/** What is the visitor's own on the waiting page. */
export interface VisitorFigures {
  /** Before the draw, the entry number. */
  readonly position: number;
  /** The entry number from which the position was drawn, or is to be; null for a visitor in no draw. */
  readonly entry: number | null;
  /** How many took part in the draw of the position; null where none was drawn. */
  readonly entries: number | null;
  /** Says nothing before the draw. */
  readonly ahead: number;
  readonly estimate: { readonly lowSec: number; readonly highSec: number } | null;
  /** `held`: milliseconds after which the page asks to enter again. */
  readonly retryMs: number | null;
  readonly edition: number;
}

/** Stable ids, shown on the page so that a visitor can quote them. Errors are among them. */
export type NoticeCode = keyof LocaleTexts["notices"];

export type NoticeAction =
  /** `href: ""` is the page's own address. Other than http, https and local addresses are refused. */
  | { readonly kind: "link"; readonly href: string; readonly label: keyof LocaleTexts["actions"] }
  /** A form whose fields are hidden inputs. */
  | {
      readonly kind: "post";
      readonly action: string;
      readonly label: keyof LocaleTexts["actions"];
      readonly fields: Readonly<Record<string, string>>;
    };

/** The room that a notice speaks of. */
export interface NoticeWatch {
  /** The room's public status, at this origin. */
  readonly statusUrl: string;
  /** The phase for which the notice holds; null where it does not depend on that. */
  readonly phase: "idle" | "ended" | null;
  /** Whether nobody is given a place just now: the page asks for itself again once the status says that places are given. */
  readonly waitsForPlaces?: boolean;
  /** Milliseconds over which requests for the same moment are spread. */
  readonly spreadMs: number;
}

/** A link that carries the visitor's place to another browser. */
export interface MoveOffer {
  /** Absolute. */
  readonly link: string;
  /** Where the page asks whether it was used. */
  readonly stateUrl: string;
  /** How long it can be used; then, and when it was used, the page leads to where its action does. */
  readonly leftMs: number;
}

/** What the page of a draw shows. */
export interface DrawView
  extends Pick<PublishedDraw, "id" | "stage" | "commitment" | "seed" | "entries" | "beacon" | "voids"> {
  /** Of the visitor who looks at it; null where they have no entry number. */
  readonly own: { readonly entry: number; readonly position: number | null; readonly receipt: string | null } | null;
  /** Where the script gets the record, and the program that checks it. */
  readonly recordUrl: string;
  readonly checkerUrl: string;
}

/** How the challenge of a provider comes to the page. */
export interface CheckWidget {
  readonly name: string;
  readonly siteKey: string;
  /** Of the element that the provider's script fills. */
  readonly className: string;
  /** Empty: none is loaded. */
  readonly scriptUrl: string;
  /** Where its script, frames, styles and requests may go. */
  readonly origins: readonly string[];
}

/** What is done before a place is given: a proof of work, by the page's script, or a provider's challenge, by the person. */
export interface CheckView {
  readonly task:
    | {
        readonly type: "proof_of_work";
        /** Altcha's. */
        readonly challenge: { readonly parameters: object; readonly signature: string };
      }
    | { readonly type: "challenge"; readonly widget: CheckWidget };
  /** Where the proof is posted. */
  readonly answerUrl: string;
  /** After how long a browser without scripts may ask again; null: it gets no place. */
  readonly waitMs: number | null;
}

/** The proof that the page's script shows of the browser's own key, which the place is bound to. */
export interface DeviceView {
  /** To be signed. */
  readonly nonce: string;
  /** Where the proof is posted: a path of this origin. */
  readonly answerUrl: string;
  /** Whether a browser that can show none goes on by itself, or by the page's button. */
  readonly isOptional: boolean;
}

/** Where a visitor may go on who finds nothing to wait for, or waits for what may not come. */
export interface Onward {
  readonly links?: readonly RoomLink[];
  /** What the organiser sells next; it is still to come. */
  readonly nextSale?: NextSale;
  /** Where the next sale, or of a notice with `opensAtMs` the opening, is to be had for a calendar. The page's language is added. */
  readonly calendarUrl?: string;
}

export interface Notice extends Onward {
  readonly code: NoticeCode;
  /** Fill the placeholders of the texts. A paragraph that asks for a value which is not here is left out. */
  readonly values?: Readonly<Record<string, string | number>>;
  /** Fills the placeholder `duration`, in the language's own words. */
  readonly durationMs?: number;
  /** Fills the placeholder `until`: the time of day of this moment, in `timeZone`. */
  readonly untilMs?: number;
  readonly requestId?: string;
  /** Shown with a code to scan (`move`). */
  readonly move?: MoveOffer;
  /** What the page does by its script, before a place is given (`check_required`). */
  readonly check?: CheckView;
  /** What it shows before a place or a login is given (`device_required`). */
  readonly device?: DeviceView;
  /** Shown with what was published, and a way to check it (`draw`). */
  readonly draw?: DrawView;
  /** The words of the operator of the room that the notice speaks of; null while there are none, absent without a room. */
  readonly message?: RoomMessage | null;
  readonly action?: NoticeAction;
  /**
   * After about this time, while it can be seen, the page asks for itself again (with jitter and backoff); where `watch`
   * names a phase, when the room has left that instead.
   */
  readonly autoRetryMs?: number;
  /** What a page that retries asks first. Without it, it goes by what the browser knows of the connection. */
  readonly watch?: NoticeWatch;
  /**
   * When what the visitor came for opens, in milliseconds since the epoch, by the server's clock; null where no time is set,
   * which is said too. Shown with a countdown, and watched most closely just after it.
   */
  readonly opensAtMs?: number | null;
  /** With `opensAtMs`: when people are let in, where that is later than the line begins. */
  readonly entryAtMs?: number | null;
  /** Where it is explained that the places will be drawn. */
  readonly drawUrl?: string;
  /** The zone (IANA name) of times where the script does not run. Default: UTC. */
  readonly timeZone?: string | undefined;
  /** The server's clock when the notice was made; the countdown goes by it. Default: the visitor's own clock. */
  readonly nowMs?: number;
  /** Whether the page says that nothing is sold here. Default: no. */
  readonly isRehearsal?: boolean;
  readonly theme?: Theme | undefined;
}

/** What the request said about the answers it can take. */
export interface Accept extends LanguageWishes {
  readonly gzip: boolean;
  /**
   * Where a visitor who chooses another language is led back to, path and query; empty where the browser is to say it. Without
   * it a notice has no chooser, and the waiting page's leads to the front door.
   */
  readonly here?: string | undefined;
  /** Whether the page has all in it that it needs, whatever the setting says. Default: no. */
  readonly isWhole?: boolean;
}

export interface RenderedPage {
  /** `text/html; charset=utf-8`, in `contentEncoding`. */
  readonly body: Buffer;
  readonly contentEncoding: "gzip" | undefined;
  /** For Content-Language. */
  readonly language: string;
  readonly contentSecurityPolicy: string;
}

/** One that is written in pieces, since most of them are the same for all visitors. */
export interface RenderedWaitingPage extends Omit<RenderedPage, "body"> {
  readonly filled: { readonly pieces: readonly Buffer[]; readonly length: number; whole(): Buffer };
}

export interface RenderPages {
  waiting(view: WaitingView, visitor: VisitorFigures, accept: Accept): RenderedPage;
  notice(notice: Notice, accept: Accept): RenderedPage;
}

/** A language of the pages. */
export interface PageLanguage {
  readonly tag: string;
  /** As its speakers write it. */
  readonly name: string;
  /** What operators can say to everybody in a room without writing it themselves. */
  readonly messages: LocaleTexts["messages"];
}

export interface Pages extends RenderPages {
  /** As `waiting`, for who makes thousands a second. */
  waitingInPieces(view: WaitingView, visitor: VisitorFigures, accept: Accept): RenderedWaitingPage;
  /** Tags of the languages that visitors may choose. */
  readonly languages: readonly string[];
  /** The same with their names, and with the texts of the theme. */
  languagesOf(theme: Theme | undefined): readonly PageLanguage[];
  /** A script that has an address of its own, as it is and compressed. @param name of its entry in the build */
  script(name: string): { readonly plain: Buffer; readonly gzip: Buffer };
  /** What lies at `/assets/FILE`: what pages are drawn with, and what their scripts load on demand; undefined where there is none. */
  assetFile(file: string): AssetFile | undefined;
  /** Whether waiting pages have files beside them. */
  readonly areLinked: boolean;
  /** @param tag of the language that the reader wants */
  whileWaiting(shown: WhileWaitingContent, tag: string): WhileWaitingPages;
  /**
   * One without a script, in the theme's layout and colours: the same bytes for all who read the same language.
   *
   * @param name of its template in views/ and of its sheet in views/styles/, which are no operator's to change
   * @param fill answers what the template finds in `page`, beside `locale` and `chooser`
   */
  withoutScript(
    name: string,
    theme: Theme | undefined,
    wishes: LanguageWishes,
    fill: (locale: Locale) => { readonly title: string },
  ): StaticPage;
  /** The language of this tag, or one like it. */
  locale(tag: string): Locale;
}

/** What is wrong with an operator's own templates or styles; the built-in ones are used instead. */
export interface ViewProblem {
  /** Found when they were read, or when a page was made. */
  readonly when: "start" | "page";
  /** With file and, where it is known, line. */
  readonly message: string;
}

export type ReportViewProblem = (problem: ViewProblem) => void;
