import { useState } from "preact/hooks";
import { take } from "../api/api.ts";
import { useConsole } from "../context.ts";
import { ConfirmDialog } from "../parts/confirm-dialog.tsx";
import { allPages } from "../parts/list/all-pages.ts";
import { ListTable } from "../parts/list/list-table.tsx";
import { ProblemNote } from "../parts/problem-note.tsx";
import { useAsked } from "../parts/use-asked.ts";
import { useAsking } from "../parts/use-asking.ts";
import { texts as frameTexts } from "../texts/frame.ts";
import { isEarly, type Key, type KeyStep, meaningOf } from "./key-steps.ts";
import { NewKey } from "./new-key.tsx";
import { keyColumns } from "./signing-key-columns.tsx";
import { texts } from "./texts.ts";

const everyMs = 30_000;

/** The keys of the issuers, from new to retired. */
export function SigningKeys() {
  const { api, nowMs, speech } = useConsole();
  const { isBusy, problem, ask } = useAsking();
  const [isMaking, setMaking] = useState(false);
  const [question, setQuestion] = useState<{ readonly key: Key; readonly step: KeyStep } | null>(null);
  const asked = useAsked(
    async () => {
      const pages = await allPages((query) => take(api.ask.GET("/admin/keys", { params: { query } })));
      return pages.flatMap(({ keys }) => keys);
    },
    { of: [], everyMs },
  );
  const keys = asked.answer ?? [];
  const issuers = [...new Set(keys.map(({ issuer }) => issuer))];
  const retired = keys.filter(({ state }) => state === "retired");

  const carryOut = async (key: Key, step: KeyStep) => {
    const force = isEarly(key, step, nowMs);
    const params = { path: { kid: key.kid } };
    setQuestion(null);
    await ask(() =>
      step === "stage"
        ? take(api.ask.POST("/admin/keys/{kid}/stage", { params, body: {} }))
        : take(api.ask.POST(`/admin/keys/{kid}/${step}`, { params, body: { force } })),
    );
    await asked.again();
  };
  const list = (label: string, rows: readonly Key[], id: string) => (
    <ListTable
      id={id}
      label={label}
      rows={rows}
      columns={keyColumns({
        speech,
        nowMs,
        isBusy,
        hasIssuers: issuers.length > 1,
        onStep: (key, step) => setQuestion({ key, step }),
      })}
      empty={speech.text(texts.signing.none)}
      keyOf={({ kid, issuer, purpose }) => `${issuer} ${purpose} ${kid}`}
      wordsOf={({ kid, issuer, purpose, alg, state }) => [kid, issuer, purpose, alg, state]}
    />
  );
  return (
    <section aria-labelledby="signing-keys">
      <div class="list-head">
        <h2 id="signing-keys">{speech.text(texts.signing.title)}</h2>
        {!isMaking && (
          <button type="button" onClick={() => setMaking(true)}>
            {speech.text(texts.signing.newKey)}
          </button>
        )}
      </div>
      <p>{speech.text(texts.signing.what)}</p>
      {asked.problem && <ProblemNote problem={asked.problem} speech={speech} />}
      {problem && <ProblemNote problem={problem} speech={speech} />}
      {isMaking && (
        <NewKey
          issuers={issuers}
          onMade={async () => {
            setMaking(false);
            await asked.again();
          }}
          onCancel={() => setMaking(false)}
        />
      )}
      {asked.answer === null && asked.problem === null && <p>{speech.text(frameTexts.loading)}</p>}
      {asked.answer &&
        list(
          speech.text(texts.signing.title),
          keys.filter(({ state }) => state !== "retired"),
          "keys",
        )}
      {retired.length > 0 && (
        <details>
          <summary>{speech.text(texts.signing.retired, { n: retired.length })}</summary>
          {list(speech.text(texts.signing.retired, { n: retired.length }), retired, "retired-keys")}
        </details>
      )}
      {question && (
        <ConfirmDialog
          title={speech.text(texts.signing.stepsOfKey[question.step], { kid: question.key.kid })}
          would={speech.text(meaningOf(question.key, question.step, nowMs))}
          typed={isEarly(question.key, question.step, nowMs) ? question.key.kid : null}
          onConfirm={() => void carryOut(question.key, question.step)}
          onCancel={() => setQuestion(null)}
        />
      )}
    </section>
  );
}
