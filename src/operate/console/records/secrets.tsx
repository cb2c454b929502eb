import { useEffect, useRef, useState } from "preact/hooks";
import type { Problem } from "../api/api.ts";
import { faultsAt, faultsOf } from "../forms/draft.ts";
import { FormFrame, LabelledField } from "../forms/form.tsx";
import { useConsole } from "../frame/console.ts";
import { texts as frameTexts } from "../frame/texts.ts";
import { CopyField } from "../parts/elements.tsx";

/** A secret that was just created. It is in the state of one screen and nowhere else. */
export interface NewSecret {
  /** Of its record. */
  readonly id: string;
  readonly label: string;
  readonly secret: string;
  /** What to do with it. */
  readonly note: string;
}

/** A secret, which Usher cannot show again: until the operator says so, or leaves the page. */
export function SecretOnce({
  secret: { label, secret, note },
  onDone,
}: {
  readonly secret: NewSecret;
  onDone(): void;
}) {
  const { speech } = useConsole();
  const section = useRef<HTMLElement>(null);
  useEffect(() => {
    section.current?.focus();
    // A browser may store a page that is left, and show it again as it was.
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

/** Asks how long the secret before goes on working. */
export function OverlapForm({
  id,
  isBusy,
  problem,
  onSubmit,
  onCancel,
}: {
  readonly id: string;
  readonly isBusy: boolean;
  readonly problem: Problem | null;
  onSubmit(overlap: string): void;
  onCancel(): void;
}) {
  const { speech } = useConsole();
  const [overlap, setOverlap] = useState("24h");
  return (
    <FormFrame
      label={speech.text(frameTexts.secret.create)}
      submitLabel={speech.text(frameTexts.secret.create)}
      isBusy={isBusy}
      canSubmit={overlap.trim() !== ""}
      problem={problem}
      paths={["overlap"]}
      onSubmit={() => onSubmit(overlap.trim())}
      onCancel={onCancel}
    >
      <LabelledField
        field={{ path: "overlap", allowed: { kind: "text", lengthMax: 0 } }}
        id={id}
        label={speech.text(frameTexts.secret.overlap)}
        hint={speech.text(frameTexts.secret.overlapHint)}
        text={overlap}
        errors={faultsAt(faultsOf(problem), "overlap")}
        onText={setOverlap}
      />
    </FormFrame>
  );
}

/** When each secret was created, and until when it works. */
export function Secrets({
  secrets,
}: {
  readonly secrets: readonly { readonly created_at: string | null; readonly expires_at: string | null }[];
}) {
  const { nowMs, speech } = useConsole();
  const time = (at: string) => speech.time(Date.parse(at), nowMs);
  if (secrets.length === 0) return <>–</>;
  return (
    <ul class="plain">
      {secrets.map(({ created_at: createdAt, expires_at: expiresAt }, index) => (
        <li key={createdAt ?? index}>
          {createdAt === null
            ? speech.text(frameTexts.secret.fromFile)
            : speech.text(frameTexts.secret.createdAt, { time: time(createdAt) })}
          {expiresAt !== null && ` · ${speech.text(frameTexts.secret.validUntil, { time: time(expiresAt) })}`}
        </li>
      ))}
    </ul>
  );
}
