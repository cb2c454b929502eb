import { useState } from "preact/hooks";
import { take, takeNothing } from "../../../operate/console/api/api.ts";
import { useSubmission } from "../../../operate/console/api/requests.ts";
import { useConsole } from "../../../operate/console/frame/console.ts";
import { go } from "../../../operate/console/frame/navigation.tsx";
import { texts as frameTexts } from "../../../operate/console/frame/texts.ts";
import { ConfirmDialog, ProblemNote, Title } from "../../../operate/console/parts/elements.tsx";
import { NewSecret } from "../../../operate/console/parts/secret/new-secret.tsx";
import { type MadeSecret, SecretOnce } from "../../../operate/console/parts/secret/secret-once.tsx";
import { type Attempt, AttemptNote } from "./attempt-note.tsx";
import { DeadLetters } from "./dead-letters.tsx";
import { EditWebhook } from "./edit-webhook.tsx";
import { texts } from "./texts.ts";
import { WebhookFacts } from "./webhook-facts.tsx";
import type { Webhook } from "./webhook-values.ts";

interface WebhookDetailProps {
  /** Of the screen. */
  readonly title: string;
  readonly id: string;
  /** Undefined where there is none: it was deleted, maybe by somebody else. */
  readonly webhook: Webhook | undefined;
  readonly types: readonly string[];
  readonly made: MadeSecret | null;
  reload(): Promise<void>;
  onMade(made: MadeSecret | null): void;
}

export function WebhookDetail({ title, id, webhook, types, made, reload, onMade }: WebhookDetailProps) {
  const { api, speech } = useConsole();
  const { isBusy, problem, submit } = useSubmission();
  const [doing, setDoing] = useState<"edit" | "secret" | "delete" | null>(null);
  const [attempt, setAttempt] = useState<Attempt | null>(null);
  const [said, setSaid] = useState("");
  const params = { path: { webhook: id } };

  const test = async () => {
    setAttempt(null);
    setAttempt(await submit(() => take(api.ask.POST("/admin/webhooks/{webhook}/test", { params }))));
  };
  const makeSecret = async (overlap: string) => {
    const told = await submit(() =>
      take(api.ask.POST("/admin/webhooks/{webhook}/secret", { params, body: { overlap } })),
    );
    if (told === null) return;
    setDoing(null);
    onMade({ id, secret: told.secret, note: speech.text(texts.secretNote) });
    await reload();
  };
  const remove = async () => {
    setDoing(null);
    const isGone = await submit(async () => {
      await takeNothing(api.ask.DELETE("/admin/webhooks/{webhook}", { params }));
      return true;
    });
    if (isGone === null) return;
    await reload();
    go("/console/webhooks");
  };

  return (
    <>
      <p class="way-back">
        <a href="/console/webhooks">{title}</a>
      </p>
      <Title text={id} />
      {webhook === undefined && <p>{speech.text(texts.gone)}</p>}
      <p role="status">{said}</p>
      {problem && doing !== "secret" && <ProblemNote problem={problem} speech={speech} />}
      {made && (
        <SecretOnce key={made.secret} label={speech.text(texts.secret)} made={made} onDone={() => onMade(null)} />
      )}
      {webhook?.source === "file" && <p class="hint">{speech.text(frameTexts.record.fromFile)}</p>}
      {webhook && doing !== "edit" && doing !== "secret" && (
        <div class="row list-head">
          <button type="button" disabled={isBusy} onClick={() => void test()}>
            {speech.text(texts.test)}
          </button>
          {webhook.source === "admin_api" && (
            <>
              <button type="button" onClick={() => setDoing("edit")}>
                {speech.text(frameTexts.list.edit)}
              </button>
              <button type="button" onClick={() => setDoing("secret")}>
                {speech.text(frameTexts.secret.create)}
              </button>
              <button type="button" class="danger" disabled={isBusy} onClick={() => setDoing("delete")}>
                {speech.text(frameTexts.list.remove)}
              </button>
            </>
          )}
        </div>
      )}
      {attempt && <AttemptNote attempt={attempt} />}
      {webhook && doing === "edit" && (
        <EditWebhook
          webhook={webhook}
          types={types}
          onCancel={() => setDoing(null)}
          onSaved={async () => {
            setDoing(null);
            setSaid(speech.text(frameTexts.form.saved));
            await reload();
          }}
        />
      )}
      {webhook && doing === "secret" && (
        <NewSecret
          id="webhook-overlap"
          isBusy={isBusy}
          problem={problem}
          onGo={(overlap) => void makeSecret(overlap)}
          onCancel={() => setDoing(null)}
        />
      )}
      {webhook && doing === null && (
        <>
          <WebhookFacts webhook={webhook} />
          <DeadLetters id={id} />
        </>
      )}
      {doing === "delete" && (
        <ConfirmDialog
          title={speech.text(frameTexts.record.delete, { id })}
          would={speech.text(texts.deleteWarning)}
          typed={id}
          onConfirm={() => void remove()}
          onCancel={() => setDoing((now) => (now === "delete" ? null : now))}
        />
      )}
    </>
  );
}
