import { useState } from "preact/hooks";
import { take } from "../../../operate/console/api/api.ts";
import { useSubmission } from "../../../operate/console/api/requests.ts";
import { useConsole } from "../../../operate/console/frame/console.ts";
import { texts as frameTexts } from "../../../operate/console/frame/texts.ts";
import { faultsOf } from "../../../operate/console/parts/form/faults.ts";
import { FormFrame } from "../../../operate/console/parts/form/form-frame.tsx";
import { patchOf } from "../../../operate/console/parts/form/members.ts";
import { useForm } from "../../../operate/console/parts/form/use-form.ts";
import { WebhookFields } from "./webhook-fields.tsx";
import { membersOf, valuesOf, type Webhook, webhookPaths } from "./webhook-values.ts";

interface EditWebhookProps {
  readonly webhook: Webhook;
  readonly types: readonly string[];
  onSaved(): Promise<void>;
  onCancel(): void;
}

/** Changes what was changed here and nothing else: another operator may change the rest meanwhile. */
export function EditWebhook({ webhook, types, onSaved, onCancel }: EditWebhookProps) {
  const { api, speech } = useConsole();
  const { isBusy, problem, submit } = useSubmission();
  // As it was when this began: the list is asked anew meanwhile.
  const [before] = useState(() => valuesOf(webhook));
  const form = useForm(before, faultsOf(problem));
  const { url, format, enabled, ...patch } = patchOf(membersOf(before), membersOf(form.values));
  // These have no usual value to go back to.
  const body = {
    ...patch,
    ...(url != null && { url }),
    ...(format && { format }),
    ...(enabled != null && { enabled }),
  };

  const save = async () => {
    const params = { path: { webhook: webhook.id } };
    const saved = await submit(() => take(api.ask.PATCH("/admin/webhooks/{webhook}", { params, body })));
    if (saved !== null) await onSaved();
  };
  return (
    <FormFrame
      label={speech.text(frameTexts.list.edit)}
      go={speech.text(frameTexts.form.save)}
      isBusy={isBusy}
      mayGo={Object.keys(body).length > 0}
      problem={problem}
      paths={webhookPaths}
      onGo={() => void save()}
      onCancel={onCancel}
    >
      <WebhookFields form={form} types={types} />
    </FormFrame>
  );
}
