/** The values in force, and who is to hear when they change. */
import type { Clock } from "../../lib/clock.ts";
import { formatPath, type Path, valueAt } from "../resolve/raw-document.ts";
import { formatDuration } from "../schema/duration.ts";
import type { SecretGroup, SecretPlace } from "../secrets/secret-places.ts";
import { emptyListFault, type ResolvedPlace, type ValuesByPlace, valuesOfGroup } from "../secrets/secret-values.ts";
import type { FaultBoard } from "./fault-board.ts";
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
}

interface ReloadedValuesOptions {
  readonly raw: unknown;
  readonly groups: readonly SecretGroup[];
  /** By the index of the issuer. */
  readonly issuers: readonly { readonly issuer: string }[];
  readonly values: ValuesByPlace;
  readonly clock: Clock;
  readonly board: FaultBoard;
  readonly listener: (change: SecretChange) => void;
  readonly report: (report: SecretReport) => void;
}

interface Outgoing {
  readonly value: string;
  readonly untilMs: number;
}

export function createReloadedValues(options: ReloadedValuesOptions): ReloadedValues {
  const { raw, groups, issuers, clock, board, listener, report } = options;
  const values = new Map(options.values);
  const outgoing = new Map<string, readonly Outgoing[]>();
  const told = new Map(groups.map((group) => [group, valuesOfGroup(group, values).join("\0")]));

  /** What a group's values are with `read` at one of its places. */
  function listWith(group: SecretGroup, where: string, read: readonly string[], older: readonly Outgoing[]) {
    return valuesOfGroup(group, new Map(values).set(where, [...read, ...older.map(({ value }) => value)]));
  }

  function keep(
    where: string,
    group: SecretGroup,
    read: readonly string[],
    older: readonly Outgoing[],
    warnings: readonly string[] = [],
  ): void {
    const list = listWith(group, where, read, older);
    values.set(where, [...read, ...older.map(({ value }) => value)]);
    outgoing.set(where, older);
    const text = list.join("\0");
    if (told.get(group) === text) return;
    told.set(group, text);
    listener(changeOf(raw, group, list, issuers));
    report({
      event: "secrets.changed",
      place: where,
      message: [describeList(group, list, older), ...warnings].join("; "),
    });
  }

  function olderOnes(where: string, read: readonly string[], keepsOlder: boolean): readonly Outgoing[] {
    if (!keepsOlder) return [];
    const older = outgoing.get(where) ?? [];
    const untilMs = clock.now() + OUTGOING_MS;
    const inForce = (values.get(where) ?? []).filter((value) => !older.some((each) => each.value === value));
    return [...inForce.map((value) => ({ value, untilMs })), ...older]
      .filter(({ value }) => !read.includes(value))
      .slice(0, OUTGOING_MAX);
  }

  return {
    take(place, resolved, keepsOlder) {
      const where = formatPath(place.path);
      const group = groupOf(groups, place);
      const older = olderOnes(where, resolved.values, keepsOlder);
      const fault = resolved.fault ?? emptyListFault(group, listWith(group, where, resolved.values, older));
      board.set(where, where, fault);
      // Of a version that is to come; the others are fine.
      board.set(`${where} next`, where, fault === null ? (resolved.leftOut[0] ?? null) : null);
      if (fault === null) keep(where, group, resolved.values, older, resolved.warnings);
    },
    expire() {
      const nowMs = clock.now();
      for (const [where, older] of outgoing) {
        const left = older.filter(({ untilMs }) => untilMs > nowMs);
        const group = groups.find(({ places }) => places.some(({ path }) => formatPath(path) === where));
        if (left.length === older.length || group === undefined) continue;
        const ended = new Set(older.map(({ value }) => value));
        const read = (values.get(where) ?? []).filter((value) => !ended.has(value));
        keep(where, group, read, left);
      }
    },
  };
}

function groupOf(groups: readonly SecretGroup[], place: SecretPlace): SecretGroup {
  const group = groups.find(({ places }) => places.includes(place));
  if (group === undefined) throw new Error(`${formatPath(place.path)} belongs to no group`);
  return group;
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
