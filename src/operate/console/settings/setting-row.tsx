import { Control, zoneForTimes } from "../forms/control.tsx";
import { type Entry, isLive, pathsOf, valueInForce } from "../forms/draft.ts";
import { type Field, textOf, valueAt } from "../forms/field.ts";
import { allowedInWords, valueInWords } from "../forms/in-words.ts";
import { useConsole } from "../frame/console.ts";
import type { Localized } from "../frame/speech.ts";
import { meaningOf } from "./meanings.ts";
import { settingName } from "./names.ts";
import { type RoomSettings, type SettingsForm, zoneOf } from "./room-settings.ts";
import { texts } from "./texts.ts";

interface SettingRowProps {
  readonly entry: Entry;
  readonly settings: RoomSettings;
  readonly form: SettingsForm;
  readonly mayChange: boolean;
}

/** A setting: what it means, what the file, the live change and the room have, and the control to change it. */
export function SettingRow({ entry, settings, form, mayChange }: SettingRowProps) {
  const { speech } = useConsole();
  const { field } = entry;
  const { path, allowed } = field;
  const zone = zoneOf(settings, form.drafts);
  const displayZone = zoneForTimes(zone);
  const inForce = valueInForce(entry, settings);
  const draft = form.drafts.get(path);
  const isReverted = draft?.text === null;
  const isTouched = pathsOf(entry).some((other) => form.drafts.has(other));
  const state = draft?.text ?? textOf(field, inForce, displayZone);
  const isOvertaken = form.overtaken.some((other) => other.field.path === path);
  const hasControl = mayChange && !isReverted;
  return (
    <div class={isTouched ? "setting touched" : "setting"}>
      <Values entry={entry} settings={settings} zone={displayZone} />
      {isOvertaken && (
        <div class="problem" role="alert">
          <p>{speech.text(texts.changedMeanwhile, { value: valueInWords(field, inForce, displayZone, speech) })}</p>
          <div class="row">
            <button type="button" onClick={() => form.discard(entry)}>
              {speech.text(texts.takeTheirs)}
            </button>
            <button type="button" onClick={() => form.keepMine(entry)}>
              {speech.text(texts.keepMine)}
            </button>
          </div>
        </div>
      )}
      {isReverted && <p>{speech.text(entry.isOfDocument ? texts.willBeRemoved : texts.willRevert)}</p>}
      {hasControl && <SettingControl entry={entry} field={field} form={form} text={state} zone={zone} />}
      {hasControl &&
        allowed.kind === "mapping" &&
        state === "on" &&
        allowed.members.map((member) => {
          const value = valueAt(inForce, member.path.slice(path.length + 1));
          const text = form.drafts.get(member.path)?.text ?? textOf(member, value, zone);
          return (
            <div class="member" key={member.path}>
              <Name field={member} hasControl />
              <SettingControl entry={entry} field={member} form={form} text={text} zone={zone} />
            </div>
          );
        })}
      {mayChange && (
        <div class="row">
          {isLive(entry, settings) && !isReverted && (
            <button type="button" class="quiet" onClick={() => form.write(entry, path, null)}>
              {speech.text(texts.revert)} <span class="unseen">{path}</span>
            </button>
          )}
          {isTouched && (
            <button type="button" class="quiet" onClick={() => form.discard(entry)}>
              {speech.text(texts.discard)} <span class="unseen">{path}</span>
            </button>
          )}
        </div>
      )}
    </div>
  );
}

/** What it is called and means; and side by side, the value of each layer. */
function Values({
  entry,
  settings,
  zone,
}: Pick<SettingRowProps, "entry" | "settings"> & {
  readonly zone: string;
}) {
  const { principal, speech } = useConsole();
  const { field, isOfDocument } = entry;
  const hasLiveValue = isLive(entry, settings);
  const value = (of: unknown) => <span dir="auto">{valueInWords(field, of, zone, speech)}</span>;
  return (
    <>
      <Name field={field} hasControl={principal.role !== "viewer"} />
      {!isOfDocument && (
        <dl class="three">
          <div>
            <dt>{speech.text(texts.file)}</dt>
            <dd>{value(valueAt(settings.file, field.path))}</dd>
          </div>
          <div class={hasLiveValue ? "live-value" : undefined}>
            <dt>{speech.text(texts.live)}</dt>
            <dd>{hasLiveValue ? value(valueAt(settings.live, field.path)) : "–"}</dd>
          </div>
          <div>
            <dt>{speech.text(texts.inForce)}</dt>
            <dd>{value(valueInForce(entry, settings))}</dd>
          </div>
        </dl>
      )}
      {isOfDocument && <p class="three">{value(valueInForce(entry, settings))}</p>}
    </>
  );
}

const idOf = (path: string) => `setting-${path.replace(/\./g, "-")}`;

function Name({ field: { path, allowed }, hasControl }: { readonly field: Field; readonly hasControl: boolean }) {
  const { speech } = useConsole();
  const name = settingName(path, speech);
  const allows = allowedInWords(allowed, speech);
  return (
    <>
      {hasControl ? (
        <label for={idOf(path)}>
          <code>{path}</code>
        </label>
      ) : (
        <p class="setting-name">
          <code>{path}</code>
        </p>
      )}
      <p class="marks" id={`${idOf(path)}-meaning`}>
        {name !== null && <strong>{name}: </strong>}
        <Meaning text={meaningOf(path)} />
        {allows !== null && ` (${allows})`}
      </p>
    </>
  );
}

/** A sentence of the documentation, with code between backticks. */
export function Meaning({ text }: { readonly text: Localized }) {
  const { speech } = useConsole();
  return (
    <span>
      {speech
        .text(text)
        .split("`")
        .map((part, index) => (index % 2 === 1 ? <code key={index}>{part}</code> : part))}
    </span>
  );
}

function SettingControl({
  entry,
  field,
  form,
  text,
  zone,
}: {
  readonly entry: Entry;
  readonly field: Field;
  readonly form: SettingsForm;
  readonly text: string;
  readonly zone: string;
}) {
  const id = idOf(field.path);
  const faults = form.faults.get(field.path);
  return (
    <>
      <Control
        field={field}
        id={id}
        text={text}
        zone={zone}
        isFaulty={faults !== undefined}
        describedBy={faults === undefined ? `${id}-meaning` : `${id}-fault ${id}-meaning`}
        onText={(written) => form.write(entry, field.path, written)}
      />
      {faults !== undefined && (
        <p class="fault" id={`${id}-fault`} dir="auto">
          {faults.join("; ")}
        </p>
      )}
    </>
  );
}
