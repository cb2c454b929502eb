import { take } from "../api/api.ts";
import { useConsole } from "../context.ts";
import { go } from "../navigation/go.ts";
import { faultsOf } from "../parts/form/faults.ts";
import { FormFrame } from "../parts/form/form-frame.tsx";
import { useForm } from "../parts/form/use-form.ts";
import type { MadeSecret } from "../parts/secret/secret-once.tsx";
import { Title } from "../parts/title.tsx";
import { useAsking } from "../parts/use-asking.ts";
import { texts } from "./texts.ts";
import { WebhookFields } from "./webhook-fields.tsx";
import { bodyOf, newWebhook, webhookPaths } from "./webhook-values.ts";
import { addressOf } from "./webhooks-list.tsx";

interface NewWebhookProps {
  readonly types: readonly string[];
  again(): Promise<void>;
  onMade(made: MadeSecret): void;
}

export function NewWebhook({ types, again, onMade }: NewWebhookProps) {
  const { api, speech } = useConsole();
  const { isBusy, problem, ask } = useAsking();
  const form = useForm(newWebhook, faultsOf(problem));

  const make = async () => {
    const made = await ask(() => take(api.ask.POST("/admin/webhooks", { body: bodyOf(form.values) })));
    if (made === null) return;
    await again();
    go(addressOf(made.id));
    onMade({ id: made.id, secret: made.secret, note: speech.text(texts.secretNote) });
  };
  return (
    <>
      <Title text={speech.text(texts.newWebhook)} />
      <FormFrame
        label={speech.text(texts.newWebhook)}
        go={speech.text(texts.create)}
        isBusy={isBusy}
        problem={problem}
        paths={webhookPaths}
        onGo={() => void make()}
        onCancel={() => go("/console/webhooks")}
      >
        <WebhookFields form={form} types={types} />
      </FormFrame>
    </>
  );
}
