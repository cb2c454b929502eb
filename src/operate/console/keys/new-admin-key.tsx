import { take } from "../api/api.ts";
import { useSubmission } from "../api/requests.ts";
import { useConsole } from "../frame/console.ts";
import { texts as frameTexts } from "../frame/texts.ts";
import { faultsOf } from "../parts/form/faults.ts";
import { ChoiceField, TextField } from "../parts/form/fields.tsx";
import { FormFrame } from "../parts/form/form-frame.tsx";
import { RoomsField } from "../parts/form/rooms-field.tsx";
import { entryOf, useForm } from "../parts/form/use-form.ts";
import type { MadeSecret } from "../parts/secret/secret-once.tsx";
import { adminKeyBody, adminKeyPaths, newAdminKey, roles } from "./admin-key-values.ts";
import { texts } from "./texts.ts";

interface NewAdminKeyProps {
  onMade(made: MadeSecret): void;
  onCancel(): void;
}

export function NewAdminKey({ onMade, onCancel }: NewAdminKeyProps) {
  const { api, speech } = useConsole();
  const { isBusy, problem, submit } = useSubmission();
  const form = useForm(newAdminKey, faultsOf(problem));

  const make = async () => {
    const made = await submit(() => take(api.ask.POST("/admin/api-keys", { body: adminKeyBody(form.values) })));
    if (made !== null) onMade({ id: made.id, secret: made.secret, note: speech.text(texts.admin.secretNote) });
  };
  return (
    <FormFrame
      label={speech.text(texts.admin.newKey)}
      go={speech.text(texts.admin.create)}
      isBusy={isBusy}
      problem={problem}
      paths={adminKeyPaths}
      onGo={() => void make()}
      onCancel={onCancel}
    >
      <TextField
        id="admin-key-id"
        label={speech.text(texts.admin.name)}
        hint={speech.text(texts.admin.nameHint)}
        entry={entryOf(form, "id")}
        field={{ maxLength: 64 }}
      />
      <ChoiceField
        id="admin-key-role"
        label={speech.text(frameTexts.record.role)}
        hint={speech.text(texts.admin.roleHint)}
        entry={entryOf(form, "role")}
        options={roles.map((each) => ({ value: each, text: speech.text(frameTexts.roles[each]) }))}
      />
      <RoomsField
        id="admin-key-rooms"
        label={speech.text(frameTexts.rooms)}
        hint={speech.text(texts.admin.roomsHint)}
        entry={entryOf(form, "rooms")}
      />
      <TextField
        id="admin-key-expires"
        label={speech.text(texts.admin.expires)}
        hint={speech.text(texts.admin.expiresHint)}
        entry={entryOf(form, "expires_at")}
        field={{ type: "datetime-local" }}
      />
      <TextField
        id="admin-key-note"
        label={speech.text(frameTexts.record.note)}
        entry={entryOf(form, "note")}
        field={{ maxLength: 200 }}
      />
    </FormFrame>
  );
}
