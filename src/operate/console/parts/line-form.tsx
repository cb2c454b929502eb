import type { InputHTMLAttributes } from "preact";

interface LineFormProps {
  /** Of the field: keys lead to it. */
  readonly id: string;
  readonly label: string;
  readonly go: string;
  readonly value: string;
  readonly mayGo: boolean;
  readonly hint?: string;
  /** More of the field's attributes. */
  readonly field?: InputHTMLAttributes<HTMLInputElement>;
  onWritten(value: string): void;
  onGo(): void;
}

/** One field, and the button that sends it. */
export function LineForm({ id, label, go, value, mayGo, hint, field, onWritten, onGo }: LineFormProps) {
  return (
    <form
      onSubmit={(event) => {
        event.preventDefault();
        if (mayGo) onGo();
      }}
    >
      <label for={id}>{label}</label>
      <div class="row">
        <input
          {...field}
          id={id}
          autocomplete="off"
          value={value}
          aria-describedby={hint && `${id}-hint`}
          onInput={(event) => onWritten(event.currentTarget.value)}
        />
        <button type="submit" disabled={!mayGo}>
          {go}
        </button>
      </div>
      {hint && (
        <p class="marks" id={`${id}-hint`}>
          {hint}
        </p>
      )}
    </form>
  );
}
