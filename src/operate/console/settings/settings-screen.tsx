import { useEffect, useMemo, useState } from "preact/hooks";
import { mayDo, useConsole } from "../frame/console.ts";
import { texts as frameTexts } from "../frame/texts.ts";
import { ProblemNote, Title } from "../parts/elements.tsx";
import { texts as roomsTexts } from "../rooms/texts.ts";
import { fieldsOf, isLive, type Unit, unitsOf } from "./form-model.ts";
import { settingName } from "./names.ts";
import { PendingChanges } from "./pending-changes.tsx";
import type { SettingsGroup } from "./setting.ts";
import { SettingRow } from "./setting-row.tsx";
import { settingsTable } from "./settings-table.ts";
import { texts } from "./texts.ts";
import { type Form, useForm } from "./use-form.ts";
import { type ToldRoom, useTold } from "./use-told.ts";
import { Words } from "./words.tsx";

/** The settings of a room, those of its schedule among them. */
export function SettingsScreen({ room }: { readonly room: string }) {
  const { speech } = useConsole();
  const told = useTold(room);
  return (
    <>
      <Title text={speech.text(texts.title, { room: told.answer?.title ?? room })} />
      {told.problem && <ProblemNote problem={told.problem} speech={speech} />}
      {told.answer === null && told.problem === null && (
        <p>{speech.text(told.atMs === null ? frameTexts.loading : roomsTexts.attention.unknown)}</p>
      )}
      {told.answer !== null && <TheSettings room={room} told={told.answer} reload={told.reload} />}
    </>
  );
}

interface TheSettingsProps {
  readonly room: string;
  readonly told: ToldRoom;
  reload(): Promise<void>;
}

function TheSettings({ room, told, reload }: TheSettingsProps) {
  const { speech } = useConsole();
  const hasDocument = told.document !== null;
  const groups = useMemo(() => settingsTable.filter((group) => !group.isOfDocument || hasDocument), [hasDocument]);
  const units = useMemo(() => unitsOf(groups), [groups]);
  const form = useForm({ room, told, units, reload });
  const [search, setSearch] = useState("");
  const [isLiveAlone, setLiveAlone] = useState(false);
  // A link may lead to a group, which is there only now.
  useEffect(() => {
    if (location.hash !== "") document.getElementById(location.hash.slice(1))?.scrollIntoView();
  }, []);

  const wanted = search.trim().toLowerCase();
  const isShown = (unit: Unit) => {
    if (fieldsOf(unit).some((path) => form.drafts.has(path) || form.faults.has(path))) return true;
    const { path, meaning } = unit.setting;
    const words = `${path} ${settingName(path, speech) ?? ""} ${meaning}`;
    return (!isLiveAlone || isLive(unit, told)) && words.toLowerCase().includes(wanted);
  };
  const live = units.filter((unit) => isLive(unit, told));
  return (
    <>
      <div class="row settings-search">
        <label>
          {speech.text(texts.search)}
          <input type="search" value={search} onInput={(event) => setSearch(event.currentTarget.value)} />
        </label>
        <label class="tick">
          <input
            type="checkbox"
            checked={isLiveAlone}
            onChange={(event) => setLiveAlone(event.currentTarget.checked)}
          />
          {speech.text(texts.liveOnly, { n: live.length })}
        </label>
      </div>
      {!units.some(isShown) && <p role="status">{speech.text(texts.noMatch)}</p>}
      {groups.map((group) => (
        <Group
          key={`${group.name} ${group.isOfDocument}`}
          group={group}
          units={units.filter((unit) => group.settings.includes(unit.setting) && isShown(unit))}
          told={told}
          form={form}
        />
      ))}
      <PendingChanges room={room} told={told} form={form} />
    </>
  );
}

interface GroupProps {
  readonly group: SettingsGroup;
  readonly units: readonly Unit[];
  readonly told: ToldRoom;
  readonly form: Form;
}

function Group({ group: { name, meaning, isOfDocument }, units, told, form }: GroupProps) {
  const { principal, speech } = useConsole();
  if (units.length === 0) return null;
  const mayChange = isOfDocument
    ? principal.role === "admin" && principal.rooms === null
    : mayDo(principal.role, "operator");
  const plain = isOfDocument ? texts.documentGroup : texts.ungrouped;
  return (
    <details class="settings-group" open id={name || undefined}>
      <summary>
        <h2>{name === "" ? speech.text(plain) : name}</h2> <Words text={meaning} />
      </summary>
      {units.map((unit) => (
        <SettingRow key={unit.setting.path} unit={unit} told={told} form={form} mayChange={mayChange} />
      ))}
    </details>
  );
}
