/** The values in force, the failures, and who is notified of changes. */
import type { Clock } from "../../lib/clock.ts";
import { formatPath, type Path, valueAt } from "../resolve/raw-document.ts";
import { formatDuration } from "../schema/duration.ts";
import type { SecretGroup, SecretPlace } from "../secrets/secret-places.ts";
import { emptyListFault, type ResolvedPlace, type ValuesByPlace, valuesOfGroup } from "../secrets/secret-values.ts";
import type { SecretChange, SecretReport } from "./reloaded-secrets.ts";

/** How long a client secret that a file held before is accepted: the relying party changes at another moment. */
const OUTGOING_MS = 3_600_000;
/** Those that a file held one after the other within that time. */
const OUTGOING_MAX = 4;

export interface ReloadedValues {
  /**
   * Takes what was read for a place, or leaves what is in force where it cannot be used.
   *
   * @param keepsOlder whether a value that is replaced is accepted for a while
   */
  take(place: SecretPlace, resolved: ResolvedPlace, keepsOlder: boolean): void;
  /** Ends those that were accepted for a while. */
  expire(): void;
  /**
   * `key` names the failure, `place` is where it is reported: once when it begins, and once when it is over (`message`
   * null).
   */
  setFault(key: string, place: string, message: string | null): void;
  faults(): readonly string[];
}

interface ReloadedValuesOptions {
  readonly raw: unknown;
  readonly groups: readonly SecretGroup[];
  /** By the index of the issuer. */
  readonly issuers: readonly { readonly issuer: string }[];
  readonly values: ValuesByPlace;
  readonly clock: Clock;
  readonly listener: (change: SecretChange) => void;
  readonly report: (report: SecretReport) => void;
}

interface Outgoing {
  readonly value: string;
  readonly untilMs: number;
}

interface InForce {
  readonly read: readonly string[];
  /** Replaced, and accepted for a while. */
  readonly older: readonly Outgoing[];
}

export function createReloadedValues(options: ReloadedValuesOptions): ReloadedValues {
  const { raw, groups, issuers, clock, listener, report } = options;
  const inForce = new Map<string, InForce>([...options.values].map(([where, read]) => [where, { read, older: [] }]));
  const groupAt = new Map(
    groups.flatMap((group) => group.places.map(({ path }) => [formatPath(path), group] as const)),
  );
  const reported = new Map(groups.map((group) => [group, valuesOfGroup(group, options.values).join("\0")]));
  const failing = new Map<string, string>();

  /** A group's values with these at one of its places. */
  function listWith(group: SecretGroup, where: string, news: InForce): readonly string[] {
    const all = [...new Map(inForce).set(where, news)];
    return valuesOfGroup(group, new Map(all.map(([at, { read, older }]) => [at, [...read, ...valuesOf(older)]])));
  }

  function keep(where: string, group: SecretGroup, news: InForce, warnings: readonly string[] = []): void {
    const list = listWith(group, where, news);
    inForce.set(where, news);
    if (reported.get(group) === list.join("\0")) return;
    reported.set(group, list.join("\0"));
    listener(changeOf(raw, group, list, issuers));
    const message = [describeList(group, list, news.older), ...warnings].join("; ");
    report({ event: "secrets.changed", place: where, message });
  }

  function olderThan(where: string, read: readonly string[]): readonly Outgoing[] {
    const before = inForce.get(where) ?? { read: [], older: [] };
    const untilMs = clock.now() + OUTGOING_MS;
    return [...before.read.map((value) => ({ value, untilMs })), ...before.older]
      .filter(({ value }) => !read.includes(value))
      .slice(0, OUTGOING_MAX);
  }

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
    take({ path }, { values: read, fault: own, leftOut, warnings }, keepsOlder) {
      const where = formatPath(path);
      const group = groupAt.get(where);
      if (group === undefined) throw new Error(`${where} belongs to no group`);
      const news = { read, older: keepsOlder ? olderThan(where, read) : [] };
      const fault = own ?? emptyListFault(group, listWith(group, where, news));
      setFault(where, where, fault);
      // Of a version that is to come; the others are fine.
      setFault(`${where} next`, where, fault === null ? (leftOut[0] ?? null) : null);
      if (fault === null) keep(where, group, news, warnings);
    },
    expire() {
      const nowMs = clock.now();
      for (const [where, { read, older }] of inForce) {
        const left = older.filter(({ untilMs }) => untilMs > nowMs);
        const group = groupAt.get(where);
        if (left.length < older.length && group !== undefined) keep(where, group, { read, older: left });
      }
    },
    setFault,
    faults: () => [...failing.values()],
  };
}

function valuesOf(outgoing: readonly Outgoing[]): string[] {
  return outgoing.map(({ value }) => value);
}

function changeOf(
  raw: unknown,
  group: SecretGroup,
  list: readonly string[],
  issuers: ReloadedValuesOptions["issuers"],
): SecretChange {
  if (group.kind === "client") {
    return { kind: "client_secret", clientId: textAt(raw, [...group.client, "client_id"]), secrets: list };
  }
  return { kind: "keys", issuer: issuers[group.issuerIndex]?.issuer ?? "", purpose: group.purpose, keys: list };
}

function textAt(raw: unknown, path: Path): string {
  const value = valueAt(raw, path);
  return typeof value === "string" ? value : "";
}

function describeList(group: SecretGroup, list: readonly string[], older: readonly Outgoing[]): string {
  const count = `${list.length} ${group.kind === "client" ? "secret" : "key"}${list.length === 1 ? "" : "s"}`;
  const ending = older.length > 0 ? `; what the file held before is accepted for ${formatDuration(OUTGOING_MS)}` : "";
  return `has changed: ${count} ${list.length === 1 ? "is" : "are"} accepted now${ending}`;
}
