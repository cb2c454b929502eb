import { useState } from "preact/hooks";
import { take } from "../api/api.ts";
import { useRequest, useSubmission } from "../api/requests.ts";
import { useConsole } from "../frame/console.ts";
import { texts as frameTexts } from "../frame/texts.ts";
import { ConfirmDialog, ProblemNote } from "../parts/elements.tsx";
import { allPages } from "../parts/list.ts";
import { ListTable } from "../parts/list-table.tsx";
import { isEarly, type Key, type KeyStep, meaningOf } from "./key-steps.ts";
import { NewKey } from "./new-key.tsx";
import { keyColumns } from "./signing-key-columns.tsx";
import { texts } from "./texts.ts";

const everyMs = 30_000;

/** The keys of the issuers, from new to retired. */
export function SigningKeys() {
  const { api, nowMs, speech } = useConsole();
  const { isBusy, problem, submit } = useSubmission();
  const [isMaking, setMaking] = useState(false);
  const [question, setQuestion] = useState<{ readonly key: Key; readonly step: KeyStep } | null>(null);
  const request = useRequest(
    async () => {
      const pages = await allPages((query) => take(api.ask.GET("/admin/keys", { params: { query } })));
      return pages.flatMap(({ keys }) => keys);
    },
    { of: [], everyMs },
  );
  const keys = request.answer ?? [];
  const issuers = [...new Set(keys.map(({ issuer }) => issuer))];
  const retired = keys.filter(({ state }) => state === "retired");

  const carryOut = async (key: Key, step: KeyStep) => {
    const force = isEarly(key, step, nowMs);
    const params = { path: { kid: key.kid } };
    setQuestion(null);
    await submit(() =>
      step === "stage"
        ? take(api.ask.POST("/admin/keys/{kid}/stage", { params, body: {} }))
        : take(api.ask.POST(`/admin/keys/{kid}/${step}`, { params, body: { force } })),
    );
    await request.reload();
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
      {request.problem && <ProblemNote problem={request.problem} speech={speech} />}
      {problem && <ProblemNote problem={problem} speech={speech} />}
      {isMaking && (
        <NewKey
          issuers={issuers}
          onMade={async () => {
            setMaking(false);
            await request.reload();
          }}
          onCancel={() => setMaking(false)}
        />
      )}
      {request.answer === null && request.problem === null && <p>{speech.text(frameTexts.loading)}</p>}
      {request.answer &&
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
