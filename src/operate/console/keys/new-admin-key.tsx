import { take } from "../api/api.ts";
import { useConsole } from "../context.ts";
import { faultsOf } from "../parts/form/faults.ts";
import { ChoiceField, TextField } from "../parts/form/fields.tsx";
import { FormFrame } from "../parts/form/form-frame.tsx";
import { RoomsField } from "../parts/form/rooms-field.tsx";
import { entryOf, useForm } from "../parts/form/use-form.ts";
import type { MadeSecret } from "../parts/secret/secret-once.tsx";
import { useAsking } from "../parts/use-asking.ts";
import { adminKeyBody, adminKeyPaths, newAdminKey, roles } from "./admin-key-values.ts";

interface NewAdminKeyProps {
  onMade(made: MadeSecret): void;
  onCancel(): void;
}

export function NewAdminKey({ onMade, onCancel }: NewAdminKeyProps) {
  const { api, speech } = useConsole();
  const { isBusy, problem, ask } = useAsking();
  const form = useForm(newAdminKey, faultsOf(problem));

  const make = async () => {
    const made = await ask(() => take(api.ask.POST("/admin/api-keys", { body: adminKeyBody(form.values) })));
    if (made !== null) onMade({ id: made.id, secret: made.secret, note: speech.text("admin_key.secret.note") });
  };
  return (
    <FormFrame
      label={speech.text("admin_key.new")}
      go={speech.text("admin_key.make")}
      isBusy={isBusy}
      problem={problem}
      paths={adminKeyPaths}
      onGo={() => void make()}
      onCancel={onCancel}
    >
      <TextField
        id="admin-key-id"
        label={speech.text("admin_key.id")}
        hint={speech.text("admin_key.id.hint")}
        entry={entryOf(form, "id")}
        field={{ maxLength: 64 }}
      />
      <ChoiceField
        id="admin-key-role"
        label={speech.text("people.role")}
        hint={speech.text("admin_key.role.hint")}
        entry={entryOf(form, "role")}
        options={roles.map((each) => ({ value: each, text: speech.text(`role.${each}`) }))}
      />
      <RoomsField
        id="admin-key-rooms"
        label={speech.text("rooms")}
        hint={speech.text("admin_key.rooms.hint")}
        entry={entryOf(form, "rooms")}
      />
      <TextField
        id="admin-key-expires"
        label={speech.text("admin_key.expires")}
        hint={speech.text("admin_key.expires.hint")}
        entry={entryOf(form, "expires_at")}
        field={{ type: "datetime-local" }}
      />
      <TextField
        id="admin-key-note"
        label={speech.text("admin_key.note")}
        entry={entryOf(form, "note")}
        field={{ maxLength: 200 }}
      />
    </FormFrame>
  );
}
