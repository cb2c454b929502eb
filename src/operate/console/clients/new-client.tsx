import { take } from "../api/api.ts";
import { useSubmission } from "../api/requests.ts";
import { useConsole } from "../frame/console.ts";
import { go } from "../frame/navigation.tsx";
import { Title } from "../parts/elements.tsx";
import { faultsOf } from "../parts/form/faults.ts";
import { FormFrame } from "../parts/form/form-frame.tsx";
import { given } from "../parts/form/members.ts";
import { useForm } from "../parts/form/use-form.ts";
import type { MadeSecret } from "../parts/secret/secret-once.tsx";
import { ClientFields } from "./client-form.tsx";
import { clientPaths, membersOf, valuesOf } from "./client-values.ts";
import { addressOf } from "./clients-list.tsx";
import { texts } from "./texts.ts";

interface NewClientProps {
  reload(): Promise<void>;
  onMade(made: MadeSecret): void;
}

export function NewClient({ reload, onMade }: NewClientProps) {
  const { api, speech } = useConsole();
  const { isBusy, problem, submit } = useSubmission();
  const form = useForm(valuesOf({}), faultsOf(problem));

  const make = async () => {
    const { redirect_uris, ...members } = membersOf(form.values);
    const body = { redirect_uris, ...given(members) };
    const made = await submit(() => take(api.ask.POST("/admin/clients", { body })));
    if (made === null) return;
    await reload();
    go(addressOf({ client_id: made.client_id, source: "admin_api" }));
    // One with a key of its own has none.
    const secret = made.client_secret;
    if (secret !== undefined) onMade({ id: made.client_id, secret, note: speech.text(texts.secretNote) });
  };
  return (
    <>
      <Title text={speech.text(texts.newClient)} />
      <FormFrame
        label={speech.text(texts.newClient)}
        go={speech.text(texts.create)}
        isBusy={isBusy}
        problem={problem}
        paths={clientPaths}
        onGo={() => void make()}
        onCancel={() => go("/console/clients")}
      >
        <ClientFields form={form} isNew />
      </FormFrame>
    </>
  );
}
