import { useState } from "preact/hooks";
import type { Problem } from "../../api/api.ts";
import { useConsole } from "../../frame/console.ts";
import { texts as frameTexts } from "../../frame/texts.ts";
import { faultsAt, faultsOf } from "../form/faults.ts";
import { TextField } from "../form/fields.tsx";
import { FormFrame } from "../form/form-frame.tsx";

interface NewSecretProps {
  readonly id: string;
  readonly isBusy: boolean;
  readonly problem: Problem | null;
  onGo(overlap: string): void;
  onCancel(): void;
}

/** Asks how long the secret before goes on working. */
export function NewSecret({ id, isBusy, problem, onGo, onCancel }: NewSecretProps) {
  const { speech } = useConsole();
  const [overlap, setOverlap] = useState("24h");
  const errors = faultsAt(faultsOf(problem), "overlap");
  return (
    <FormFrame
      label={speech.text(frameTexts.secret.create)}
      go={speech.text(frameTexts.secret.create)}
      isBusy={isBusy}
      mayGo={overlap.trim() !== ""}
      problem={problem}
      paths={["overlap"]}
      onGo={() => onGo(overlap.trim())}
      onCancel={onCancel}
    >
      <TextField
        id={id}
        label={speech.text(frameTexts.secret.overlap)}
        hint={speech.text(frameTexts.secret.overlapHint)}
        entry={{ value: overlap, errors, onValue: setOverlap }}
      />
    </FormFrame>
  );
}
