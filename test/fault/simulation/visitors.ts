/**
 * Visitors and their pages. A page does what src/web/browser/waiting.ts does: it asks at the pace it is told, ± 30 %, goes in
 * by itself when it is its turn, comes again when it is held, and backs off when nothing answers.
 */

import { numberOf, type Ticket } from "../../../src/room/tickets/ticket.ts";
import type { PlaceState, PlaceStatus } from "../../../src/room/visitor/place-status.ts";
import { pollAfterMs } from "../../../src/room/visitor/place-status.ts";
import type { WaitingRoom } from "../../../src/room/waiting-room.ts";
import type { Chance } from "./chance.ts";
import type { FirstClaim } from "./door.ts";
import type { Action, EventQueue } from "./events.ts";
import { type Answer, tryTo, visitGate } from "./gate.ts";
import type { Measures, ToldWait } from "./measures.ts";
import type { Rules } from "./rules.ts";
import type { SimulatedTime } from "./time.ts";
import type { Trace } from "./trace.ts";
import type { Gateway, World } from "./world.ts";

/** What visitors do; shares are of 1, means are of exponential distributions in milliseconds. */
export interface People {
  /** Not looking when their turn comes. */
  readonly absentShare: number;
  /** Of the absent: those who look again after a while. */
  readonly lateShare: number;
  readonly lateMeanMs: number;
  /** Of the present: those who give up. */
  readonly impatientShare: number;
  readonly patienceMeanMs: number;
  /** Of those who give up: those who say so. The others close the tab. */
  readonly leavingShare: number;
  /** Of the admitted: those who are done early. The others stay until the admission lapses. */
  readonly completingShare: number;
  readonly completingMeanMs: number;
  /** Of those whose admission is over: those who come again. */
  readonly reentryShare: number;
  readonly reentryMeanMs: number;
  /** Of those who come again: those whose cookie is from before they came in. */
  readonly oldCookieShare: number;
  /** Of the admitted: those who log in once more meanwhile. */
  readonly secondLoginShare: number;
}

export const plainPeople: People = {
  absentShare: 0,
  lateShare: 0,
  lateMeanMs: 0,
  impatientShare: 0,
  patienceMeanMs: 0,
  leavingShare: 0,
  completingShare: 0,
  completingMeanMs: 0,
  reentryShare: 0,
  reentryMeanMs: 0,
  oldCookieShare: 0,
  secondLoginShare: 0,
};

/** What visitors live in. */
export interface Surroundings {
  readonly time: SimulatedTime;
  readonly queue: EventQueue;
  readonly chance: Chance;
  readonly world: World;
  readonly rules: Rules;
  readonly measures: Measures;
  readonly trace: Trace;
  readonly people: People;
  /** Visitors who hold a place, or want one, and look. */
  readonly waiting: Set<Visitor>;
  /** Share of the visitors whose estimates are kept. */
  readonly askedShare: number;
  /** Whether tickets go through the codec and logins are recorded, as over HTTP. Costs time and memory. */
  readonly isThorough: boolean;
  /** Whether newcomers and those who come again are still let onto the site. */
  isOpen: boolean;
}

const pageFloorMs = 2_000;
const backoffMaxMs = 60_000;
const staleMs = 15_000;
const forgetEntriesMs = 60_000;
const entryJitterMs = 300;
const maxTold = 4;

type Plan =
  | "arrive"
  | "poll"
  | "enter"
  | "look_again"
  | "give_up"
  | "log_in_again"
  | "complete"
  | "come_again"
  | "none";
type Whereabouts = "away" | "waiting" | "inside" | "gone";

/** After a reset an admission goes on without its place. */
function isSameOrNone(ticket: Ticket, known: Ticket | null): boolean {
  return ticket.position === 0 || (known !== null && numberOf(ticket) === numberOf(known));
}

export class Visitor implements Action {
  readonly #sim: Surroundings;
  readonly name: number;
  /** Nothing that they do costs them the place, so they must get in. */
  isFaithful: boolean;
  #ticket: Ticket | null;
  /** As it was before the visitor came in. */
  #oldTicket: Ticket | null = null;
  #whereabouts: Whereabouts = "away";
  #plan: Plan = "none";
  #dueMs = 0;
  #arrivedWallMs = 0;
  /** Since when they have been looking without a break. */
  #lookingSinceMs = 0;
  #failures = 0;
  #lastEntryMs = Number.NEGATIVE_INFINITY;
  #entriesInARow = 0;
  #isHeld = false;
  #isCarrying = false;
  /** When the limiter held them back for the first time, and who was before them. */
  #claimed: FirstClaim | null = null;
  #wasInside = false;
  /** When the admission will be over as far as time passes; by the stopwatch. */
  #insideUntilMs = 0;
  #requests = 0;
  #told: ToldWait[] | null = null;

  constructor(sim: Surroundings, name: number, ticket: Ticket | null, isFaithful: boolean) {
    this.#sim = sim;
    this.name = name;
    this.#ticket = ticket;
    this.isFaithful = isFaithful;
  }

  get position(): number | null {
    return this.#ticket?.position ?? null;
  }

  get isWaiting(): boolean {
    return this.#whereabouts === "waiting";
  }

  get isGone(): boolean {
    return this.#whereabouts === "gone";
  }

  toString(): string {
    return `visitor ${this.name} at ${this.position}, ${this.#whereabouts}, ${this.#plan} at ${this.#dueMs / 1_000} s`;
  }

  // --- Another browser ----------------------------------------------------------------------------------------

  /** The unclaimed place that they hold and look at; null for none. */
  get ticketToCarry(): Ticket | null {
    const ticket = this.#ticket;
    if (!this.isWaiting || this.#isCarrying || ticket === null) return null;
    return ticket.position > 0 && ticket.claim === null ? ticket : null;
  }

  /** They look at no page until they know which browser has the place. */
  lookElsewhere(): void {
    this.#isCarrying = true;
    this.#plan = "none";
  }

  /** Goes on waiting, in whichever browser has this ticket. */
  goOnWith(ticket: Ticket): void {
    this.#isCarrying = false;
    if (!this.isWaiting) return;
    this.#ticket = ticket;
    this.#poll(this.#sim.time.nowMs);
  }

  // --- What they plan -----------------------------------------------------------------------------------------

  #planAt(plan: Plan, atMs: number): void {
    this.#plan = plan;
    this.#dueMs = Math.ceil(atMs);
    this.#sim.queue.at(this.#dueMs, this);
  }

  run(nowMs: number): Promise<void> | void {
    // Something else came in between, and another plan was made.
    if (nowMs !== this.#dueMs) return;
    switch (this.#plan) {
      case "arrive":
      case "enter":
        return this.enter();
      case "poll":
        return this.#poll(nowMs);
      case "look_again":
        return this.#lookAgain();
      case "give_up":
        return this.#giveUp();
      case "log_in_again":
        return this.#logInAgain();
      case "complete":
        return this.#complete();
      case "come_again":
        return this.#comeAgain();
      case "none":
    }
  }

  // --- Arriving -----------------------------------------------------------------------------------------------

  /** Comes to the site for the first time. */
  async arrive(): Promise<void> {
    this.#arrivedWallMs = this.#sim.time.wall.now();
    this.#beginToWait();
    await this.enter();
  }

  /** Has joined already (in bulk), and looks at the page that answered. */
  beginWithPlace(gateway: Gateway): void {
    const ticket = this.#ticket;
    if (ticket === null) return;
    this.#beginToWait();
    this.#beginToNote(ticket, gateway);
    this.#planAt("poll", this.#sim.time.nowMs + this.#jitter(this.#firstPollMs(gateway.room, ticket)));
  }

  /** Has joined, or will, and does not look. `look`: when they do. */
  stayAway(lookAtMs: number | null): void {
    this.isFaithful = false;
    if (this.#whereabouts === "waiting") this.#stopWaiting("away");
    if (lookAtMs === null) this.#plan = "none";
    else this.#planAt("look_again", lookAtMs);
  }

  planToGiveUp(atMs: number): void {
    this.isFaithful = false;
    this.#sim.queue.call(atMs, () => (this.isWaiting ? this.#giveUp() : undefined));
  }

  #beginToWait(): void {
    this.#whereabouts = "waiting";
    this.#lookingSinceMs = this.#sim.time.nowMs;
    this.#isHeld = false;
    this.#claimed = null;
    this.#failures = 0;
    this.#sim.waiting.add(this);
  }

  #stopWaiting(whereabouts: Whereabouts): void {
    this.#whereabouts = whereabouts;
    this.#plan = "none";
    this.#sim.waiting.delete(this);
  }

  #lookAgain(): void {
    if (this.#ticket === null) return;
    this.#beginToWait();
    this.#poll(this.#sim.time.nowMs);
  }

  // --- The waiting page ---------------------------------------------------------------------------------------

  #poll(nowMs: number): Promise<void> | void {
    const gateway = this.#sim.world.pickGateway();
    const room = gateway?.room;
    const place = this.#ticket === null ? null : room?.describe(this.#ticket);
    if (gateway === null || room === undefined || this.#ticket === null || place == null) {
      this.#backOff(nowMs);
      return;
    }
    const ticket = room.place(this.#ticket);
    this.#sim.rules.draws.told(ticket);
    // A process that last heard of an open line, and not of this place, takes it for one behind that line.
    const isGuess = room.state?.basePhase === "open" && room.isAhead(ticket);
    const isPlace = place.state === "waiting" || place.state === "served";
    if (isPlace && !isGuess) this.#sim.rules.draws.toldPlace(ticket);
    this.#failures = 0;
    if (place.estimate !== null) this.#noteEstimate(place.estimate.low, place.estimate.high, nowMs);
    switch (this.#whatNow(gateway, ticket, place.state)) {
      case "come_in":
        this.#comeIn(nowMs, 0);
        break;
      case "see_the_end":
        this.#planAt("enter", nowMs + this.#sim.chance.between(1_000, 10_000));
        break;
      case "wait":
        // What this gateway takes for moved may have been moved on to here; it asks when the page is loaded anew.
        if (room.isMoved(ticket)) this.#planAt("enter", nowMs);
        else this.#keepWaiting(place, ticket, nowMs);
    }
    this.#sim.rules.toldAhead(room, ticket, place);
    if (room.isNews(ticket) && !room.isAhead(ticket)) return this.#askForPlace(gateway, ticket);
  }

  /** After a loss the public status has a gap where the visitor stands: the page shows the ticket. */
  async #askForPlace(gateway: Gateway, ticket: Ticket): Promise<void> {
    await gateway.room.verifyAhead(ticket);
    this.#checkProof(gateway, ticket);
  }

  /** What a ticket proves that was shown is known from then on. */
  #checkProof({ room, cut }: Gateway, ticket: Ticket): void {
    const isUnderstood = room.availability === "ready" && ticket.edition === room.state?.edition;
    if (cut.kind === "none" && isUnderstood && room.isNews(ticket)) {
      this.#sim.rules.fail("a ticket that was shown proved nothing", { ticket, state: room.state });
    }
  }

  #keepWaiting({ state, pollAfterMs }: PlaceStatus, ticket: Ticket, nowMs: number): void {
    if (state === "expired") this.#onExpired("the page said so", ticket);
    this.#isHeld = false;
    this.#planAt("poll", nowMs + this.#jitter(pollAfterMs));
  }

  #whatNow({ room, clock }: Gateway, ticket: Ticket, placeState: PlaceState): "come_in" | "see_the_end" | "wait" {
    const { state } = room;
    // Of another edition, or spent: the gate decides what that means.
    if (state === null || state.edition !== ticket.edition || ticket.claim !== null) return "come_in";
    const isFresh = Math.max(0, clock.now() - room.refreshedMs) <= staleMs;
    if (!isFresh) return "wait";
    if (state.phase === "ended" || state.phase === "idle") return "see_the_end";
    const isDrawn = placeState !== "entered";
    const isServed = state.phase === "open" && isDrawn && state.serving >= ticket.position && !room.isOnHold;
    return isServed || state.phase === "passthrough" ? "come_in" : "wait";
  }

  #jitter(ms: number): number {
    return ms * this.#sim.chance.between(0.7, 1.3);
  }

  #backOff(nowMs: number): void {
    // Without a ticket there is no page that could ask: the visitor tries again.
    if (this.#ticket === null) {
      this.#planAt("enter", nowMs + this.#jitter(5_000));
      return;
    }
    this.#failures++;
    const backoffMs = Math.min(backoffMaxMs, pageFloorMs * 2 ** Math.min(this.#failures, 10));
    this.#planAt("poll", nowMs + this.#jitter(backoffMs));
  }

  #noteEstimate(lowSec: number, highSec: number, nowMs: number): void {
    if (this.#told === null || this.#told.length >= maxTold) return;
    // At the beginning, and at some later moments.
    if (this.#told.length === 0 || this.#sim.chance.isTrue(0.15)) this.#told.push({ atMs: nowMs, lowSec, highSec });
  }

  #comeIn(nowMs: number, afterMs: number): void {
    const pauseMs = this.#pauseBeforeEntry(nowMs);
    this.#planAt("enter", nowMs + Math.max(afterMs + entryJitterMs * this.#sim.chance.fraction(), pauseMs));
  }

  #pauseBeforeEntry(nowMs: number): number {
    const sinceMs = nowMs - this.#lastEntryMs;
    if (sinceMs >= forgetEntriesMs) return 0;
    const pauseMs = this.#isHeld ? 1_000 : Math.min(30_000, 1_000 * 2 ** this.#entriesInARow);
    return Math.max(0, pauseMs - sinceMs);
  }

  #noteEntry(): void {
    const { nowMs } = this.#sim.time;
    if (this.#isHeld || nowMs - this.#lastEntryMs >= forgetEntriesMs) this.#entriesInARow = this.#isHeld ? 0 : 1;
    else this.#entriesInARow++;
    this.#lastEntryMs = nowMs;
  }

  // --- Entering -----------------------------------------------------------------------------------------------

  /** Asks `/authorize`, as the page or the visitor does. Any number may be under way at once: tabs, reloads. */
  async enter(): Promise<void> {
    if (this.#whereabouts !== "waiting" || this.#isCarrying) return;
    const gateway = this.#sim.world.pickGateway();
    if (gateway === null) return this.#backOff(this.#sim.time.nowMs);
    this.#noteEntry();
    const answer = await this.#visit(gateway);
    // Another tab was faster.
    if (this.#whereabouts !== "waiting") return;
    this.#take(answer, gateway);
  }

  async #visit(gateway: Gateway): Promise<Answer> {
    const sim = this.#sim;
    const { room } = gateway;
    let ticket = this.#ticket;
    if (sim.isThorough && ticket !== null) {
      const presented = room.read(room.encode(ticket));
      if (presented.kind === "ticket") {
        ticket = presented.ticket;
        sim.rules.draws.told(ticket);
      } else sim.rules.fail("a ticket could not be read", { ticket, presented });
    }
    const answer = await visitGate({
      room,
      ticket,
      login: sim.isThorough ? `${this.name}-${this.#requests}` : null,
      arrivedMs: this.#arrivedWallMs,
      onPlaceOver: (lost, why) => this.#onPlaceOver(lost, why),
    });
    if (ticket !== null && ticket.position > 0) this.#checkProof(gateway, ticket);
    return answer;
  }

  #take(answer: Answer, gateway: Gateway): void {
    const { nowMs } = this.#sim.time;
    this.#isHeld = answer.kind === "held";
    switch (answer.kind) {
      case "entered":
        this.#getIn(answer.ticket);
        break;
      case "held":
        if (answer.by === "limit") this.#claimed ??= { atMs: nowMs, rank: answer.rank };
        this.#keep(answer.ticket, gateway);
        this.#comeIn(nowMs, answer.retryMs);
        break;
      case "parked":
        this.#keep(answer.ticket, gateway);
        this.#planAt("poll", nowMs + this.#jitter(this.#firstPollMs(gateway.room, answer.ticket)));
        break;
      case "hold_on":
        this.#planAt("enter", nowMs + Math.max(1_000, this.#jitter(answer.retryMs)));
        break;
      case "turned_away":
        this.#planAt("enter", nowMs + this.#jitter(10_000));
        break;
      case "notice":
        this.#onNotice(answer.code, answer.ticket);
    }
  }

  /** The page carries the pace, so it polls from the beginning as it is told. */
  #firstPollMs(room: WaitingRoom, ticket: Ticket): number {
    return room.describe(ticket)?.pollAfterMs ?? pollAfterMs(ticket.position - 1, null);
  }

  #keep(ticket: Ticket, gateway: Gateway): void {
    if (this.#ticket?.position !== ticket.position) this.#beginToNote(ticket, gateway);
    this.#ticket = ticket;
    this.#sim.rules.draws.told(ticket);
  }

  /** The page that answers a join tells the first estimate. */
  #beginToNote(ticket: Ticket, { room }: Gateway): void {
    this.#told = this.#sim.chance.isTrue(this.#sim.askedShare) ? [] : null;
    const estimate = this.#told === null ? null : room.describe(ticket)?.estimate;
    if (estimate) this.#noteEstimate(estimate.low, estimate.high, this.#sim.time.nowMs);
  }

  #onNotice(code: "expired" | "left" | "moved" | "unreadable", ticket: Ticket): void {
    if (code === "expired") this.#onExpired("the gate said so", ticket);
    else this.#sim.rules.lostPlace(`a place is over: ${code}`, { ticket, visitor: String(this) });
    // They press "join again", or do not.
    this.#ticket = { ...ticket, position: 0, joinedMs: 0, claim: null };
    if (this.#sim.isOpen && this.#sim.chance.isTrue(0.5)) this.#planAt("enter", this.#sim.time.nowMs + 5_000);
    else this.#stopWaiting("gone");
  }

  #onExpired(how: string, ticket: Ticket): void {
    const { measures, rules, time } = this.#sim;
    const details = { ticket, visitor: String(this) };
    // With a cookie from before they came in.
    if (rules.isClaimed(ticket.edition, ticket.position)) return;
    if (this.isFaithful) {
      rules.lostPlace(`the place of a visitor who was there expired: ${how}`, details);
      return;
    }
    const servedMs = measures.servedAt(ticket.edition, ticket.position);
    const { claimWithinMs } = rules.settings.admission;
    // Each counts as five seconds, and `nowMs` knows of neither.
    const allowedMs = 5_000 * (time.forwardSteps(Number.POSITIVE_INFINITY) + time.sleeps);
    if (servedMs === undefined || time.nowMs - servedMs < claimWithinMs - allowedMs) {
      rules.lostPlace(`a place expired too early: ${how}`, { ...details, servedMs, nowMs: time.nowMs });
    }
  }

  #onPlaceOver(ticket: Ticket, why: "ended" | "old_edition"): void {
    const { rules } = this.#sim;
    // The answer to a claim may have been lost, and the admission have lapsed since.
    const isSpent = this.#wasInside || rules.isClaimed(ticket.edition, ticket.position);
    if (why === "old_edition" ? rules.wasReset : isSpent) return;
    rules.lostPlace(`a place is over: ${why}`, { ticket, visitor: String(this) });
  }

  #getIn(ticket: Ticket): void {
    const { measures, chance, people, time, isOpen } = this.#sim;
    const { nowMs } = time;
    this.#oldTicket = people.oldCookieShare > 0 ? { ...ticket, claim: null } : null;
    this.#ticket = ticket;
    const told = this.#told ?? [];
    this.#told = null;
    measures.entered(ticket.edition, ticket.position, this.#lookingSinceMs, nowMs, told);
    measures.door.left(ticket.position, this.#claimed, nowMs);
    this.#stopWaiting("inside");
    this.#wasInside = true;
    this.#insideUntilMs = time.stopwatchMs + (ticket.claim?.expiresMs ?? 0) - time.wall.now();
    this.#requests++;
    if (chance.isTrue(people.secondLoginShare)) this.#planAt("log_in_again", nowMs + chance.wait(20_000));
    else this.#planToFinish(isOpen);
  }

  // --- Inside, and afterwards ---------------------------------------------------------------------------------

  /** What is left of the admission at least, whatever became of the wall clock: a step forward may count as five seconds. */
  get #leftMs(): number {
    const { time } = this.#sim;
    const byWallMs = (this.#ticket?.claim?.expiresMs ?? 0) - time.wall.now();
    const byStopwatchMs = this.#insideUntilMs - time.stopwatchMs - 5_000 * time.forwardSteps(Number.POSITIVE_INFINITY);
    return Math.max(0, Math.min(byWallMs, byStopwatchMs));
  }

  #planToFinish(mayComeAgain: boolean): void {
    const { chance, people, time } = this.#sim;
    const leftMs = this.#leftMs;
    const doneMs = chance.isTrue(people.completingShare)
      ? chance.wait(people.completingMeanMs)
      : Number.POSITIVE_INFINITY;
    if (doneMs < leftMs) this.#planAt("complete", time.nowMs + doneMs);
    else if (mayComeAgain && chance.isTrue(people.reentryShare)) this.#planToComeAgain(leftMs + 1_000);
    else this.#stopWaiting("gone");
  }

  #planToComeAgain(afterMs: number): void {
    const { chance, people, time } = this.#sim;
    this.#planAt("come_again", time.nowMs + afterMs + chance.wait(people.reentryMeanMs));
  }

  async #logInAgain(): Promise<void> {
    const gateway = this.#sim.world.pickGateway();
    if (gateway === null || this.#leftMs < 10_000) return this.#planToFinish(false);
    this.#requests++;
    const answer = await this.#visit(gateway);
    const isSamePlace = "ticket" in answer && isSameOrNone(answer.ticket, this.#ticket);
    const isHindered = answer.kind === "hold_on" || (answer.kind === "parked" && isSamePlace);
    if (answer.kind === "entered" && isSamePlace) this.#planToFinish(true);
    else if (isHindered) this.#planAt("log_in_again", this.#sim.time.nowMs + 5_000);
    else this.#sim.rules.lostPlace("a live admission did not log in", { answer, visitor: String(this) });
  }

  async #complete(): Promise<void> {
    const { world, time, chance, people, isOpen } = this.#sim;
    const gateway = world.pickGateway();
    const sub = this.#ticket?.sub ?? "";
    const isDone = gateway !== null && (await tryTo(() => gateway.room.admissions.end(sub, "completed")));
    if (!isDone) this.#planAt("complete", time.nowMs + 5_000);
    else if (isOpen && chance.isTrue(people.reentryShare)) this.#planToComeAgain(0);
    else this.#stopWaiting("gone");
  }

  async #comeAgain(): Promise<void> {
    if (!this.#sim.isOpen) return this.#stopWaiting("gone");
    if (this.#oldTicket !== null && this.#sim.chance.isTrue(this.#sim.people.oldCookieShare)) {
      this.#ticket = this.#oldTicket;
    }
    this.#arrivedWallMs = this.#sim.time.wall.now();
    this.#beginToWait();
    await this.enter();
  }

  async #giveUp(): Promise<void> {
    const { world, chance, people, time } = this.#sim;
    const ticket = this.#ticket;
    if (ticket === null || ticket.position === 0 || !chance.isTrue(people.leavingShare))
      return this.#stopWaiting("gone");
    const gateway = world.pickGateway();
    const hasLeft = gateway !== null && (await tryTo(() => gateway.room.leave(ticket)));
    if (hasLeft) this.#stopWaiting("gone");
    else this.#planAt("give_up", time.nowMs + 3_000);
  }
}
