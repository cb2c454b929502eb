import type { KeyMaterial, SigningAlg } from "../../config/index.ts";
import type { Clock, Random } from "../../lib/clock-and-random.ts";
import { UsherError } from "../../lib/errors.ts";
import { repeat } from "../../lib/repeat.ts";
import type { KeyPurpose, KeySource, RegisteredKey, RegistryContent } from "../content.ts";
import type { Registry } from "../registry.ts";
import { generateKey, materialOf } from "./held-keys.ts";
import { activeIn, addKey, type KeyStep, type LifecycleTerms, slotOf, takeStep } from "./key-lifecycle.ts";
import { createKeyPool, type SourcePurpose } from "./key-pool.ts";
import {
  eventsOf,
  type KeyChangeBy,
  type KeyEvent,
  type KeyReport,
  keyFaults,
  keyReports,
  reportOf,
  withConfigured,
} from "./key-reports.ts";
import { selectKeys } from "./key-selection.ts";
import { keepUp, missingAlgs, rootFor, wrapAnew } from "./key-upkeep.ts";
import { wrapKey } from "./key-wrapping.ts";

/** The keys of one issuer as they are now; the first of each list signs (of `signing`, the first of each algorithm). */
export type IssuerKeys = Omit<ReturnType<typeof createIssuerKeys>, "replace">;

/** Keys that their owner changes. */
export function createIssuerKeys(initial: KeyMaterial) {
  let current = initial;
  const listeners: (() => void)[] = [];
  return {
    get current() {
      return current;
    },
    /** Called when they have become others, with these in force. */
    onChange: (listener: () => void) => void listeners.push(listener),
    replace(keys: KeyMaterial): void {
      current = keys;
      for (const listener of listeners) listener();
    },
  };
}

export type KeyKeeper = ReturnType<typeof createKeyKeeper>;

const tickMs = 1_000;

/** An issuer's keys with their life. `admin` is the id of an admin key. */
export function createKeyKeeper(options: {
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
}) {
  const { issuer, registry, clock, random, report } = options;
  const pool = createKeyPool(issuer, options.keys);
  const issuerKeys = createIssuerKeys(selected());
  /** Slots whose first key this process has just read. */
  const announced = new Set(pool.atSource.map(slotOf));
  const generated = new Map<SigningAlg, RegisteredKey>();
  const presence = { isAlone: !options.isShared, pool };
  let following: Promise<void> = Promise.resolve();
  let isTicking = false;
  let isStopped = false;
  let stopTicking: (() => void) | undefined;
  registry.onChange(() => void follow());

  return {
    get current() {
      return issuerKeys.current;
    },
    onChange: issuerKeys.onChange,

    /** In the order in which they came. */
    list: (): readonly KeyReport[] => keyReports(registry.content, pool, options.longestTokenMs()),

    /** @throws UsherError `conflict`, `store_unavailable` */
    async generate(purpose: KeyPurpose, alg: SigningAlg | null, admin: string): Promise<KeyReport> {
      await tick();
      await registry.refresh();
      const entry = await make(purpose, alg, "admin_api");
      await commit((content) => addKey(content, entry), { admin });
      return reportOf(entry, pool, options.longestTokenMs());
    },

    /** @throws UsherError `not_found`, `conflict`, `store_unavailable` */
    async step(step: KeyStep, kid: string, admin: string, force: boolean): Promise<KeyReport> {
      await registry.refresh();
      await follow();
      const change = (content: RegistryContent) => {
        const next = takeStep(withConfigured(content, pool, kid, clock.now()), step, kid, terms(), force);
        if (step === "promote" && !pool.has(kid)) throw notHere();
        return next;
      };
      await commit(change, { admin, ...(force && { forced: true }) });
      const key = registry.content.keys.find((candidate) => candidate.kid === kid);
      if (key === undefined) throw new UsherError("conflict", "this key was changed meanwhile; look again");
      return reportOf(key, pool, options.longestTokenMs());
    },

    /** The configuration has these now, the first of which is to sign. Never empty. */
    setSource(purpose: SourcePurpose, texts: readonly string[]): void {
      pool.setSource(purpose, texts);
      for (const key of pool.atSource) {
        const isRead = key.purpose === purpose || (purpose === "tickets" && key.purpose === "draw");
        if (isRead) announced.add(slotOf(key));
      }
      void follow();
    },

    tick,
    /** Keys that this process should have and does not: one sentence each. */
    faults: (suffix: string): readonly string[] => keyFaults(registry.content, pool, suffix),

    /** The first `tick` is over when this answers. */
    async start(): Promise<void> {
      isStopped = false;
      await tick();
      // What is made for clients is wrapped with a key that the first round enters.
      if (missingAlgs(registry.content, options.wantedAlgs(), presence).length > 0) await tick();
      if (!isStopped) stopTicking = repeat(tickMs, () => tick().then(() => tickMs));
    },
    stop() {
      isStopped = true;
      stopTicking?.();
    },
  };

  function selected(): KeyMaterial {
    return materialOf(selectKeys(registry.content, pool.all));
  }

  /** Goes by what the registry and the configuration say now. One after the other, so that the last word counts. */
  function follow(): Promise<void> {
    following = following.then(async () => {
      try {
        await pool.follow(registry.content);
        const next = selected();
        if (idsOf(next) !== idsOf(issuerKeys.current)) issuerKeys.replace(next);
      } catch (error) {
        report({ event: "key.upkeep_failed", err: error });
      }
    });
    return following;
  }

  /** Does what is due, once. Never throws: what could not be done is tried again. */
  async function tick(): Promise<void> {
    if (isTicking) return;
    isTicking = true;
    // What is read meanwhile is for the next round.
    const reported = new Set(announced);
    announced.clear();
    try {
      if (reported.size > 0) await registry.refresh();
      await follow();
      const { content } = registry;
      for (const alg of missingAlgs(content, options.wantedAlgs(), presence)) {
        if (!generated.has(alg) && rootFor(content, pool, clock.now()) !== undefined) {
          const entry = await make("signing", alg, "automatic");
          generated.set(alg, { ...entry, state: "staged", since: { staged: clock.now() } });
        }
      }
      const rewrapped = await wrapAnew(content, pool, issuer, clock.now());
      const upkeep = { ...presence, announced: reported, generated: [...generated.values()], rewrapped };
      const change = (latest: RegistryContent) => keepUp(latest, { ...upkeep, terms: terms() });
      if (change(content) !== content) await commit(change, {});
      for (const slot of reported) {
        const active = activeIn(registry.content, slot);
        if (active !== undefined && pool.has(active.kid)) reported.delete(slot);
      }
      if (missingAlgs(registry.content, generated.keys(), presence).length === 0) generated.clear();
    } catch (error) {
      // A store that is away, or one that settles, is asked again.
      if (!(error instanceof UsherError) && !isStopped) report({ event: "key.upkeep_failed", err: error });
    } finally {
      for (const slot of reported) announced.add(slot);
      isTicking = false;
    }
  }

  async function make(purpose: KeyPurpose, alg: SigningAlg | null, source: KeySource): Promise<RegisteredKey> {
    const root = rootFor(registry.content, pool, clock.now());
    if (root === undefined) throw notHere();
    const { key, text } = await generateKey(purpose, alg ?? "RS256", random);
    const wrapped = await wrapKey(root, issuer, key, text);
    return { kid: key.kid, purpose, alg: key.alg, source, state: "new", since: { new: clock.now() }, wrapped };
  }

  /** @throws what `change` throws, and UsherError as `Registry.update` */
  async function commit(change: (content: RegistryContent) => RegistryContent, by: KeyChangeBy): Promise<void> {
    let events: readonly KeyEvent[] = [];
    await registry.update((content) => {
      const next = change(content);
      events = eventsOf(content, next, by);
      return next;
    });
    for (const event of events) report(event);
    await follow();
  }

  function terms(): LifecycleTerms {
    return { nowMs: clock.now(), longestTokenMs: options.longestTokenMs() };
  }
}

/** Alike for the same keys in the same order. */
function idsOf({ signing, tickets, cookies, draw }: KeyMaterial): string {
  return JSON.stringify([...[signing, tickets, draw].map((list) => list.map(({ kid }) => kid)), cookies]);
}

function notHere(): UsherError {
  const message =
    "this process does not have the keys that the others have (GET /readyz says which): ask another one, or give it their secrets file";
  return new UsherError("conflict", message);
}
