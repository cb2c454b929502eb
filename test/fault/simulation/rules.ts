/**
 * The rules of the design as an observer sees them who hears every answer of the store and owns a stopwatch: nothing
 * here knows how the store keeps its promises. Asserted at every answer.
 */

import type { Ticket } from "../../../src/room/tickets/ticket.ts";
import type { PlaceStatus } from "../../../src/room/visitor/place-status.ts";
import type { WaitingRoom } from "../../../src/room/waiting-room.ts";
import type { RoomSettings } from "../../../src/store/contract/room-settings.ts";
import type {
  AdminStep,
  Admission,
  ClaimRequest,
  ClaimResult,
  Contribution,
  JoinRange,
  Outcome,
  RoomChanges,
  RoomState,
  RoomStore,
  StepAnswer,
} from "../../../src/store/contract/room-store.ts";
import { DrawRules } from "./draw-rules.ts";
import { LiveAdmissions, nameOf } from "./live-admissions.ts";
import { LogRules } from "./log-rules.ts";
import type { FactKind, Memories } from "./memories.ts";
import { PositionBits } from "./position-bits.ts";
import { SlidingCount } from "./sliding-count.ts";
import type { SimulatedTime } from "./time.ts";
import type { Trace } from "./trace.ts";
import type { StoreWatcher } from "./world.ts";

/** A rule did not hold. */
export class RuleBroken extends Error {
  override name = "RuleBroken";
}

/** What nobody can know, and docs/recovery.md says so. The rest of the day tells nothing. */
export class LimitMet extends RuleBroken {
  override name = "LimitMet";
}

const minuteMs = 60_000;
const twoSecondsMs = 2_000;
/**
 * A wall clock that is set forward cannot be told from five seconds that have passed (see the flow clock); the limiter's
 * pace and burst are a little more than that.
 */
const clockStepMs = 5_700;
/** And what the pacing lets through at once may come once more after such a step. */
const burstMs = 3_600;

/** What one edition of the line was seen to do. */
interface Line {
  handedOut: number;
  /** The same, as ranges. */
  readonly ranges: { first: number; last: number }[];
  serving: number;
  readonly claimed: PositionBits;
}

export interface NewAdmission {
  readonly request: ClaimRequest;
  readonly admission: Admission;
  /** Admissions in the last 60 and the last 2 seconds, this one included. */
  readonly inMinute: number;
  readonly inTwoSeconds: number;
  readonly limit: number | null;
}

export interface RuleListener {
  /** The serving counter was seen to have come to here. */
  served(edition: number, serving: number): void;
  admitted(admission: NewAdmission): void;
  joined(range: JoinRange): void;
  /** How many admissions are live, whenever that changes. */
  live(count: number): void;
}

export interface RulesOptions {
  readonly time: SimulatedTime;
  readonly trace: Trace;
  readonly settings: RoomSettings;
  /** Null: what is known after a loss is not judged. */
  readonly memories: Memories | null;
  readonly listener: RuleListener;
  /** The last resort: tells whoever runs the simulation, since domain code may swallow errors. */
  readonly onBroken: (broken: RuleBroken) => void;
}

function isOk(answer: unknown): answer is Extract<Outcome<unknown>, { result: "ok" }> {
  return (answer as Outcome<unknown> | null)?.result === "ok";
}

export class Rules implements StoreWatcher {
  readonly draws: DrawRules;
  readonly log = new LogRules((what, details) => this.#break(what, details));
  readonly #time: SimulatedTime;
  readonly #trace: Trace;
  readonly #listener: RuleListener;
  readonly #onBroken: (broken: RuleBroken) => void;
  readonly #lines = new Map<number, Line>();
  readonly #minute = new SlidingCount(minuteMs);
  readonly #twoSeconds = new SlidingCount(twoSecondsMs);
  readonly #live: LiveAdmissions | null;
  readonly #memories: Memories | null;
  readonly #underWay = new Set<JoinRange[]>();
  #settings: RoomSettings;
  #limitBefore: { limit: number | null; untilMs: number } = { limit: null, untilMs: 0 };
  #mayStepBack = false;
  #isPutBack = false;
  #wasReset = false;
  readonly #stepsTaken = new Set<string>();
  readonly #usedLinks = new Set<string>();
  #seen = "";

  constructor({ time, trace, settings, memories, listener, onBroken }: RulesOptions) {
    this.#time = time;
    this.#trace = trace;
    this.#settings = settings;
    this.#listener = listener;
    this.#onBroken = onBroken;
    this.#memories = memories;
    this.draws = new DrawRules((what, details) => this.#break(what, details), memories);
    const isBounded = settings.inlet.maxActive !== null;
    this.#live = isBounded ? new LiveAdmissions(time, memories, (count) => listener.live(count)) : null;
  }

  /** What is in force, as the store says. */
  get settings(): RoomSettings {
    return this.#settings;
  }

  /** Whether an operator has voided all tickets at some time. */
  get wasReset(): boolean {
    return this.#wasReset;
  }

  /** Whether an admission was given for the place, heard of or not. */
  isClaimed(edition: number, position: number): boolean {
    return this.#line(edition).claimed.has(position);
  }

  get liveCount(): number {
    return this.#live?.count ?? 0;
  }

  admissionsInMinute(): number {
    return this.#minute.count(this.#time.stopwatchMs);
  }

  #inForce(settings: RoomSettings): void {
    if (settings.inlet.outflowPerMinute === this.#settings.inlet.outflowPerMinute) {
      this.#settings = settings;
      return;
    }
    // A window may reach back into the time of the old limit.
    this.#limitBefore = {
      limit: Math.max(this.#settings.inlet.outflowPerMinute ?? 0, this.#limitBefore.limit ?? 0),
      untilMs: this.#time.stopwatchMs + twoSecondsMs,
    };
    this.#settings = settings;
  }

  asking(name: keyof RoomStore, args: unknown[], process: string): (answer: unknown, hasReached: boolean) => void {
    const judge = this.#judging(name, args);
    return (answer, hasReached) => {
      judge(answer);
      this.#remember(name, answer, hasReached ? process : null);
      if (name === "contribute") {
        this.#offered(args[0] as Contribution, (answer as { remainingMs: number }).remainingMs > 0, process);
      }
    };
  }

  #judging(name: keyof RoomStore, args: unknown[]): (answer: unknown) => void {
    switch (name) {
      case "join":
        return this.#askingToJoin(args[2] as number);
      case "tick":
        return (answer) => this.#ticked(answer as Outcome<RoomChanges>);
      case "claim":
        return (answer) => this.#claimedAll(args[2] as ClaimRequest[], answer as Outcome<ClaimResult[]>);
      case "endAdmission":
      case "renewAdmission":
        return (answer) => this.#changed(answer as Outcome<Admission | null>);
      case "changeSettings":
        return (answer) => {
          this.#trace.note(this.#time.nowMs, "settings", (args[3] as RoomSettings).inlet, answer);
          const outcome = answer as Outcome<{ version: number } | null>;
          if (outcome.result === "ok" && outcome.value !== null) this.#inForce(args[3] as RoomSettings);
        };
      case "adminStep":
        return (answer) => this.#stepped(args[2] as AdminStep, args[3] as string, answer as Outcome<StepAnswer>);
      case "readLog":
      case "moveLogMark":
        return () => {};
      default:
        return (answer) => this.#trace.note(this.#time.nowMs, name, args.slice(2, 4), answer);
    }
  }

  /** What the store has done it knows, and so does the process that its answer has reached. */
  #remember(name: keyof RoomStore, answer: unknown, process: string | null): void {
    const memories = this.#memories;
    if (memories === null || !isOk(answer)) return;
    const learn = (kind: FactKind, fact: string) => {
      memories.learn(kind, fact);
      if (process !== null) memories.heard(process, kind, fact);
    };
    if (process !== null) this.#rememberPosition(name, answer.value, process);
    if (name === "join" && this.#settings.draw?.order === "random") {
      const { edition, first, last } = answer.value as JoinRange;
      for (let number = first; number <= last; number++) learn("entry", `${edition} ${number}`);
    } else if (name === "claim") {
      for (const result of answer.value as ClaimResult[]) {
        if (result.result === "admitted") learn("admission", nameOf(result.admission));
      }
    } else if (name === "endAdmission") {
      const admission = answer.value as Admission | null;
      if (admission !== null && admission.ended !== null) learn("end", nameOf(admission));
    } else if (name === "tick" && process !== null && !(answer.value as RoomChanges).more) memories.heardAll(process);
  }

  #rememberPosition(name: keyof RoomStore, value: unknown, process: string): void {
    if (name === "join") {
      const { edition, first, last } = value as JoinRange;
      if (last >= first) this.#memories?.heardOfPosition(process, { edition, position: last }, true);
    } else if (name === "tick") {
      const { edition, queued } = (value as RoomChanges).state;
      this.#memories?.heardOfPosition(process, { edition, position: queued }, false);
    }
  }

  #offered({ memory }: Contribution, isRecovering: boolean, process: string): void {
    if (memory === null || this.#memories === null) return;
    const entry = `${memory.edition} ${memory.queued}`;
    if (memory.version > 0) this.#memories.offered(process, isRecovering);
    // A ticket, which proves its own number at least.
    else if (!isRecovering && this.#memories.has("entry", entry)) this.#memories.learn("entry", entry);
  }

  /** A process was killed: it takes with it what it has heard since the last tick, should the store be lost as well. */
  processKilled(): void {
    this.#mayStepBack = true;
  }

  /** The store was saved. */
  saved(): void {
    this.log.saved();
    this.#memories?.saved();
  }

  /** The store has come back empty, as it was saved last, or so under the same run id. */
  lost(as: "empty" | "saved" | "put_back"): void {
    this.#isPutBack = as === "put_back";
    const is = as === "empty" ? "empty" : "saved";
    this.log.lost(is);
    this.#memories?.lost(is);
  }

  /** Rule 6, as a visitor meets it. */
  lostPlace(what: string, details: unknown): void {
    this.#break(`rule 6: ${what}`, details);
  }

  /** Rule 10: whoever is told to be ahead has a place, whatever was lost. Who is in a gap yet has not shown a ticket. */
  toldAhead(room: WaitingRoom, ticket: Ticket, { state: placeState, ahead }: PlaceStatus): void {
    const { state } = room;
    if (state === null || placeState !== "waiting" || ticket.edition !== state.edition) return;
    // Of a place that a process has not heard of it tells a bound.
    if (room.isAhead(ticket) || state.draws.length > 0) return;
    let places = 0;
    for (const { first, last } of this.#line(ticket.edition).ranges) {
      places += Math.max(0, Math.min(last, ticket.position - 1) - Math.max(first, state.serving + 1) + 1);
    }
    if (ahead > places) {
      this.#break("rule 10: more were told to be ahead than have a place", { ahead, places, ticket, gaps: state.gaps });
    }
  }

  /** Rule 1, as visitors meet it: who came first at one process has the lower position. */
  arrivedInOrder(positions: readonly number[]): void {
    for (let index = 1; index < positions.length; index++) {
      const [before = 0, after = 0] = positions.slice(index - 1, index + 1);
      if (after <= before) this.#break("rule 1: a later arrival got a lower position", { before, after });
    }
  }

  /** Something that must never happen and is no rule's. */
  fail(what: string, details: unknown): void {
    this.#break(what, details);
  }

  #break(what: string, details?: unknown): void {
    const text = details === undefined ? "" : ` ${details instanceof Error ? details.stack : JSON.stringify(details)}`;
    this.#onBroken(new RuleBroken(`${what}${text}`));
  }

  #line(edition: number): Line {
    let line = this.#lines.get(edition);
    if (line === undefined) {
      line = { handedOut: 0, ranges: [], serving: 0, claimed: new PositionBits() };
      this.#lines.set(edition, line);
    }
    return line;
  }

  #askingToJoin(count: number): (answer: unknown) => void {
    const handedOutBefore = new Map([...this.#lines].map(([edition, line]) => [edition, line.handedOut]));
    const others: JoinRange[] = [];
    this.#underWay.add(others);
    return (answer) => {
      this.#underWay.delete(others);
      const outcome = answer as Outcome<JoinRange>;
      this.#trace.note(this.#time.nowMs, "join", count, outcome);
      if (outcome.result !== "ok" || outcome.value.last < outcome.value.first) return;
      const range = outcome.value;
      if (range.first <= (handedOutBefore.get(range.edition) ?? 0)) {
        if (this.#isUnnoticed(range)) this.#onBroken(new LimitMet("data was put back that no process had seen"));
        this.#break("rule 1: a position was handed out that is not higher than all before", range);
      }
      // Several clients may ask at once; which of them the store heard first cannot be seen.
      const overlaps = others.some(
        (other) => other.edition === range.edition && other.first <= range.last && range.first <= other.last,
      );
      if (overlaps) this.#break("rule 1: a position was handed out twice", range);
      for (const ranges of this.#underWay) ranges.push(range);
      const line = this.#line(range.edition);
      line.handedOut = Math.max(line.handedOut, range.last);
      line.ranges.push({ first: range.first, last: range.last });
      this.#listener.joined(range);
      this.#served(range.edition, range.serving, "joins");
    };
  }

  /** Data was put back in place, and no process that runs knows that a later position was handed out. */
  #isUnnoticed({ edition, first }: JoinRange): boolean {
    return this.#isPutBack && this.#memories?.isHandedOut({ edition, position: first }) === false;
  }

  #ticked(outcome: Outcome<RoomChanges>): void {
    if (outcome.result !== "ok") {
      this.#trace.note(this.#time.nowMs, "tick", outcome);
      return;
    }
    const { edition, serving, queued, phase, phaseReason, liveAdmissions } = outcome.value.state;
    const draws = outcome.value.state.draws.map(({ id, stage, first, last }) => [id, stage, first, last].join("."));
    const seen = [edition, serving, queued, phase, phaseReason, liveAdmissions, draws].join(" ");
    // Ticks that tell nothing new would fill the trace.
    if (seen !== this.#seen) {
      this.#trace.note(this.#time.nowMs, "tick", {
        edition,
        serving,
        queued,
        phase,
        phaseReason,
        liveAdmissions,
        draws,
      });
    }
    this.#seen = seen;
    this.#inForce(outcome.value.state.settings.effective);
    this.#checkRate(outcome.value.state);
    this.draws.heard(outcome.value.state);
    if (outcome.value.state.log.sealed.hash !== "") this.log.sealed(outcome.value.state.log.sealed);
    this.#served(edition, serving, "tick");
  }

  #served(edition: number, serving: number, seenBy: "tick" | "joins" | "step"): void {
    const line = this.#line(edition);
    if (serving === line.serving) return;
    if (serving < line.serving) {
      // Answers to joins overtake each other.
      if (seenBy === "joins") return;
      if (!this.#mayStepBack) this.#break("rule 2: the serving counter went back", { from: line.serving, to: serving });
      this.#mayStepBack = false;
    }
    line.serving = serving;
    this.#listener.served(edition, serving);
  }

  #claimedAll(requests: readonly ClaimRequest[], outcome: Outcome<ClaimResult[]>): void {
    for (const [index, request] of requests.entries()) {
      const value = outcome.result === "ok" ? outcome.value[index] : undefined;
      this.#claimed(request, value === undefined ? (outcome as Outcome<never>) : { result: "ok", value });
    }
  }

  #claimed(request: ClaimRequest, outcome: Outcome<ClaimResult>): void {
    const { stopwatchMs } = this.#time;
    if (outcome.result !== "ok") {
      this.#trace.note(this.#time.nowMs, "claim", request.position, outcome);
      return;
    }
    const result = outcome.value;
    if (result.result !== "admitted") {
      this.#trace.note(this.#time.nowMs, "claim", request.position, result);
      return;
    }
    const { admission, isNew } = result;
    this.#trace.note(this.#time.nowMs, "claim", request.position, { admitted: admission.position, isNew });
    if (!isNew) this.#checkEnd(admission);
    this.#live?.put(admission);
    if (!isNew) return;

    const { edition, position, via } = admission;
    this.log.admitted(request, admission);
    if (position > 0) this.draws.admitted(request);
    if (position > 0 && !this.#line(edition).claimed.add(position)) {
      this.#break("rule 3: a place was claimed twice", admission);
    }
    const inMinute = this.#minute.add(stopwatchMs);
    if (via === "bypass") this.#usedLink(request.bypass?.id, admission);
    // By a bypass link, too: it goes around the line, and not around the limits.
    const isByTheLine = via === "queue" || via === "bypass";
    // Phases without a line have no pace of their own; what passed in them counts for the minute all the same.
    const inTwoSeconds = isByTheLine ? this.#twoSeconds.add(stopwatchMs) : this.#twoSeconds.count(stopwatchMs);
    const { outflowPerMinute: limit } = this.#settings.inlet;
    if (isByTheLine) {
      if (limit !== null) this.#checkLimit(limit, inMinute, inTwoSeconds);
      this.#checkCapacity();
    }
    this.#listener.admitted({ request, admission, inMinute, inTwoSeconds, limit });
  }

  /** What has ended stays so, as long as anybody who reaches the store knows of it. */
  #checkEnd(admission: Admission): void {
    const name = nameOf(admission);
    if (this.#memories?.has("end", name) !== true) return;
    if (this.#memories.isInStore("end", name))
      this.#break("rule 3: an admission that was ended is live again", admission);
    else if (this.#live?.has(admission.sub) === false) this.#live.revived();
  }

  /** Whatever is heard of the site, the rate is neither above the limit nor below its floor, and never zero. */
  #checkRate({ adaptive, settings }: RoomState): void {
    const { outflowPerMinute: limit, floorPerMinute } = settings.effective.inlet;
    if (adaptive === undefined || limit === null) return;
    const { ratePerMinute: rate } = adaptive;
    const floor = Math.min(limit, floorPerMinute ?? 1);
    if (!(rate >= floor && rate >= 1 && rate <= limit)) this.#break("the rate left its bounds", { rate, floor, limit });
  }

  #usedLink(id: string | undefined, admission: Admission): void {
    if (id === undefined || this.#usedLinks.has(id)) this.#break("a bypass link was used twice, or none", admission);
    else this.#usedLinks.add(id);
  }

  #checkLimit(limit: number, inMinute: number, inTwoSeconds: number): void {
    const bound = limit + this.#time.forwardSteps(minuteMs) * (1 + Math.ceil((limit * clockStepMs) / minuteMs));
    if (inMinute > bound) this.#break("rule 4: too many admissions in 60 seconds", { inMinute, limit, bound });
    const isChanging = this.#time.stopwatchMs < this.#limitBefore.untilMs;
    const twoSecondsLimit = isChanging ? Math.max(limit, this.#limitBefore.limit ?? 0) : limit;
    const bursts = this.#time.forwardSteps(twoSecondsMs) * (1 + Math.ceil((twoSecondsLimit * burstMs) / minuteMs));
    const bound2 = Math.max(1, twoSecondsLimit / 10) + bursts;
    if (inTwoSeconds > bound2) this.#break("rule 4: too many admissions in 2 seconds", { inTwoSeconds, limit, bound2 });
  }

  #checkCapacity(): void {
    const { maxActive } = this.#settings.inlet;
    if (this.#live === null || maxActive === null || this.#settings.inlet.type !== "max_active") return;
    const live = this.#live.count;
    if (live > maxActive && live > maxActive + this.#live.beyond)
      this.#break("rule 5: too many live admissions", { live, maxActive });
  }

  #changed(outcome: Outcome<Admission | null>): void {
    if (outcome.result !== "ok" || outcome.value === null) return;
    this.#trace.note(this.#time.nowMs, "admission", outcome.value.position, outcome.value.ended);
    this.#live?.put(outcome.value);
  }

  #stepped(step: AdminStep, requestId: string, outcome: Outcome<StepAnswer>): void {
    this.#trace.note(this.#time.nowMs, "step", step, outcome);
    if (outcome.result !== "ok" || !("serving" in outcome.value)) return;
    // A step that is asked for again is answered as it was then.
    if (this.#stepsTaken.has(requestId)) return;
    this.#stepsTaken.add(requestId);
    this.#wasReset ||= step.step === "reset";
    this.#mayStepBack ||= step.step === "increment" && step.by < 0;
    this.#served(outcome.value.edition, outcome.value.serving, "step");
  }
}
