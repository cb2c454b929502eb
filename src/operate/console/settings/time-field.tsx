import { useConsole } from "../frame/console.ts";
import type { FieldProps } from "./field-props.ts";
import { hereInWords } from "./shown-value.tsx";
import { texts } from "./texts.ts";
import { fieldTime, instantsOf } from "./zones.ts";

/** Date and time by the clocks of the room's zone. Where they show a time twice, which of the two. */
export function TimeField({ id, text, zone, isFaulty, describedBy, onWritten }: FieldProps) {
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
        onInput={(event) => onWritten(event.currentTarget.value)}
      />
      {local !== "" && (
        <button type="button" class="quiet" onClick={() => onWritten("")}>
          {speech.text(texts.clear)}
        </button>
      )}
      {twice.length > 1 && (
        <select
          aria-label={speech.text(texts.ambiguousTime)}
          value={text.slice(local.length)}
          onChange={(event) => onWritten(`${local}${event.currentTarget.value}`)}
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
