import type { KeyMaterial, SigningAlg } from "../../config/index.ts";
import type { Clock } from "../../lib/clock.ts";
import { UsherError } from "../../lib/errors.ts";
import type { Random } from "../../lib/random.ts";
import type { KeyPurpose, KeySource, RegisteredKey, RegistryContent } from "../content.ts";
import type { Registry } from "../registry.ts";
import { idsOf, makeHeldKey, materialOf } from "./held-keys.ts";
import { createIssuerKeys, type IssuerKeys } from "./issuer-keys.ts";
import { commitKeys, type KeyChange, type KeyEvent } from "./key-commit.ts";
import { nameOnly } from "./key-enrolment.ts";
import { activeIn, addKey, type KeyStep, type LifecycleTerms, slotOf, takeStep } from "./key-lifecycle.ts";
import { createKeyPool, type SourcePurpose } from "./key-pool.ts";
import { type KeyReport, keyFaults, keyReports, reportOf, withOwn } from "./key-reports.ts";
import { selectKeys } from "./key-selection.ts";
import { keepUp, missingAlgs, rootFor, type Upkeep, wrapAnew } from "./key-upkeep.ts";
import { wrapKey } from "./key-wrapping.ts";

export interface KeyKeeperOptions {
  readonly issuer: string;
  /** As configured, or kept in the secrets file. */
  readonly keys: KeyMaterial;
  readonly registry: Registry;
  /** Whether other processes may go by the same registry. */
  readonly isShared: boolean;
  /** The algorithms that the clients of the issuer want. */
  readonly wantedAlgs: () => Iterable<SigningAlg>;
  /** How long the longest-lived signed token of the issuer is good for. */
  readonly longestTokenMs: () => number;
  readonly clock: Clock;
  readonly random: Random;
  readonly report: (event: KeyEvent) => void;
}

/** An issuer's keys with their life. `admin` is the id of an admin key. */
export interface KeyKeeper extends IssuerKeys {
  /** In the order in which they came. */
  list(): readonly KeyReport[];
  /** @throws UsherError `conflict`, `store_unavailable` */
  generate(purpose: KeyPurpose, alg: SigningAlg | null, admin: string): Promise<KeyReport>;
  /** @throws UsherError `not_found`, `conflict`, `store_unavailable` */
  step(step: KeyStep, kid: string, admin: string, force: boolean): Promise<KeyReport>;
  /** The configuration has these now, the first of which is to sign. Never empty. */
  setSource(purpose: SourcePurpose, texts: readonly string[]): void;
  /** Does what is due, once. Never throws: what could not be done is tried again. */
  tick(): Promise<void>;
  /** Keys that this process should have and does not: one sentence each. */
  faults(suffix: string): readonly string[];
  /** The first `tick` is over when this answers. */
  start(): Promise<void>;
  stop(): void;
}

const tickMs = 1_000;

export function createKeyKeeper(options: KeyKeeperOptions): KeyKeeper {
  const { issuer, registry, clock, random, report } = options;
  const pool = createKeyPool(issuer, options.keys);
  const kept = createIssuerKeys(material(options.keys));
  /** Slots whose first key this process has just read, and which reading that was. */
  const announced = new Map(pool.atSource.map((key) => [slotOf(key), 0]));
  let readings = 0;
  const made = new Map<SigningAlg, RegisteredKey>();
  const presence = { isAlone: !options.isShared, isHeld: pool.has };
  let following: Promise<void> = Promise.resolve();
  let isTicking = false;
  let isStopped = false;
  let timer: NodeJS.Timeout | undefined;
  registry.onChange(() => void follow());

  return {
    get current() {
      return kept.current;
    },
    onChange: kept.onChange,

    list: () => keyReports(registry.content, pool, options.longestTokenMs()),

    async generate(purpose, alg, admin) {
      await tick();
      await registry.refresh();
      const entry = await make(purpose, alg, "admin_api");
      await commit({ change: (content) => addKey(content, entry), admin });
      return reportOf(entry, pool, options.longestTokenMs());
    },

    async step(step, kid, admin, force) {
      await registry.refresh();
      await follow();
      await commit({
        change: (content) => {
          const known = withOwn(content, pool, kid, clock.now());
          const next = takeStep(known, step, kid, terms(), force);
          if (step === "promote" && !pool.has(kid)) throw notHere();
          return next;
        },
        admin,
        isForced: force,
      });
      const key = registry.content.keys.find((candidate) => candidate.kid === kid);
      if (key === undefined)
        throw new UsherError("conflict", "this key was changed meanwhile; look again", { status: 409 });
      return reportOf(key, pool, options.longestTokenMs());
    },

    setSource(purpose, texts) {
      pool.setSource(purpose, texts);
      readings++;
      for (const key of pool.atSource) {
        const isRead = key.purpose === purpose || (purpose === "tickets" && key.purpose === "draw");
        if (isRead) announced.set(slotOf(key), readings);
      }
      void follow();
    },

    tick,
    faults: (suffix) => keyFaults(registry.content, pool, suffix),

    async start() {
      isStopped = false;
      await tick();
      // What is made for clients is wrapped with a key that the first round enters.
      if (missingAlgs(registry.content, options.wantedAlgs(), presence).length > 0) await tick();
      schedule();
    },
    stop() {
      isStopped = true;
      clearTimeout(timer);
    },
  };

  function material(base: KeyMaterial): KeyMaterial {
    return materialOf(selectKeys(registry.content, pool.all), base.madeNow);
  }

  /** Goes by what the registry and the configuration say now. One after the other, so that the last word counts. */
  function follow(): Promise<void> {
    following = following.then(async () => {
      try {
        await pool.follow(registry.content);
        const next = material(options.keys);
        if (idsOf(next) !== idsOf(kept.current)) kept.replace(next);
      } catch (error) {
        report({ event: "key.upkeep_failed", error });
      }
    });
    return following;
  }

  async function tick(): Promise<void> {
    if (isTicking) return;
    isTicking = true;
    try {
      if (announced.size > 0) await registry.refresh();
      await follow();
      const { content } = registry;
      for (const alg of missingAlgs(content, options.wantedAlgs(), presence)) {
        if (!made.has(alg) && rootFor(content, pool, clock.now()) !== null) {
          const entry = await make("signing", alg, "automatic");
          made.set(alg, { ...entry, state: "staged", since: { staged: clock.now() } });
        }
      }
      const upkeep = { made: [...made.values()], rewrapped: await wrapAnew(content, pool, issuer, clock.now()) };
      const reported = new Map(announced);
      const change = (latest: RegistryContent) => keepUp(latest, upkeepOf({ ...upkeep, reported }));
      if (change(content) !== content) await commit({ change, admin: null });
      for (const [slot, reading] of reported) {
        const active = activeIn(registry.content, slot);
        const isDone = active !== undefined && pool.has(active.kid);
        if (isDone && announced.get(slot) === reading) announced.delete(slot);
      }
      if (missingAlgs(registry.content, made.keys(), presence).length === 0) made.clear();
    } catch (error) {
      // A store that is away, or one that settles, is asked again.
      if (!(error instanceof UsherError) && !isStopped) report({ event: "key.upkeep_failed", error });
    } finally {
      isTicking = false;
    }
  }

  function upkeepOf({
    reported,
    ...parts
  }: Pick<Upkeep, "made" | "rewrapped"> & { reported: Map<string, number> }): Upkeep {
    const enrolment = { ...presence, atSource: pool.atSource, announced: new Set(reported.keys()), terms: terms() };
    return { ...parts, enrolment, isAtSource: pool.isAtSource };
  }

  async function make(purpose: KeyPurpose, alg: SigningAlg | null, source: KeySource): Promise<RegisteredKey> {
    const root = rootFor(registry.content, pool, clock.now());
    if (root === null) throw notHere();
    const { key, text } = await makeHeldKey(purpose, alg ?? "RS256", random);
    const wrapped = await wrapKey(root, issuer, key, text);
    return { ...nameOnly(key), source, state: "new", since: { new: clock.now() }, wrapped };
  }

  async function commit(change: KeyChange): Promise<void> {
    await commitKeys(registry, report, change);
    await follow();
  }

  function terms(): LifecycleTerms {
    return { nowMs: clock.now(), longestTokenMs: options.longestTokenMs() };
  }

  function schedule(): void {
    timer = setTimeout(async () => {
      await tick();
      if (!isStopped) schedule();
    }, tickMs);
    timer.unref();
  }
}

function notHere(): UsherError {
  const message =
    "this process does not have the keys that the others have (GET /readyz says which): ask another one, or give it their secrets file";
  return new UsherError("conflict", message, { status: 409 });
}
