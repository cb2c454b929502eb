import { take } from "../../../operate/console/api/api.ts";
import { useSubmission } from "../../../operate/console/api/requests.ts";
import { useConsole } from "../../../operate/console/frame/console.ts";
import { go } from "../../../operate/console/frame/navigation.tsx";
import { Title } from "../../../operate/console/parts/elements.tsx";
import { faultsOf } from "../../../operate/console/parts/form/faults.ts";
import { FormFrame } from "../../../operate/console/parts/form/form-frame.tsx";
import { useForm } from "../../../operate/console/parts/form/use-form.ts";
import type { MadeSecret } from "../../../operate/console/parts/secret/secret-once.tsx";
import { texts } from "./texts.ts";
import { WebhookFields } from "./webhook-fields.tsx";
import { bodyOf, newWebhook, webhookPaths } from "./webhook-values.ts";
import { addressOf } from "./webhooks-list.tsx";

interface NewWebhookProps {
  readonly types: readonly string[];
  reload(): Promise<void>;
  onMade(made: MadeSecret): void;
}

export function NewWebhook({ types, reload, onMade }: NewWebhookProps) {
  const { api, speech } = useConsole();
  const { isBusy, problem, submit } = useSubmission();
  const form = useForm(newWebhook, faultsOf(problem));

  const make = async () => {
    const made = await submit(() => take(api.ask.POST("/admin/webhooks", { body: bodyOf(form.values) })));
    if (made === null) return;
    await reload();
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
