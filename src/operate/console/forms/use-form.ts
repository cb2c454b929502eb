import { useMemo, useState } from "preact/hooks";
import type { Problem } from "../api/api.ts";
import { useConsole } from "../frame/console.ts";
import {
  type Change,
  changesIn,
  type Drafts,
  type Entry,
  faultsByField,
  faultsElsewhere,
  faultsOf,
  fingerprintOf,
  type Layers,
  overtaken,
  pathsOf,
} from "./draft.ts";
import type { Field } from "./field.ts";

/** A form that is being filled in. */
export interface Form<OfField extends Field = Field> {
  readonly drafts: Drafts;
  readonly changes: readonly Change<OfField>[];
  /** Whether a field cannot be read. */
  readonly isFaulty: boolean;
  /** By path of a field: why it cannot be read, and what the gateway said of it. */
  readonly faults: ReadonlyMap<string, readonly string[]>;
  /** What somebody else has changed since it was written here. */
  readonly overtaken: readonly Entry<OfField>[];
  /** Why the gateway refused the form, where not all of that stands at its fields. */
  readonly refusal: Problem | null;
  /** @param text null gives the value back, or takes it out */
  write(entry: Entry<OfField>, path: string, text: string | null): void;
  /** Leaves an entry as it is in force. */
  discard(entry: Entry<OfField>): void;
  discardAll(): void;
  /** Goes on with what was written, over what somebody else has changed meanwhile. */
  keepMine(entry: Entry<OfField>): void;
  /** Shows what the gateway said; null takes that away. @param aliases the gateway's names of fields, where the form has others */
  refuse(problem: Problem | null, aliases?: Readonly<Record<string, string>>): void;
}

const nothing: Drafts = new Map();

/** @param zone finds the zone of local times, which a field of the form may say */
export function useForm<OfField extends Field>(
  entries: readonly Entry<OfField>[],
  layers: Layers,
  zone: (drafts: Drafts) => string,
): Form<OfField> {
  const { speech } = useConsole();
  const [drafts, setDrafts] = useState(nothing);
  const [said, setSaid] = useState<ReadonlyMap<string, readonly string[]>>(new Map());
  const [refusal, setRefusal] = useState<Problem | null>(null);
  const { changes, faults } = useMemo(
    () => changesIn(entries, layers, drafts, zone(drafts)),
    [entries, layers, drafts],
  );

  return {
    drafts,
    changes,
    isFaulty: faults.size > 0,
    faults: new Map([...said, ...[...faults].map(([path, fault]) => [path, [speech.text(fault)]] as const)]),
    overtaken: overtaken(entries, layers, drafts),
    refusal,
    write(entry, path, text) {
      setDrafts((before) => {
        const seen = pathsOf(entry).flatMap((other) => before.get(other)?.seen ?? [])[0];
        return new Map(before).set(path, { text, seen: seen ?? fingerprintOf(entry, layers) });
      });
      setSaid((before) => without(before, [path]));
    },
    discard(entry) {
      setDrafts((before) => without(before, pathsOf(entry)));
      setSaid((before) => without(before, pathsOf(entry)));
    },
    discardAll() {
      setDrafts(nothing);
      setSaid(new Map());
      setRefusal(null);
    },
    keepMine(entry) {
      const paths = pathsOf(entry);
      const seen = fingerprintOf(entry, layers);
      setDrafts(
        (before) =>
          new Map([...before].map(([path, draft]) => [path, paths.includes(path) ? { ...draft, seen } : draft])),
      );
    },
    refuse(problem, aliases = {}) {
      const paths = entries.flatMap(pathsOf);
      const found = faultsOf(problem).map(({ path, message }) => ({ path: aliases[path] ?? path, message }));
      setSaid(faultsByField(found, paths));
      setRefusal(found.length > 0 && faultsElsewhere(found, paths).length === 0 ? null : problem);
    },
  };
}

function without<Value>(map: ReadonlyMap<string, Value>, paths: readonly string[]): ReadonlyMap<string, Value> {
  return new Map([...map].filter(([path]) => !paths.includes(path)));
}
