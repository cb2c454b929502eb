import { useEffect, useMemo, useState } from "preact/hooks";
import { type Api, type Problem, ProblemError } from "../api/api.ts";
import { useConsole } from "../frame/console.ts";
import { type Actions, changeByForm, useActions } from "../parts/actions.tsx";
import { faultsElsewhere, faultsOf } from "../parts/form/faults.ts";
import {
  bodyOf,
  type Change,
  changesIn,
  type Drafts,
  faultsByField,
  fieldsOf,
  overtaken,
  seenOf,
  type Unit,
} from "./form-model.ts";
import { texts } from "./texts.ts";
import { readTold, type ToldRoom } from "./use-told.ts";

export interface Form {
  readonly drafts: Drafts;
  readonly changes: readonly Change[];
  /** Whether a field says nothing that could be sent. */
  readonly isFaulty: boolean;
  /** In words, by path of a field: those, and what the gateway refused. */
  readonly faults: ReadonlyMap<string, string>;
  readonly overtaken: readonly Unit[];
  readonly actions: Actions;
  /** What was refused, where no field shows it. */
  readonly refused: Problem | null;
  /** @param text null gives the setting back */
  write(unit: Unit, path: string, text: string | null): void;
  /** Leaves a setting as it is in force. */
  forget(unit: Unit): void;
  /** Goes on with what was written over what somebody else changed meanwhile. */
  keep(unit: Unit): void;
  forgetAll(): void;
  apply(): Promise<void>;
}

interface FormOf {
  readonly room: string;
  readonly told: ToldRoom;
  readonly units: readonly Unit[];
  /** Asks for the settings again. */
  reload(): Promise<void>;
}

const nothing: Drafts = new Map();

export function useForm({ room, told, units, reload }: FormOf): Form {
  const { api, speech } = useConsole();
  const actions = useActions(room);
  const [drafts, setDrafts] = useState(nothing);
  const [said, setSaid] = useState<ReadonlyMap<string, string>>(new Map());
  const [refused, setRefused] = useState<Problem | null>(null);
  const { changes, faults } = useMemo(() => changesIn(units, told, drafts), [units, told, drafts]);
  useEffect(() => {
    if (actions.count > 0) void reload();
  }, [actions.count]);

  const without = (unit: Unit) => {
    const fields = fieldsOf(unit);
    setDrafts((before) => new Map([...before].filter(([path]) => !fields.includes(path))));
    setSaid((before) => new Map([...before].filter(([path]) => !fields.includes(path))));
  };

  const apply = async () => {
    setSaid(new Map());
    setRefused(null);
    const text = speech.text(texts.done, { n: changes.length });
    const act = async () => {
      await refuseIfOvertaken(api, room, units, drafts, speech.text(texts.overtaken));
      return changeByForm(api, room, bodyOf(changes));
    };
    const answer = await actions.carryOut(text, act, true);
    if (answer === "done") setDrafts(nothing);
    if (typeof answer !== "object") return;
    void reload();
    const fields = units.flatMap(fieldsOf);
    const elsewhere = faultsElsewhere(faultsOf(answer), fields);
    setSaid(faultsByField(faultsOf(answer), fields));
    setRefused(faultsOf(answer).length > 0 && elsewhere.length === 0 ? null : answer);
  };

  return {
    drafts,
    changes,
    isFaulty: faults.size > 0,
    faults: new Map([...said, ...[...faults].map(([path, key]) => [path, speech.text(key)] as const)]),
    overtaken: overtaken(units, told, drafts),
    actions,
    refused,
    write(unit, path, text) {
      setDrafts((before) => {
        const seen = fieldsOf(unit).flatMap((field) => before.get(field)?.seen ?? [])[0] ?? seenOf(unit, told);
        return new Map(before).set(path, { text, seen });
      });
      setSaid((before) => new Map([...before].filter(([field]) => field !== path)));
    },
    forget: without,
    keep(unit) {
      const seen = seenOf(unit, told);
      const fields = fieldsOf(unit);
      setDrafts(
        (before) =>
          new Map([...before].map(([path, draft]) => [path, fields.includes(path) ? { ...draft, seen } : draft])),
      );
    },
    forgetAll() {
      setDrafts(nothing);
      setSaid(new Map());
      setRefused(null);
    },
    apply,
  };
}

/** @throws ProblemError where somebody else has just changed what would be changed */
async function refuseIfOvertaken(api: Api, room: string, units: readonly Unit[], drafts: Drafts, text: string) {
  const now = await readTold(api, room);
  if (now === null || overtaken(units, now, drafts).length === 0) return;
  throw new ProblemError({ status: 409, text, answer: null });
}
