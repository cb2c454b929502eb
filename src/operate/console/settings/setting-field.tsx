import { useConsole } from "../frame/console.ts";
import { texts as frameTexts } from "../frame/texts.ts";
import type { FieldProps } from "./field-props.ts";
import { shownZone } from "./form-model.ts";
import { texts } from "./texts.ts";
import { TimeField } from "./time-field.tsx";

/** The field that fits what a setting may be. */
export function SettingField(props: FieldProps) {
  const { setting, id, text, zone, isFaulty, describedBy, onWritten } = props;
  const { speech } = useConsole();
  const common = { id, "aria-describedby": describedBy, "aria-invalid": isFaulty };
  const { allowed } = setting;
  switch (allowed.kind) {
    case "time":
      return <TimeField {...props} zone={shownZone(zone)} />;
    case "flag":
      return (
        <select {...common} value={text} onChange={(event) => onWritten(event.currentTarget.value)}>
          {text === "" && <option value="">{speech.text(texts.none)}</option>}
          <option value="true">{speech.text(frameTexts.form.yes)}</option>
          <option value="false">{speech.text(frameTexts.form.no)}</option>
        </select>
      );
    case "mapping":
      return (
        <select {...common} value={text} onChange={(event) => onWritten(event.currentTarget.value)}>
          <option value="on">{speech.text(texts.on)}</option>
          <option value="off">{speech.text(texts.off)}</option>
        </select>
      );
    case "choice":
      return (
        <select {...common} value={text} onChange={(event) => onWritten(event.currentTarget.value)}>
          {text === "" && <option value="">{speech.text(texts.none)}</option>}
          {allowed.choices.map((choice) => (
            <option key={choice} value={choice}>
              {choice}
            </option>
          ))}
        </select>
      );
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
            onInput={(event) => onWritten(event.currentTarget.value)}
          />
          <datalist id={`${id}-choices`}>
            {allowed.choices.map((choice) => (
              <option key={choice} value={choice} />
            ))}
          </datalist>
        </>
      );
    case "links":
    case "list":
    case "ranges":
    case "rules":
    case "markdown":
      return (
        <textarea
          {...common}
          dir="auto"
          rows={allowed.kind === "markdown" ? 8 : 3}
          value={text}
          onInput={(event) => onWritten(event.currentTarget.value)}
        />
      );
    default:
      return (
        <input
          {...common}
          dir="auto"
          autocomplete="off"
          spellcheck={false}
          inputMode={allowed.kind === "whole" ? "numeric" : allowed.kind === "number" ? "decimal" : "text"}
          maxLength={allowed.kind === "text" && allowed.lengthMax > 0 ? allowed.lengthMax : undefined}
          value={text}
          onInput={(event) => onWritten(event.currentTarget.value)}
        />
      );
  }
}
