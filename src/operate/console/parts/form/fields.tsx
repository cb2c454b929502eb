import type { InputHTMLAttributes } from "preact";
import { Field, FieldGroup } from "./field.tsx";
import type { Entry } from "./use-form.ts";

interface Named {
  readonly id: string;
  readonly label: string;
  readonly hint?: string;
}

type TextProps = Named & { readonly entry: Entry<string>; readonly field?: InputHTMLAttributes<HTMLInputElement> };

export function TextField({ id, label, hint, entry: { value, errors, onValue }, field }: TextProps) {
  return (
    <Field id={id} label={label} hint={hint} errors={errors}>
      {(props) => (
        <input
          dir="auto"
          autocomplete="off"
          autocapitalize="off"
          spellcheck={false}
          {...field}
          {...props}
          value={value}
          onInput={(event) => onValue(event.currentTarget.value)}
        />
      )}
    </Field>
  );
}

/** A list, of which each line is an item. */
export function LinesField({ id, label, hint, entry }: Named & { readonly entry: Entry<readonly string[]> }) {
  const { value, errors, onValue } = entry;
  return (
    <Field id={id} label={label} hint={hint} errors={errors}>
      {(props) => (
        <textarea
          {...props}
          dir="ltr"
          spellcheck={false}
          rows={Math.min(8, Math.max(2, value.length + 1))}
          value={value.join("\n")}
          onInput={(event) => onValue(event.currentTarget.value.split("\n"))}
        />
      )}
    </Field>
  );
}

interface Option {
  readonly value: string;
  readonly text: string;
}

type ChoiceProps = Named & { readonly entry: Entry<string>; readonly options: readonly Option[] };

export function ChoiceField({ id, label, hint, entry: { value, errors, onValue }, options }: ChoiceProps) {
  return (
    <Field id={id} label={label} hint={hint} errors={errors}>
      {(props) => (
        <select {...props} value={value} onChange={(event) => onValue(event.currentTarget.value)}>
          {options.map((option) => (
            <option key={option.value} value={option.value}>
              {option.text}
            </option>
          ))}
        </select>
      )}
    </Field>
  );
}

type TicksProps = Named & {
  readonly entry: Entry<readonly string[]>;
  /** `isImplied`: another one that is ticked says it, too. */
  readonly options: readonly (Option & { readonly isImplied?: boolean })[];
};

/** Any number of some. */
export function TicksField({ id, label, hint, entry: { value, errors, onValue }, options }: TicksProps) {
  const turn = (option: string, isOn: boolean) =>
    onValue(isOn ? [...value, option] : value.filter((each) => each !== option));
  return (
    <FieldGroup id={id} label={label} hint={hint} errors={errors}>
      <div class="ticks">
        {options.map((option) => (
          <label class="tick" key={option.value}>
            <input
              type="checkbox"
              checked={option.isImplied === true || value.includes(option.value)}
              disabled={option.isImplied === true}
              onChange={(event) => turn(option.value, event.currentTarget.checked)}
            />
            <span dir="auto">{option.text}</span>
          </label>
        ))}
      </div>
    </FieldGroup>
  );
}
