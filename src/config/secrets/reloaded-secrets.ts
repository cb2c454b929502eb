/**
 * Reloads secrets while the program runs: each reference is read again as its source requires, its value goes through
 * the checks of the start, and its users are notified of the change. Values that cannot be read or used leave the last
 * ones in force, and the failure is reported. The store's URL is not reloaded. Made by load.ts; started and stopped by app.ts.
 */
import type { Clock } from "../../lib/clock-and-random.ts";
import { type After, repeat } from "../../lib/repeat.ts";
import { type RotatedSecret, superseded, unexpired } from "../../lib/secret-rotation.ts";
import { formatPath, valueAt } from "../raw-document.ts";
import { formatDuration } from "../schema/times.ts";
import type { SettingsPart } from "../settings-part.ts";
import {
  emptyListFault,
  type ResolvedPlace,
  resolvePlace,
  type ValuesByPlace,
  valuesOfGroup,
  watchSecret,
} from "./resolve-secrets.ts";
import { type KeyPurpose, type SecretGroup, secretGroups } from "./secret-places.ts";
import type { OriginWatch, ReloadContext, SecretPlace } from "./secret-source.ts";

export type ReloadedSecrets = ReturnType<typeof createReloadedSecrets>;

/** Secrets from files and from AWS Secrets Manager, reloaded while the program runs. Where there are none it does nothing. */
export function createReloadedSecrets(options: {
  readonly raw: unknown;
  readonly parts: readonly SettingsPart[];
  /** As they were at the start. */
  readonly values: ValuesByPlace;
  /** By the index of the issuer in the document. */
  readonly issuers: readonly { readonly issuer: string }[];
  readonly context: ReloadContext;
  readonly clock: Clock;
  readonly after?: After | undefined;
}) {
  const { raw, parts, context, after } = options;
  const groups = secretGroups(raw, parts);
  /** By the key of the part. */
  const followers = new Map<string, (name: string, secrets: readonly string[]) => void>();
  const origins = originsOf(raw, groups, context);
  if (origins.every(({ watch }) => watch.holdsOneValue)) context.secretsManager.close();

  let stops: readonly (() => Promise<void>)[] = [];
  let values: ReloadedValues | undefined;
  let isStopped = false;

  /** @returns after how many milliseconds to look again */
  async function look({ watch, places }: Origin, into: ReloadedValues): Promise<number> {
    const { nextMs, fault } = await watch.look(async () => {
      for (const { place, group } of places) {
        const resolved = await resolvePlace(raw, place, context);
        const keepsOlder = watch.holdsOneValue && place.versions === "accepted";
        if (!isStopped) into.take(group, place, resolved, keepsOlder);
      }
    });
    if (isStopped) return nextMs;
    into.setFault(watch.name, formatPath(places[0]?.place.path ?? []), fault);
    into.expire();
    return nextMs;
  }

  return {
    /**
     * Calls `take` with the secrets of a part that have changed, by the name that the part gave them; the newest first, each still
     * used. To be called before `start`.
     */
    follow(part: SettingsPart, take: (name: string, secrets: readonly string[]) => void): void {
      followers.set(part.key, take);
    },
    /** Looks from now on. Both are called between other work, never from within `start`. */
    start(
      listener: (change: Exclude<SecretChange, { readonly kind: "part" }>) => void,
      report: (report: SecretReport) => void = () => undefined,
    ): void {
      const notify = (change: SecretChange) =>
        change.kind === "part" ? followers.get(change.part.key)?.(change.name, change.secrets) : listener(change);
      const into = createReloadedValues({ ...options, groups, listener: notify, report });
      values = into;
      stops = origins.map((origin) => repeat(origin.watch.firstMs, () => look(origin, into), after));
    },
    /** Ends what is under way; nothing is called afterwards. */
    async stop(): Promise<void> {
      isStopped = true;
      context.secretsManager.close();
      await Promise.all(stops.map((stop) => stop()));
    },
    /** Sources that fail now, one sentence each; the last values stay in force. */
    faults: (): readonly string[] => values?.faults() ?? [],
  };
}

interface Origin {
  readonly watch: OriginWatch;
  readonly places: { readonly place: SecretPlace; readonly group: SecretGroup }[];
}

/** Each file, and each secret of a service, with the places that it is for. */
function originsOf(raw: unknown, groups: readonly SecretGroup[], context: ReloadContext): Origin[] {
  const found = new Map<string, Origin>();
  for (const group of groups) {
    for (const place of group.places) {
      const watch = watchSecret(valueAt(raw, place.path), context);
      if (watch === undefined) continue;
      const origin = found.get(watch.name) ?? { watch, places: [] };
      origin.places.push({ place, group });
      found.set(watch.name, origin);
    }
  }
  return [...found.values()];
}

/** How long a client secret that a file held before is accepted: the relying party changes at another moment. */
const OUTGOING_MS = 3_600_000;
/** Those that a file held one after the other within that time. */
const OUTGOING_MAX = 4;

export type SecretChange =
  | {
      readonly kind: "client_secret";
      readonly clientId: string;
      /** The newest first; all are accepted. */
      readonly secrets: readonly string[];
    }
  | {
      /** Secrets that a feature follows. */
      readonly kind: "part";
      readonly part: SettingsPart;
      /** As the part calls them. */
      readonly name: string;
      /** The newest first; each is still used. */
      readonly secrets: readonly string[];
    }
  | {
      readonly kind: "keys";
      readonly issuer: string;
      readonly purpose: KeyPurpose;
      /** The whole list of that issuer and purpose, never empty; the first wishes to sign. */
      readonly keys: readonly string[];
    };

/** For the log. Never contains a secret. */
export interface SecretReport {
  /** `failed` is reported once when a failure begins, `restored` once when it is over. */
  readonly event: "secrets.failed" | "secrets.restored" | "secrets.changed";
  /** As `clients[0].client_secret`, or `keys.tickets`. */
  readonly place: string;
  readonly message: string;
}

interface ReloadedValuesOptions {
  readonly groups: readonly SecretGroup[];
  /** By the index of the issuer. */
  readonly issuers: readonly { readonly issuer: string }[];
  readonly values: ValuesByPlace;
  readonly clock: Clock;
  readonly listener: (change: SecretChange) => void;
  readonly report: (report: SecretReport) => void;
}

interface InForce {
  readonly read: readonly string[];
  /** Replaced, and accepted for a while. */
  readonly older: readonly (RotatedSecret & { readonly value: string })[];
}

export type ReloadedValues = ReturnType<typeof createReloadedValues>;

export function createReloadedValues(options: ReloadedValuesOptions) {
  const { groups, values, clock, listener, report } = options;
  const inForce = new Map<string, InForce>([...values].map(([where, read]) => [where, { read, older: [] }]));
  const reported = new Map(groups.map((group) => [group, valuesOfGroup(group, values).join("\0")]));
  const failing = new Map<string, string>();

  /** A group's values with these at one of its places. */
  function listWith(group: SecretGroup, where: string, news: InForce): readonly string[] {
    const all = [...new Map(inForce).set(where, news)];
    return valuesOfGroup(
      group,
      new Map(all.map(([at, { read, older }]) => [at, [...read, ...older.map(({ value }) => value)]])),
    );
  }

  function keep(group: SecretGroup, where: string, news: InForce, warnings: readonly string[]): void {
    const list = listWith(group, where, news);
    inForce.set(where, news);
    if (reported.get(group) === list.join("\0")) return;
    reported.set(group, list.join("\0"));
    listener(changeOf(group, list, options));
    const message = [describeList(group, list, news.older), ...warnings].join("; ");
    report({ event: "secrets.changed", place: where, message });
  }

  function olderThan(where: string, read: readonly string[]): InForce["older"] {
    const before = inForce.get(where) ?? { read: [], older: [] };
    const all = [...before.read.map((value) => ({ value, expires_ms: null })), ...before.older];
    return superseded(all, clock.now(), OUTGOING_MS)
      .filter(({ value }) => !read.includes(value))
      .slice(0, OUTGOING_MAX);
  }

  /**
   * @param key names the failure
   * @param place where it is reported: once when it begins, and once when it is over (`message` null)
   */
  function setFault(key: string, place: string, message: string | null): void {
    const wasFailing = failing.delete(key);
    if (message !== null) failing.set(key, `${place}: ${message}`);
    if (message !== null && !wasFailing) {
      report({ event: "secrets.failed", place, message: `${message}; the last values stay in force` });
    } else if (message === null && wasFailing) {
      report({ event: "secrets.restored", place, message: "can be read and used again" });
    }
  }

  return {
    /**
     * Takes what was read for a place of a group, or leaves what is in force where it cannot be used.
     *
     * @param keepsOlder whether a value that is replaced is accepted for a while
     */
    take(group: SecretGroup, { path }: SecretPlace, resolved: ResolvedPlace, keepsOlder: boolean): void {
      const { values: read, fault: sourceFault, leftOut, warnings } = resolved;
      const where = formatPath(path);
      const news = { read, older: keepsOlder ? olderThan(where, read) : [] };
      const fault = sourceFault ?? emptyListFault(group, listWith(group, where, news));
      setFault(where, where, fault);
      // Of a version that is to come; the others are fine.
      setFault(`${where} next`, where, fault === null ? (leftOut[0] ?? null) : null);
      if (fault === null) keep(group, where, news, warnings);
    },
    /** Ends those that were accepted for a while. */
    expire(): void {
      const nowMs = clock.now();
      for (const group of groups) {
        for (const where of group.places.map(({ path }) => formatPath(path))) {
          const { read, older } = inForce.get(where) ?? { read: [], older: [] };
          const left = unexpired(older, nowMs);
          if (left.length < older.length) keep(group, where, { read, older: left }, []);
        }
      }
    },
    setFault,
    faults: (): readonly string[] => [...failing.values()],
  };
}

function changeOf({ of }: SecretGroup, list: readonly string[], { issuers }: ReloadedValuesOptions): SecretChange {
  if (of.kind === "client") return { kind: "client_secret", clientId: of.clientId, secrets: list };
  if (of.kind === "part") return { ...of, secrets: list };
  return { kind: "keys", issuer: issuers[of.issuerIndex]?.issuer ?? "", purpose: of.purpose, keys: list };
}

function describeList(group: SecretGroup, list: readonly string[], older: InForce["older"]): string {
  const count = `${list.length} ${group.of.kind === "keys" ? "key" : "secret"}${list.length === 1 ? "" : "s"}`;
  const ending = older.length > 0 ? `; what the file held before is accepted for ${formatDuration(OUTGOING_MS)}` : "";
  return `has changed: ${count} ${list.length === 1 ? "is" : "are"} accepted now${ending}`;
}
