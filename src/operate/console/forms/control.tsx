import { useConsole } from "../frame/console.ts";
import type { Speech } from "../frame/speech.ts";
import { texts as frameTexts } from "../frame/texts.ts";
import type { Allowed, Field, Option } from "./field.ts";
import { texts } from "./texts.ts";
import { fieldTime, instantsOf, isZone, localOf } from "./zones.ts";

export interface ControlProps {
  readonly field: Field;
  readonly id: string;
  readonly text: string;
  /** Of local times. */
  readonly zone: string;
  readonly isFaulty: boolean;
  /** Ids of what describes it; empty for nothing. */
  readonly describedBy: string;
  onText(text: string): void;
}

/** The control that fits what a field may hold. */
export function Control(props: ControlProps) {
  const { field, id, text, isFaulty, describedBy, onText } = props;
  const { speech } = useConsole();
  const common = { id, "aria-describedby": describedBy || undefined, "aria-invalid": isFaulty };
  const { allowed } = field;
  switch (allowed.kind) {
    case "flag": {
      const [yes, no] = allowed.labels ?? [frameTexts.form.yes, frameTexts.form.no];
      const options = [
        { value: "true", text: speech.text(yes) },
        { value: "false", text: speech.text(no) },
      ];
      return <Select {...common} text={text} options={withUnset(allowed, options, text, speech)} onText={onText} />;
    }
    case "choice": {
      const options = allowed.choices.map((choice) => {
        const label = allowed.labels?.[choice];
        return { value: String(choice), text: label === undefined ? String(choice) : speech.text(label) };
      });
      return <Select {...common} text={text} options={withUnset(allowed, options, text, speech)} onText={onText} />;
    }
    case "mapping": {
      const options = [
        { value: "on", text: speech.text(texts.on) },
        { value: "off", text: speech.text(texts.off) },
      ];
      return <Select {...common} text={text} options={options} onText={onText} />;
    }
    case "several":
      return <Ticks text={text} options={allowed.optionsOf(itemsOf(text))} onText={onText} />;
    case "rooms":
      return <Rooms text={text} onText={onText} />;
    case "time":
      return <TimeControl {...props} zone={zoneForTimes(props.zone)} />;
    case "redirect":
      return (
        <>
          <input
            {...common}
            dir="ltr"
            autocomplete="off"
            spellcheck={false}
            list={`${id}-choices`}
            placeholder="https://…"
            value={text}
            onInput={(event) => onText(event.currentTarget.value)}
          />
          <datalist id={`${id}-choices`}>
            {allowed.choices.map((choice) => (
              <option key={choice} value={choice} />
            ))}
          </datalist>
        </>
      );
    case "list":
    case "links":
    case "ranges":
    case "rules":
    case "siteRules":
    case "markdown": {
      const areAddresses = allowed.kind === "list" && allowed.areAddresses === true;
      return (
        <textarea
          {...common}
          dir={areAddresses ? "ltr" : "auto"}
          spellcheck={areAddresses ? false : undefined}
          rows={areAddresses ? rowsFor(text) : allowed.kind === "markdown" ? 8 : 3}
          value={text}
          onInput={(event) => onText(event.currentTarget.value)}
        />
      );
    }
    default:
      return (
        <input
          {...common}
          {...attributesOf(allowed)}
          autocomplete="off"
          autocapitalize="off"
          spellcheck={false}
          value={text}
          onInput={(event) => onText(event.currentTarget.value)}
        />
      );
  }
}

/** Whether a control has several parts, which stand together in a group. */
export function isGroup({ allowed: { kind } }: Field): boolean {
  return kind === "several" || kind === "rooms";
}

/** Times are shown by the clocks of the zone, where the browser knows it. */
export function zoneForTimes(zone: string): string {
  return isZone(zone) ? zone : "UTC";
}

function attributesOf(allowed: Allowed) {
  switch (allowed.kind) {
    case "instant":
      return { type: "datetime-local" };
    case "whole":
      return { dir: "auto", inputMode: "numeric" } as const;
    case "number":
      return { dir: "auto", inputMode: "decimal" } as const;
    case "text":
      return {
        dir: allowed.isAddress === true ? "ltr" : "auto",
        inputMode: allowed.isAddress === true ? "url" : "text",
        maxLength: allowed.lengthMax > 0 ? allowed.lengthMax : undefined,
      } as const;
    default:
      return { dir: "auto" } as const;
  }
}

function rowsFor(text: string): number {
  return Math.min(8, Math.max(2, text === "" ? 1 : text.split("\n").length + 1));
}

/** Adds the option that says nothing: where the field has one, and where nothing was chosen yet. */
function withUnset(
  allowed: Extract<Allowed, { kind: "choice" | "flag" }>,
  options: readonly Option[],
  text: string,
  speech: Speech,
): readonly Option[] {
  if (allowed.unset !== undefined) return [{ value: "", text: speech.text(allowed.unset) }, ...options];
  return text === "" ? [{ value: "", text: speech.text(texts.none) }, ...options] : options;
}

interface SelectProps {
  readonly id: string;
  readonly text: string;
  readonly options: readonly Option[];
  onText(text: string): void;
}

function Select({ text, options, onText, ...attributes }: SelectProps) {
  return (
    <select {...attributes} value={text} onChange={(event) => onText(event.currentTarget.value)}>
      {options.map((option) => (
        <option key={option.value} value={option.value}>
          {option.text}
        </option>
      ))}
    </select>
  );
}

function itemsOf(text: string): string[] {
  return text === "" ? [] : text.split("\n");
}

type TicksProps = Omit<SelectProps, "id">;

function Ticks({ text, options, onText }: TicksProps) {
  const chosen = itemsOf(text);
  const turn = (value: string, isOn: boolean) =>
    onText((isOn ? [...chosen, value] : chosen.filter((other) => other !== value)).join("\n"));
  return (
    <div class="ticks">
      {options.map(({ value, text: label, isImplied = false }) => (
        <label class="tick" key={value}>
          <input
            type="checkbox"
            checked={isImplied || chosen.includes(value)}
            disabled={isImplied}
            onChange={(event) => turn(value, event.currentTarget.checked)}
          />
          <span dir="auto">{label}</span>
        </label>
      ))}
    </div>
  );
}

/** Rooms by their titles. A room that is chosen and no longer exists can be taken off. */
function Rooms({ text, onText }: Omit<TicksProps, "options">) {
  const { news } = useConsole();
  const rooms = news?.figures.rooms ?? [];
  const missing = itemsOf(text).filter((id) => !rooms.some(({ room }) => room === id));
  const options = [
    ...rooms.map(({ room, title }) => ({ value: room, text: title === room ? room : `${title} (${room})` })),
    ...missing.map((id) => ({ value: id, text: id })),
  ];
  return <Ticks text={text} options={options} onText={onText} />;
}

/** Date and time by the clocks of a zone; where they show a time twice, which of the two. */
function TimeControl({ id, text, zone, isFaulty, describedBy, onText }: ControlProps) {
  const { speech } = useConsole();
  const local = fieldTime(text);
  const twice = (local === "" ? null : instantsOf(local, zone)) ?? [];
  const here = hereInWords(text, zone, speech);
  return (
    <div class="setting-time">
      <input
        id={id}
        type="datetime-local"
        aria-describedby={`${describedBy} ${id}-zone`}
        aria-invalid={isFaulty}
        value={local}
        max="9999-12-31T23:59"
        onInput={(event) => onText(event.currentTarget.value)}
      />
      {local !== "" && (
        <button type="button" class="quiet" onClick={() => onText("")}>
          {speech.text(texts.clear)}
        </button>
      )}
      {twice.length > 1 && (
        <select
          aria-label={speech.text(texts.ambiguousTime)}
          value={text.slice(local.length)}
          onChange={(event) => onText(`${local}${event.currentTarget.value}`)}
        >
          <option value="">{speech.text(texts.ambiguousTime)}</option>
          {twice.map(({ offset }, index) => (
            <option key={offset} value={offset}>
              {speech.text(index === 0 ? texts.earlier : texts.later, { offset })}
            </option>
          ))}
        </select>
      )}
      <span class="marks" id={`${id}-zone`}>
        {speech.text(texts.inZone, { zone })}
        {here !== null && `; ${here}`}
      </span>
    </div>
  );
}

/** `by your clock 2027-03-01 09:00`, where that is another time; null elsewhere. */
function hereInWords(local: string, zone: string, speech: Speech): string | null {
  const [instant] = instantsOf(local, zone) ?? [];
  if (instant === undefined) return null;
  const time = localOf(instant.ms, new Intl.DateTimeFormat().resolvedOptions().timeZone);
  return fieldTime(time) === fieldTime(local) ? null : speech.text(texts.localTime, { time: time.replace("T", " ") });
}
