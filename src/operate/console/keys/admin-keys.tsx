import { useState } from "preact/hooks";
import { take, takeNothing } from "../api/api.ts";
import { useRequest, useSubmission } from "../api/requests.ts";
import { useConsole } from "../frame/console.ts";
import { texts as frameTexts } from "../frame/texts.ts";
import { ConfirmDialog, ProblemNote } from "../parts/elements.tsx";
import { allPages } from "../parts/list.ts";
import { ListTable } from "../parts/list-table.tsx";
import { NewSecret } from "../parts/secret/new-secret.tsx";
import { type MadeSecret, SecretOnce } from "../parts/secret/secret-once.tsx";
import { adminKeyColumns } from "./admin-key-columns.tsx";
import { NewAdminKey } from "./new-admin-key.tsx";
import { texts } from "./texts.ts";

const everyMs = 30_000;

type Doing = { readonly what: "make" } | { readonly what: "rotate" | "revoke"; readonly id: string };

/** The keys that operators and scripts send. */
export function AdminKeys() {
  const { api, nowMs, principal, speech } = useConsole();
  const { isBusy, problem, submit } = useSubmission();
  const [doing, setDoing] = useState<Doing | null>(null);
  const [made, setMade] = useState<MadeSecret | null>(null);
  const own = principal.kind === "key" ? principal.id : null;
  const request = useRequest(
    async () => {
      const pages = await allPages((query) => take(api.ask.GET("/admin/api-keys", { params: { query } })));
      return pages.flatMap(({ keys }) => keys);
    },
    { of: [], everyMs },
  );

  const rotate = async (key: string, overlap: string) => {
    const params = { path: { key } };
    const told = await submit(() => take(api.ask.POST("/admin/api-keys/{key}/rotate", { params, body: { overlap } })));
    if (told === null) return;
    setDoing(null);
    setMade({ id: key, secret: told.secret, note: speech.text(texts.admin.secretNote) });
    await request.reload();
  };
  const revoke = async (key: string) => {
    setDoing(null);
    await submit(() => takeNothing(api.ask.DELETE("/admin/api-keys/{key}", { params: { path: { key } } })));
    await request.reload();
  };
  return (
    <section aria-labelledby="admin-keys">
      <div class="list-head">
        <h2 id="admin-keys">{speech.text(texts.admin.title)}</h2>
        {doing?.what !== "make" && (
          <button type="button" onClick={() => setDoing({ what: "make" })}>
            {speech.text(texts.admin.newKey)}
          </button>
        )}
      </div>
      <p>{speech.text(texts.admin.what)}</p>
      {request.problem && <ProblemNote problem={request.problem} speech={speech} />}
      {problem && doing?.what !== "rotate" && <ProblemNote problem={problem} speech={speech} />}
      {made && (
        <SecretOnce
          key={made.secret}
          label={speech.text(texts.admin.secret, { id: made.id })}
          made={made}
          onDone={() => setMade(null)}
        />
      )}
      {doing?.what === "make" && (
        <NewAdminKey
          onMade={(told) => {
            setDoing(null);
            setMade(told);
            void request.reload();
          }}
          onCancel={() => setDoing(null)}
        />
      )}
      {doing?.what === "rotate" && (
        <>
          <h3 dir="auto">{speech.text(texts.admin.newSecret, { id: doing.id })}</h3>
          <NewSecret
            id="admin-key-overlap"
            isBusy={isBusy}
            problem={problem}
            onGo={(overlap) => void rotate(doing.id, overlap)}
            onCancel={() => setDoing(null)}
          />
        </>
      )}
      {request.answer === null && request.problem === null && <p>{speech.text(frameTexts.loading)}</p>}
      {request.answer && (
        <ListTable
          id="admin-keys-list"
          label={speech.text(texts.admin.title)}
          rows={request.answer}
          columns={adminKeyColumns({ speech, nowMs, own, isBusy, onStep: (what, id) => setDoing({ what, id }) })}
          empty={speech.text(texts.admin.none)}
          keyOf={({ id, source }) => `${id} ${source}`}
          wordsOf={({ id, role, rooms, note }) => [id, speech.text(frameTexts.roles[role]), note, ...(rooms ?? [])]}
        />
      )}
      {doing?.what === "revoke" && (
        <ConfirmDialog
          title={speech.text(texts.admin.revokeKey, { id: doing.id })}
          would={speech.text(doing.id === own ? texts.admin.revokeOwnWarning : texts.admin.revokeWarning)}
          typed={doing.id}
          onConfirm={() => void revoke(doing.id)}
          onCancel={() => setDoing((now) => (now?.what === "revoke" ? null : now))}
        />
      )}
    </section>
  );
}
