import { useEffect, useMemo, useState } from "preact/hooks";
import { type Entry, isLive, pathsOf } from "../forms/draft.ts";
import { mayDo, type ScreenProps, useConsole } from "../frame/console.ts";
import { texts as frameTexts } from "../frame/texts.ts";
import { ProblemNote, Title } from "../parts/elements.tsx";
import { texts as roomsTexts } from "../rooms/texts.ts";
import { meaningOf } from "./meanings.ts";
import { settingName } from "./names.ts";
import { PendingChanges } from "./pending-changes.tsx";
import {
  entriesOf,
  type RoomSettings,
  type SettingsForm,
  type SettingsGroup,
  useRoomSettings,
  useSettingsForm,
} from "./room-settings.ts";
import { Meaning, SettingRow } from "./setting-row.tsx";
import { settingsTable } from "./settings-table.ts";
import { texts } from "./texts.ts";

/** The settings of a room, those of its schedule among them. */
export function SettingsScreen({ room }: ScreenProps) {
  const { speech } = useConsole();
  const { answer: settings, problem, receivedMs, reload } = useRoomSettings(room);
  return (
    <>
      <Title text={speech.text(texts.title, { room: settings?.title ?? room })} />
      {problem && <ProblemNote problem={problem} speech={speech} />}
      {settings === null && problem === null && (
        <p>{speech.text(receivedMs === null ? frameTexts.loading : roomsTexts.attention.unknown)}</p>
      )}
      {settings !== null && <SettingsOfRoom room={room} settings={settings} reload={reload} />}
    </>
  );
}

function SettingsOfRoom({
  room,
  settings,
  reload,
}: {
  readonly room: string;
  readonly settings: RoomSettings;
  reload(): Promise<void>;
}) {
  const { speech } = useConsole();
  const hasDocument = settings.document !== null;
  const groups = useMemo(() => settingsTable.filter((group) => !group.isOfDocument || hasDocument), [hasDocument]);
  const entries = useMemo(() => entriesOf(groups), [groups]);
  const form = useSettingsForm(room, { settings, entries, reload });
  const [search, setSearch] = useState("");
  const [isLiveOnly, setLiveOnly] = useState(false);
  // A link may lead to a group, which is in the page only now.
  useEffect(() => {
    if (location.hash !== "") document.getElementById(location.hash.slice(1))?.scrollIntoView();
  }, []);

  const wanted = search.trim().toLowerCase();
  const matches = (entry: Entry) => {
    if (pathsOf(entry).some((path) => form.drafts.has(path) || form.faults.has(path))) return true;
    const { path } = entry.field;
    const words = `${path} ${settingName(path, speech) ?? ""} ${speech.text(meaningOf(path))}`;
    return (!isLiveOnly || isLive(entry, settings)) && words.toLowerCase().includes(wanted);
  };
  const live = entries.filter((entry) => isLive(entry, settings));
  return (
    <>
      <div class="row settings-search">
        <label>
          {speech.text(texts.search)}
          <input type="search" value={search} onInput={(event) => setSearch(event.currentTarget.value)} />
        </label>
        <label class="tick">
          <input type="checkbox" checked={isLiveOnly} onChange={(event) => setLiveOnly(event.currentTarget.checked)} />
          {speech.text(texts.liveOnly, { n: live.length })}
        </label>
      </div>
      {!entries.some(matches) && <p role="status">{speech.text(texts.noMatch)}</p>}
      {groups.map((group) => (
        <Group
          key={`${group.name} ${group.isOfDocument}`}
          group={group}
          entries={entries.filter((entry) => group.settings.includes(entry.field) && matches(entry))}
          settings={settings}
          form={form}
        />
      ))}
      <PendingChanges room={room} settings={settings} form={form} />
    </>
  );
}

function Group({
  group: { name, isOfDocument },
  entries,
  settings,
  form,
}: {
  readonly group: SettingsGroup;
  readonly entries: readonly Entry[];
  readonly settings: RoomSettings;
  readonly form: SettingsForm;
}) {
  const { principal, speech } = useConsole();
  if (entries.length === 0) return null;
  const mayChange = isOfDocument
    ? principal.role === "admin" && principal.rooms === null
    : mayDo(principal.role, "operator");
  return (
    <details class="settings-group" open id={name || undefined}>
      <summary>
        <h2>{name || speech.text(isOfDocument ? texts.documentGroup : texts.ungrouped)}</h2>{" "}
        {name !== "" && <Meaning text={meaningOf(name)} />}
      </summary>
      {entries.map((entry) => (
        <SettingRow key={entry.field.path} entry={entry} settings={settings} form={form} mayChange={mayChange} />
      ))}
    </details>
  );
}
