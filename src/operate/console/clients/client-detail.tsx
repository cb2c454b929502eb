import { useState } from "preact/hooks";
import { take, takeNothing } from "../api/api.ts";
import { useSubmission } from "../api/requests.ts";
import { useConsole } from "../frame/console.ts";
import { go } from "../frame/navigation.tsx";
import { texts as frameTexts } from "../frame/texts.ts";
import { ConfirmDialog, ProblemNote, Title } from "../parts/elements.tsx";
import { NewSecret } from "../parts/secret/new-secret.tsx";
import { type MadeSecret, SecretOnce } from "../parts/secret/secret-once.tsx";
import { ClientSettings } from "./client-settings.tsx";
import type { Client } from "./client-values.ts";
import { ClientStatus } from "./clients-list.tsx";
import { EditClient } from "./edit-client.tsx";
import { RelyingParty } from "./relying-party.tsx";
import { texts } from "./texts.ts";

interface ClientDetailProps {
  /** Of the screen. */
  readonly title: string;
  readonly id: string;
  /** Undefined where there is none: it was deleted, maybe by somebody else. */
  readonly client: Client | undefined;
  readonly made: MadeSecret | null;
  reload(): Promise<void>;
  onMade(made: MadeSecret | null): void;
}

export function ClientDetail({ title, id, client, made, reload, onMade }: ClientDetailProps) {
  const { api, nowMs, speech } = useConsole();
  const { isBusy, problem, submit } = useSubmission();
  const [doing, setDoing] = useState<"edit" | "secret" | "delete" | null>(null);
  const [said, setSaid] = useState("");
  const params = { path: { client: id } };

  const makeSecret = async (overlap: string) => {
    const told = await submit(() =>
      take(api.ask.POST("/admin/clients/{client}/secret", { params, body: { overlap } })),
    );
    if (told === null) return;
    setDoing(null);
    const end = told.previous_secret_expires_at;
    const isOver = end === null || Date.parse(end) <= nowMs;
    const before = isOver
      ? speech.text(frameTexts.secret.previousEnded)
      : speech.text(frameTexts.secret.previous, { time: speech.time(Date.parse(end), nowMs) });
    onMade({ id, secret: told.client_secret, note: `${speech.text(texts.secretNote)} ${before}` });
    await reload();
  };
  const remove = async () => {
    setDoing(null);
    const isGone = await submit(async () => {
      await takeNothing(api.ask.DELETE("/admin/clients/{client}", { params }));
      return true;
    });
    if (isGone === null) return;
    await reload();
    go("/console/clients");
  };

  return (
    <>
      <p class="way-back">
        <a href="/console/clients">{title}</a>
      </p>
      <Title text={id} />
      {client === undefined && <p>{speech.text(texts.missing)}</p>}
      {client && <ClientStatus client={client} />}
      <p role="status">{said}</p>
      {problem && doing !== "secret" && <ProblemNote problem={problem} speech={speech} />}
      {made && (
        <SecretOnce key={made.secret} label={speech.text(texts.secret)} made={made} onDone={() => onMade(null)} />
      )}
      {client?.source === "file" && <p class="hint">{speech.text(frameTexts.record.fromFile)}</p>}
      {client?.source === "admin_api" && doing !== "edit" && doing !== "secret" && (
        <div class="row list-head">
          <button type="button" onClick={() => setDoing("edit")}>
            {speech.text(frameTexts.list.edit)}
          </button>
          {client.secrets.length > 0 && (
            <button type="button" onClick={() => setDoing("secret")}>
              {speech.text(frameTexts.secret.create)}
            </button>
          )}
          <button type="button" class="danger" disabled={isBusy} onClick={() => setDoing("delete")}>
            {speech.text(frameTexts.list.remove)}
          </button>
        </div>
      )}
      {client && doing === "edit" && (
        <EditClient
          client={client}
          onCancel={() => setDoing(null)}
          onSaved={async () => {
            setDoing(null);
            setSaid(speech.text(frameTexts.form.saved));
            await reload();
          }}
        />
      )}
      {client && doing === "secret" && (
        <NewSecret
          id="client-overlap"
          isBusy={isBusy}
          problem={problem}
          onGo={(overlap) => void makeSecret(overlap)}
          onCancel={() => setDoing(null)}
        />
      )}
      {client && doing === null && (
        <>
          <RelyingParty client={client} />
          <ClientSettings client={client} />
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
