interface ChoiceProps<Value extends string> {
  readonly label: string;
  readonly value: Value;
  readonly options: readonly Option<Value>[];
  onValue(value: Value): void;
}

export interface Option<Value extends string = string> {
  readonly value: Value;
  readonly text: string;
  /** The language of the text, where it is not the console's. */
  readonly language?: string;
}

/** One of several, which counts at once: of what is shown, say. */
export function Choice<Value extends string>({ label, value, options, onValue }: ChoiceProps<Value>) {
  return (
    <label>
      {label}
      <select value={value} onChange={(event) => onValue(event.currentTarget.value as Value)}>
        {options.map(({ value: each, text, language }) => (
          <option key={each} value={each} lang={language} dir="auto">
            {text}
          </option>
        ))}
      </select>
    </label>
  );
}
