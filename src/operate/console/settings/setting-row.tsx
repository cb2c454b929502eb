import { useConsole } from "../frame/console.ts";
import type { Speech } from "../frame/speech.ts";
import { fieldsOf, inForceOf, isLive, shownZone, type Told, type Unit, zoneOf } from "./form-model.ts";
import { settingName } from "./names.ts";
import type { Allowed, Setting } from "./setting.ts";
import { SettingField } from "./setting-field.tsx";
import { ShownValue, valueInWords } from "./shown-value.tsx";
import { texts } from "./texts.ts";
import type { Form } from "./use-form.ts";
import { valueAt, writtenOf } from "./values.ts";
import { Words } from "./words.tsx";

interface RowProps {
  readonly unit: Unit;
  readonly told: Told;
  readonly form: Form;
  readonly mayChange: boolean;
}

/** A setting: what it means, what the file, the live change and the room have, and the field to change it. */
export function SettingRow({ unit, told, form, mayChange }: RowProps) {
  const { speech } = useConsole();
  const { setting } = unit;
  const { path, allowed } = setting;
  const zone = zoneOf(told, form.drafts);
  const inForce = inForceOf(unit, told);
  const draft = form.drafts.get(path);
  const isGivenBack = draft?.text === null;
  const isTouched = fieldsOf(unit).some((field) => form.drafts.has(field));
  const state = draft?.text ?? writtenOf(setting, inForce, shownZone(zone));
  const isOvertaken = form.overtaken.some((each) => each.setting.path === path);
  return (
    <div class={isTouched ? "setting touched" : "setting"}>
      <Values unit={unit} told={told} zone={shownZone(zone)} />
      {isOvertaken && (
        <div class="problem" role="alert">
          <p>
            {speech.text(texts.changedMeanwhile, { value: valueInWords(setting, inForce, shownZone(zone), speech) })}
          </p>
          <div class="row">
            <button type="button" onClick={() => form.forget(unit)}>
              {speech.text(texts.takeTheirs)}
            </button>
            <button type="button" onClick={() => form.keep(unit)}>
              {speech.text(texts.keepMine)}
            </button>
          </div>
        </div>
      )}
      {isGivenBack && <p>{speech.text(unit.isOfDocument ? texts.willBeRemoved : texts.willRevert)}</p>}
      {mayChange && !isGivenBack && <Field unit={unit} field={setting} form={form} text={state} zone={zone} />}
      {allowed.kind === "mapping" &&
        mayChange &&
        !isGivenBack &&
        state === "on" &&
        allowed.members.map((member) => {
          const inForceMember = valueAt(inForce, member.path.slice(path.length + 1));
          const text = form.drafts.get(member.path)?.text ?? writtenOf(member, inForceMember, zone);
          return (
            <div class="member" key={member.path}>
              <Name setting={member} unit={unit} hasField />
              <Field unit={unit} field={member} form={form} text={text} zone={zone} />
            </div>
          );
        })}
      {mayChange && (
        <div class="row">
          {isLive(unit, told) && !isGivenBack && (
            <button type="button" class="quiet" onClick={() => form.write(unit, path, null)}>
              {speech.text(texts.revert)} <span class="unseen">{path}</span>
            </button>
          )}
          {isTouched && (
            <button type="button" class="quiet" onClick={() => form.forget(unit)}>
              {speech.text(texts.discard)} <span class="unseen">{path}</span>
            </button>
          )}
        </div>
      )}
    </div>
  );
}

/** What it is called and means; and side by side, what each says. */
function Values({ unit, told, zone }: { readonly unit: Unit; readonly told: Told; readonly zone: string }) {
  const { principal, speech } = useConsole();
  const { setting, isOfDocument } = unit;
  const isThere = isLive(unit, told);
  const value = (given: unknown) => <ShownValue setting={setting} value={given} zone={zone} />;
  return (
    <>
      <Name setting={setting} unit={unit} hasField={principal.role !== "viewer"} />
      {!isOfDocument && (
        <dl class="three">
          <div>
            <dt>{speech.text(texts.file)}</dt>
            <dd>{value(valueAt(told.file, setting.path))}</dd>
          </div>
          <div class={isThere ? "live-value" : undefined}>
            <dt>{speech.text(texts.live)}</dt>
            <dd>{isThere ? value(valueAt(told.live, setting.path)) : "–"}</dd>
          </div>
          <div>
            <dt>{speech.text(texts.inForce)}</dt>
            <dd>{value(inForceOf(unit, told))}</dd>
          </div>
        </dl>
      )}
      {isOfDocument && <p class="three">{value(inForceOf(unit, told))}</p>}
    </>
  );
}

const idOf = (path: string) => `setting-${path.replace(/\./g, "-")}`;

interface NameProps {
  readonly setting: Setting;
  readonly unit: Unit;
  readonly hasField: boolean;
}

function Name({ setting: { path, meaning, allowed }, hasField }: NameProps) {
  const { speech } = useConsole();
  const name = <code>{path}</code>;
  const called = settingName(path, speech);
  const may = allowedInWords(allowed, speech);
  return (
    <>
      {hasField ? <label for={idOf(path)}>{name}</label> : <p class="setting-name">{name}</p>}
      <p class="marks" id={`${idOf(path)}-meaning`}>
        {called !== null && <strong>{called}: </strong>}
        <Words text={meaning} />
        {may !== null && ` (${may})`}
      </p>
    </>
  );
}

/** What a field does not show by itself. */
function allowedInWords(allowed: Allowed, speech: Speech): string | null {
  if (allowed.kind === "duration") return speech.text(texts.allowed.duration, { range: allowed.range });
  if (allowed.kind === "list") return speech.text(texts.allowed.list, { n: allowed.itemsMax });
  if (allowed.kind === "links") return speech.text(texts.allowed.links, { n: allowed.itemsMax });
  if (allowed.kind === "words") return speech.text(texts.allowed.words);
  if (allowed.kind === "markdown") return speech.text(texts.allowed.markdown);
  if (allowed.kind === "redirect") return speech.text(texts.allowed.redirect, { words: allowed.choices.join(", ") });
  if (allowed.kind === "rules") return speech.text(texts.allowed.rules);
  if (allowed.kind === "ranges") return speech.text(texts.allowed.ranges);
  if (allowed.kind !== "whole" && allowed.kind !== "number" && allowed.kind !== "wholeOrOff") return null;
  return speech.text(texts.allowed.range, { from: String(allowed.minimum), to: speech.number(allowed.maximum) });
}

interface FieldProps {
  readonly unit: Unit;
  readonly field: Setting;
  readonly form: Form;
  readonly text: string;
  readonly zone: string;
}

function Field({ unit, field, form, text, zone }: FieldProps) {
  const id = idOf(field.path);
  const fault = form.faults.get(field.path);
  return (
    <>
      <SettingField
        setting={field}
        id={id}
        text={text}
        zone={zone}
        isFaulty={fault !== undefined}
        describedBy={fault === undefined ? `${id}-meaning` : `${id}-fault ${id}-meaning`}
        onWritten={(written) => form.write(unit, field.path, written)}
      />
      {fault !== undefined && (
        <p class="fault" id={`${id}-fault`} dir="auto">
          {fault}
        </p>
      )}
    </>
  );
}
