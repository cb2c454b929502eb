import { useEffect, useRef } from "preact/hooks";
import { useConsole } from "../../frame/console.ts";
import { texts as frameTexts } from "../../frame/texts.ts";
import { CopyField } from "../elements.tsx";

/** A secret that was just made. It is in the state of one screen and nowhere else. */
export interface MadeSecret {
  /** Whose it is. */
  readonly id: string;
  readonly secret: string;
  /** What to do with it. */
  readonly note: string;
}

interface SecretOnceProps {
  readonly label: string;
  readonly made: MadeSecret;
  onDone(): void;
}

/** A secret, which Usher cannot show again: until whoever made it has it, or leaves. */
export function SecretOnce({ label, made: { secret, note }, onDone }: SecretOnceProps) {
  const { speech } = useConsole();
  const section = useRef<HTMLElement>(null);
  useEffect(() => {
    section.current?.focus();
    // A page that is left may be kept, and come back with what was on it.
    addEventListener("pagehide", onDone);
    return () => removeEventListener("pagehide", onDone);
  }, []);
  return (
    <section class="secret" ref={section} tabIndex={-1} aria-label={label}>
      <h2>{label}</h2>
      <p>{note}</p>
      <CopyField label={label} value={secret} />
      <p>
        <strong>{speech.text(frameTexts.secret.once)}</strong>
      </p>
      <button type="button" onClick={onDone}>
        {speech.text(frameTexts.secret.done)}
      </button>
    </section>
  );
}
