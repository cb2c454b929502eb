import { lapsesWithPending, memoryOf as stateMemoryOf } from "../../src/room/replica/memory.ts";
import type {
  AdminStep,
  Admission,
  AdmissionEnd,
  BasePhase,
  ClaimRequest,
  ClaimResult,
  Contribution,
  Draw,
  DrawCommitment,
  DrawnEntry,
  DrawOutcome,
  DrawSettings,
  EndedLogin,
  HealthGate,
  InletSettings,
  InletType,
  JoinRange,
  KeyedNumber,
  KeyedRange,
  LinkClaim,
  LoadReport,
  MoveRule,
  Outcome,
  PlaceClaimed,
  PushSubscriptionAnswer,
  PushSubscriptionRequest,
  PushTakeRequest,
  RoomChanges,
  RoomMemory,
  RoomSettings,
  RoomSettingsPatch,
  RoomState,
  Schedule,
  SharedOutflow,
  StockSettings,
  TakenPushes,
  WithoutLine,
} from "../../src/store/contract/room-store.ts";
import type { Store } from "../../src/store/contract/store.ts";
import { withPatch } from "../support/room-settings.ts";
import { drandChain } from "./drand-chain.ts";
import type { StoreHarness } from "./harness.ts";

export const minute = 60_000;

export interface SettingsSketch {
  type?: InletType;
  limit?: number | null;
  maxActive?: number | null;
  startsAtMs?: number | null;
  endsAtMs?: number | null;
  shared?: SharedOutflow | null;
  gate?: HealthGate | null;
  /** Of the type `adaptive`. */
  adaptive?: Partial<InletSettings>;
  schedule?: Partial<Schedule>;
  whenIdle?: WithoutLine;
  whenEnded?: WithoutLine;
  maxWaiting?: number | null;
  stock?: StockSettings | undefined;
  durationMs?: number;
  maxDurationMs?: number | null;
  /** Addresses per admission. */
  addresses?: number | undefined;
  claimWithinMs?: number;
  firstVisitWithinMs?: number | undefined;
  logins?: number;
  draw?: DrawSettings;
  logRows?: number | undefined;
  push?: boolean;
  moves?: MoveRule;
}

export function settings(sketch: SettingsSketch = {}): RoomSettings {
  return {
    title: "A room",
    message: null,
    inlet: {
      type: sketch.type ?? "manual",
      outflowPerMinute: sketch.limit ?? null,
      maxActive: sketch.maxActive ?? null,
      startsAtMs: sketch.startsAtMs ?? null,
      endsAtMs: sketch.endsAtMs ?? null,
      sharedOutflow: sketch.shared ?? null,
      gate: sketch.gate ?? null,
      ...sketch.adaptive,
    },
    schedule: { prequeueAtMs: null, opensAtMs: null, endsAtMs: null, ...sketch.schedule },
    whenIdle: sketch.whenIdle ?? "page",
    whenEnded: sketch.whenEnded ?? "page",
    maxWaiting: sketch.maxWaiting ?? null,
    ...(sketch.stock !== undefined && { stock: sketch.stock }),
    draw: sketch.draw ?? { order: "arrival", beacon: "none" },
    admission: {
      durationMs: sketch.durationMs ?? 20 * minute,
      maxDurationMs: sketch.maxDurationMs ?? null,
      claimWithinMs: sketch.claimWithinMs ?? 15 * minute,
      loginsPerAdmission: sketch.logins ?? 20,
      ...(sketch.addresses !== undefined && { addressesPerAdmission: sketch.addresses }),
      ...(sketch.firstVisitWithinMs !== undefined && { firstVisitWithinMs: sketch.firstVisitWithinMs }),
    },
    logRowsMax: sketch.logRows ?? 100_000,
    ...(sketch.push !== undefined && { push: sketch.push }),
    ...(sketch.moves !== undefined && { moves: sketch.moves }),
    waitingStatus: 200,
    joinsPerAddress: null,
  };
}

export function okValue<T>(outcome: Outcome<T>): T {
  if (outcome.result !== "ok") throw new Error(`the store answered ${JSON.stringify(outcome)}`);
  return outcome.value;
}

/** What the store has of one visitor. */
export async function admissionOf({ rooms, room }: Pick<RoomDriver, "rooms" | "room">, sub: string) {
  const [admission = null] = await rooms.admissions(room, [sub]);
  return admission;
}

export interface Place {
  sub: string;
  edition: number;
  position: number;
  joinedMs: number;
  entry?: DrawnEntry | null;
}

/** Drives one room as one process would: keeps the incarnation, and the last state and admissions it saw. */
export class RoomDriver {
  incarnation: string | null = null;
  cursor = 0;
  requests = 0;
  readonly harness: StoreHarness;
  readonly room: string;
  readonly store: Store;
  readonly file: RoomSettings;

  constructor(harness: StoreHarness, room: string, file: RoomSettings, store: Store = harness.store) {
    this.harness = harness;
    this.room = room;
    this.file = file;
    this.store = store;
  }

  get rooms() {
    return this.store.rooms;
  }

  async contribute(part: Partial<Contribution> = {}) {
    const answer = await this.rooms.contribute({
      room: this.room,
      fileSettings: this.file,
      memory: null,
      isNewRoom: false,
      ...part,
    });
    this.incarnation = answer.incarnation;
    return { ...answer, recovering: answer.remainingMs > 0 };
  }

  /** Opens the room as a new one; in a shared store that takes the time of a recovery. */
  async open(): Promise<this> {
    const { recovering, remainingMs } = await this.contribute({ isNewRoom: true });
    if (!recovering) return this;
    await this.harness.advance(remainingMs);
    await this.contribute();
    return this;
  }

  async join(count = 1): Promise<JoinRange> {
    return okValue(await this.rooms.join(this.room, this.incarnation, count));
  }

  /** Gives keys their places. @param names of each key, without their ends; the first is the one of the newest ticket key */
  async joinKeys(
    keys: readonly (string | readonly string[])[],
    place: PlaceClaimed | null = null,
  ): Promise<KeyedRange> {
    const asked = keys.map((names) => ({ names: [names].flat().map(keyName), place }));
    const request = { prefix: `${this.room}.`, keys: asked };
    return okValue(await this.rooms.joinKeys(this.room, this.incarnation, request));
  }

  /** The place of one key, as its visitor holds it. */
  async keyed(...names: string[]): Promise<Place> {
    const { edition, places } = await this.joinKeys([names]);
    const [{ name, number, joinedMs } = { name: "", number: 0, joinedMs: 0 }] = places;
    return { sub: `${this.room}.${name}`, edition, position: number, joinedMs };
  }

  /** A claim of a visitor with a key. */
  claimKeyed(place: Place, part: Partial<ClaimRequest> = {}): Promise<ClaimResult> {
    return this.claim(place, { key: place.sub.slice(-22), ...part });
  }

  /** All keys with a place. */
  async keys(after = 0, limit = 2_000): Promise<readonly KeyedNumber[]> {
    return okValue(await this.rooms.listKeys(this.room, this.incarnation, after, limit)).keys;
  }

  /** The places 1…n, each of a visitor of its own. */
  async places(count: number): Promise<Place[]> {
    const range = await this.join(count);
    return Array.from({ length: count }, (_, i) => this.place(range, range.first + i));
  }

  place(range: { edition: number; joinedMs: number }, position: number): Place {
    return { sub: `sub-${range.edition}-${position}`, edition: range.edition, position, joinedMs: range.joinedMs };
  }

  async claim(place: Place, part: Partial<ClaimRequest> = {}): Promise<ClaimResult> {
    const [result] = await this.claimAll([{ ...place, ...part }]);
    return result as ClaimResult;
  }

  /** In one operation. */
  async claimAll(places: readonly (Place & Partial<ClaimRequest>)[]): Promise<readonly ClaimResult[]> {
    const nothing = { login: null, address: null, proof: null, bypass: null };
    const claims = places.map((place) => ({ ...nothing, ...place }));
    return okValue(await this.rooms.claim(this.room, this.incarnation, claims));
  }

  async admit(place: Place, part: Partial<ClaimRequest> = {}): Promise<Admission> {
    const answer = await this.claim(place, part);
    if (answer.result !== "admitted") throw new Error(`the claim was answered ${JSON.stringify(answer)}`);
    return answer.admission;
  }

  async step(step: AdminStep, requestId: string | null = `request-${++this.requests}`) {
    return okValue(await this.rooms.adminStep(this.room, this.incarnation, step, requestId));
  }

  async repeatedStep(step: AdminStep, requestId: string) {
    return okValue(await this.rooms.repeatedStep(this.room, this.incarnation, step, requestId));
  }

  async serve(by: number): Promise<void> {
    await this.step({ step: "increment", by });
  }

  async phase(phase: BasePhase): Promise<void> {
    await this.step({ step: "phase", phase });
  }

  /** Carries a place to another visitor. */
  async move(from: Place, to: string, link: LinkClaim): Promise<"moved" | "void"> {
    const { sub, ...place } = from;
    const moved = okValue(await this.rooms.move(this.room, this.incarnation, { ...place, from: sub, to, link }));
    if (moved !== null && (moved.number !== (from.entry?.number ?? from.position) || moved.sub !== to))
      throw new Error("another was moved");
    return moved === null ? "void" : "moved";
  }

  /** Commits to the seed of a draw: by default of the first one of the edition. */
  async commit(part: Partial<DrawCommitment> = {}): Promise<void> {
    const { edition } = await this.state();
    const commitment = { edition, id: 1, keyId: "key-1", commitment: "commitment-1", chain: drandChain("a"), ...part };
    okValue(await this.rooms.commitDraw(this.room, this.incarnation, commitment));
  }

  async fix(part: Partial<DrawOutcome> = {}): Promise<boolean> {
    const { edition } = await this.state();
    const outcome = { edition, id: 1, seed: "seed-1", beacon: null, ...part };
    return okValue(await this.rooms.fixDraw(this.room, this.incarnation, outcome));
  }

  /** The draw of this id as it is reported. */
  async draw(id = 1): Promise<Draw | undefined> {
    return (await this.state()).draws.find((draw) => draw.id === id);
  }

  async leave(place: Place): Promise<void> {
    okValue(await this.rooms.leave(this.room, this.incarnation, place));
  }

  async end(sub: string, end: AdmissionEnd = "logout"): Promise<Admission | null> {
    return okValue(await this.rooms.endAdmission(this.room, this.incarnation, sub, end));
  }

  /** Takes the logins whose clients are to be notified of the end. @param done ids of those that were notified since */
  async takeEnded(done: readonly string[] = [], limit = 100): Promise<EndedLogin[]> {
    return okValue(await this.rooms.takeEndedLogins(this.room, this.incarnation, done, limit));
  }

  async subscribe(place: Place, part: Partial<PushSubscriptionRequest> = {}): Promise<PushSubscriptionAnswer> {
    const request = { ...place, nearThrough: 0, text: `to ${place.sub}`, ...part };
    return okValue(await this.rooms.keepPush(this.room, this.incarnation, request));
  }

  async unsubscribe(sub: string): Promise<void> {
    okValue(await this.rooms.dropPush(this.room, this.incarnation, sub));
  }

  /** Takes the notifications that are due. */
  async takePushes(part: Partial<PushTakeRequest> = {}): Promise<TakenPushes> {
    const request = { settled: [], placed: [], nearThrough: 0, limit: 100, ...part };
    return okValue(await this.rooms.takePushes(this.room, this.incarnation, request));
  }

  async renew(sub: string): Promise<Admission | null> {
    return okValue(await this.rooms.renewAdmission(this.room, this.incarnation, sub));
  }

  async visit(sub: string): Promise<Admission | null> {
    return okValue(await this.rooms.recordVisit(this.room, this.incarnation, sub));
  }

  /** Answers whether the login was taken now. */
  async take(sub: string, login: string): Promise<boolean> {
    return okValue(await this.rooms.takeLogin(this.room, this.incarnation, sub, login)) !== null;
  }

  async report(isHealthy: boolean, times = 1, tookMs = 20): Promise<void> {
    const latencyMs = isHealthy ? tookMs : null;
    for (let i = 0; i < times; i++) okValue(await this.rooms.reportHealth(this.room, this.incarnation, latencyMs));
  }

  async load(report: LoadReport): Promise<void> {
    okValue(await this.rooms.reportLoad(this.room, this.incarnation, report));
  }

  /** What the site says of its load. */
  async reportSite(part: { latencyMs?: number; errorRate?: number; signal?: "on" | "off" }): Promise<void> {
    await this.load({ source: "site", latencyMs: null, errorRate: null, signal: null, ...part });
  }

  /** Replaces the live changes, as an operator does. */
  async change(live: RoomSettingsPatch): Promise<void> {
    const { settings: stored, version } = await this.state();
    const { file } = stored;
    const effective = withPatch(file, live);
    const answer = await this.rooms.changeSettings(this.room, this.incarnation, live, effective, version);
    if (okValue(answer) === null) throw new Error("the version has changed");
  }

  async tick(): Promise<RoomChanges> {
    const changes = okValue(await this.rooms.tick(this.room, this.incarnation, this.cursor));
    this.cursor = changes.cursor;
    return changes;
  }

  async state(): Promise<RoomState> {
    return (await this.tick()).state;
  }

  /** Lets time pass in ticks of a second, or of up to five: more would be a clock step. */
  async pass(ms: number, stepMs = 1_000): Promise<void> {
    for (let left = ms; left > 0; left -= stepMs) {
      await this.harness.advance(Math.min(stepMs, left));
      // Nobody reads what has changed.
      await this.rooms.tick(this.room, this.incarnation, this.cursor);
    }
  }

  /** What this process remembers of the room. */
  async memory(part: Partial<RoomMemory> = {}): Promise<RoomMemory> {
    const { state, admissions, moves } = okValue(await this.rooms.tick(this.room, this.incarnation, 0));
    return { ...memoryOf(state), admissions, moves, keys: await this.keys(), ...part };
  }

  /** Moves the clock to a time, without a call to the store. */
  async waitUntil(ms: number): Promise<void> {
    await this.harness.advance(ms - this.harness.nowMs());
  }

  /** Contributes and lets recovery end. */
  async recover(memory: RoomMemory | null): Promise<void> {
    await this.contribute({ memory });
    await this.harness.advance(2_500);
    await this.contribute();
  }
}

/** As long as the name of a key is. */
export function keyName(name: string): string {
  return name.padEnd(22, "_");
}

/** As a process leaves a state in its checkpoints. */
export function memoryOf(state: RoomState): RoomMemory {
  return { ...stateMemoryOf(state), liveLapses: lapsesWithPending(state) };
}
