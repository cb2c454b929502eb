import { useState } from "preact/hooks";
import { take } from "../api/api.ts";
import { useSubmission } from "../api/requests.ts";
import { useConsole } from "../frame/console.ts";
import { texts as frameTexts } from "../frame/texts.ts";
import { faultsOf } from "../parts/form/faults.ts";
import { FormFrame } from "../parts/form/form-frame.tsx";
import { patchOf } from "../parts/form/members.ts";
import { useForm } from "../parts/form/use-form.ts";
import { ClientFields } from "./client-form.tsx";
import { type Client, clientPaths, membersOf, valuesOf } from "./client-values.ts";

interface EditClientProps {
  readonly client: Client;
  onSaved(): Promise<void>;
  onCancel(): void;
}

/** Changes what was changed here and nothing else: another operator may change the rest meanwhile. */
export function EditClient({ client: { client_id: id, document }, onSaved, onCancel }: EditClientProps) {
  const { api, speech } = useConsole();
  const { isBusy, problem, submit } = useSubmission();
  // As it was when this began: the list is asked anew meanwhile.
  const [before] = useState(() => valuesOf(document ?? {}));
  const form = useForm(before, faultsOf(problem));
  const patch = patchOf(membersOf(before), membersOf(form.values));

  const save = async () => {
    const hadRoom = document !== null && "room" in document && patch.rooms !== undefined;
    const body = { ...patch, ...(hadRoom && { room: null }) };
    const saved = await submit(() =>
      take(api.ask.PATCH("/admin/clients/{client}", { params: { path: { client: id } }, body })),
    );
    if (saved !== null) await onSaved();
  };
  return (
    <FormFrame
      label={speech.text(frameTexts.list.edit)}
      go={speech.text(frameTexts.form.save)}
      isBusy={isBusy}
      mayGo={Object.keys(patch).length > 0}
      problem={problem}
      paths={clientPaths}
      onGo={() => void save()}
      onCancel={onCancel}
    >
      <ClientFields form={form} isNew={false} />
    </FormFrame>
  );
}
