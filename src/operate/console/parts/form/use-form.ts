import { useState } from "preact/hooks";
import { type Fault, faultsAt } from "./faults.ts";

/** A text, or the items of a list. Empty: not given. */
type FormValues = Readonly<Record<string, string | readonly string[]>>;

export interface Form<Values extends FormValues> {
  readonly values: Values;
  readonly faults: readonly Fault[];
  set<Name extends keyof Values>(name: Name, value: Values[Name]): void;
}

/** What is being entered. @param faults what the gateway said of it */
export function useForm<Values extends FormValues>(initial: Values, faults: readonly Fault[]): Form<Values> {
  const [values, setValues] = useState(initial);
  return { values, faults, set: (name, value) => setValues((before) => ({ ...before, [name]: value })) };
}

/** What a field of a form is told of it. */
export interface Entry<Value> {
  readonly value: Value;
  readonly errors: readonly string[];
  onValue(value: Value): void;
}

export function entryOf<Values extends FormValues, Name extends keyof Values & string>(
  form: Form<Values>,
  name: Name,
): Entry<Values[Name]> {
  return {
    value: form.values[name],
    errors: faultsAt(form.faults, name),
    onValue: (value) => form.set(name, value),
  };
}
