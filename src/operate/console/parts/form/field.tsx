import type { ComponentChildren } from "preact";

/** What a field says of itself to readers of the screen. */
interface FieldProps {
  readonly id: string;
  readonly "aria-describedby": string | undefined;
  readonly "aria-invalid": "true" | undefined;
}

interface FrameProps {
  readonly id: string;
  readonly label: string;
  readonly hint?: string | undefined;
  /** What is wrong with what stands in it. */
  readonly errors: readonly string[];
  readonly children: (props: FieldProps) => ComponentChildren;
}

/** A field with its label, what may stand in it, and what is wrong with what does. */
export function Field({ id, label, hint, errors, children }: FrameProps) {
  return (
    <div class="field">
      <label for={id}>{label}</label>
      {hint && (
        <p class="hint" id={`${id}-hint`}>
          {hint}
        </p>
      )}
      {children(fieldProps(id, hint, errors))}
      <FieldErrors id={id} errors={errors} />
    </div>
  );
}

/** The same for several that belong together. */
export function FieldGroup({ id, label, hint, errors, children }: Omit<FrameProps, "children"> & GroupChildren) {
  const { "aria-describedby": describedBy } = fieldProps(id, hint, errors);
  return (
    <fieldset class="field" id={id} tabIndex={-1} aria-describedby={describedBy} data-faulty={errors.length > 0}>
      <legend>{label}</legend>
      {hint && (
        <p class="hint" id={`${id}-hint`}>
          {hint}
        </p>
      )}
      {children}
      <FieldErrors id={id} errors={errors} />
    </fieldset>
  );
}

interface GroupChildren {
  readonly children: ComponentChildren;
}

function FieldErrors({ id, errors }: { readonly id: string; readonly errors: readonly string[] }) {
  if (errors.length === 0) return null;
  return (
    <ul class="field-errors" id={`${id}-errors`}>
      {errors.map((error) => (
        <li key={error} dir="auto">
          {error}
        </li>
      ))}
    </ul>
  );
}

function fieldProps(id: string, hint: string | undefined, errors: readonly string[]): FieldProps {
  const describing = [hint && `${id}-hint`, errors.length > 0 && `${id}-errors`].filter(Boolean).join(" ");
  return {
    id,
    "aria-describedby": describing || undefined,
    "aria-invalid": errors.length > 0 ? "true" : undefined,
  };
}
