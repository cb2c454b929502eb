/** The settings of a room as a form has them: where their values come from, and how a change of them is sent. */
import { useEffect } from "preact/hooks";
import { type Api, ProblemError, take } from "../api/api.ts";
import { type RequestState, useRequest } from "../api/requests.ts";
import { type Drafts, type Entry, type Layers, overtaken, patchOf } from "../forms/draft.ts";
import { type Field, valueAt } from "../forms/field.ts";
import { type Form, useForm } from "../forms/use-form.ts";
import { useConsole } from "../frame/console.ts";
import { type Actions, changeByForm, useActions } from "../parts/actions.tsx";
import { texts } from "./texts.ts";

export interface SettingsGroup {
  /** Empty for settings that are in no group. */
  readonly name: string;
  /** Of the document of a room that was made at run time: there is no live value over it. */
  readonly isOfDocument: boolean;
  readonly settings: readonly Field[];
}

export function entriesOf(groups: readonly SettingsGroup[]): readonly Entry[] {
  return groups.flatMap(({ settings, isOfDocument }) => settings.map((field) => ({ field, isOfDocument })));
}

export interface RoomSettings extends Layers {
  readonly title: string;
}

const everyMs = 3_000;

/** A room's settings now; null where the gateway does not know them yet. @throws ProblemError */
async function readSettings({ ask }: Api, room: string): Promise<RoomSettings | null> {
  const details = await take(ask.GET("/admin/rooms/{room}", { params: { path: { room } } }));
  if (!("settings" in details)) return null;
  const { title, settings, settings_file: file, settings_live: live, document = null } = details;
  return { title, inForce: settings, file, live, document };
}

export function useRoomSettings(room: string): RequestState<RoomSettings | null> {
  const { api } = useConsole();
  return useRequest(() => readSettings(api, room), { of: [room], everyMs });
}

const zonePath = "schedule.time_zone";
const defaultZone = "UTC";

/** The zone of local times: the one in the form, else the room's. */
export function zoneOf(layers: Layers, drafts: Drafts): string {
  const draft = drafts.get(zonePath);
  const inFile = valueAt(layers.file, zonePath);
  const zone = draft?.text === null ? inFile : (draft?.text ?? valueAt(layers.inForce, zonePath));
  return String(zone ?? "").trim() || defaultZone;
}

export interface SettingsForm extends Form {
  readonly actions: Actions;
  apply(): Promise<void>;
}

export function useSettingsForm(
  room: string,
  { settings, entries, reload }: { settings: RoomSettings; entries: readonly Entry[]; reload(): Promise<void> },
): SettingsForm {
  const { api, speech } = useConsole();
  const actions = useActions(room);
  const form = useForm(entries, settings, (drafts) => zoneOf(settings, drafts));
  useEffect(() => {
    if (actions.count > 0) void reload();
  }, [actions.count]);

  const apply = async () => {
    form.refuse(null);
    const act = async () => {
      await refuseIfOvertaken(api, room, entries, form.drafts, speech.text(texts.overtaken));
      return changeByForm(api, room, patchOf(form.changes));
    };
    const answer = await actions.carryOut(speech.text(texts.done, { n: form.changes.length }), act, true);
    if (answer === "done") form.discardAll();
    if (typeof answer !== "object") return;
    void reload();
    form.refuse(answer);
  };
  return { ...form, actions, apply };
}

/** @throws ProblemError where somebody else has just changed one of the settings that would be changed */
async function refuseIfOvertaken(api: Api, room: string, entries: readonly Entry[], drafts: Drafts, text: string) {
  const now = await readSettings(api, room);
  if (now === null || overtaken(entries, now, drafts).length === 0) return;
  throw new ProblemError({ status: 409, text, answer: null });
}
