import { useState } from "preact/hooks";
import { take, takeNothing } from "../api/api.ts";
import { useRequest, useSubmission } from "../api/requests.ts";
import type { ScreenProps } from "../frame/console.ts";
import { useConsole } from "../frame/console.ts";
import { texts as frameTexts } from "../frame/texts.ts";
import { ConfirmDialog, ProblemNote, Title } from "../parts/elements.tsx";
import { allPages } from "../parts/list.ts";
import { ListTable } from "../parts/list-table.tsx";
import { columnsOf, type Session } from "./session-columns.tsx";
import { texts } from "./texts.ts";
import { WaysIn } from "./ways-in.tsx";

const everyMs = 15_000;

/** Who is signed in with a browser, and by what ways people come in. */
export function PeopleScreen({ title }: ScreenProps) {
  const { api, nowMs, speech } = useConsole();
  const { isBusy, problem, submit } = useSubmission();
  const [ending, setEnding] = useState<Session | null>(null);
  const request = useRequest(
    async () => {
      const pages = await allPages((query) => take(api.ask.GET("/admin/sessions", { params: { query } })));
      const own = await take(api.ask.GET("/admin/session"));
      return { sessions: pages.flatMap(({ sessions }) => sessions), own };
    },
    { of: [], everyMs },
  );
  const own = request.answer?.own.session ?? null;

  const end = async (session: string) => {
    setEnding(null);
    await submit(() => takeNothing(api.ask.DELETE("/admin/sessions/{session}", { params: { path: { session } } })));
    await request.reload();
  };
  return (
    <>
      <Title text={title} />
      <p>{speech.text(texts.what)}</p>
      {request.problem && <ProblemNote problem={request.problem} speech={speech} />}
      {problem && <ProblemNote problem={problem} speech={speech} />}
      {request.answer === null && request.problem === null && <p>{speech.text(frameTexts.loading)}</p>}
      {request.answer && (
        <>
          <ListTable
            id="sessions"
            label={speech.text(texts.sessions)}
            rows={request.answer.sessions}
            columns={columnsOf({ speech, nowMs, own, isBusy, onEnd: setEnding })}
            empty={speech.text(texts.none)}
            keyOf={({ id }) => id}
            wordsOf={({ principal, role, rooms }) => [
              principal.name,
              principal.id,
              speech.text(frameTexts.roles[role]),
              ...(rooms ?? []),
            ]}
          />
          <WaysIn signIn={request.answer.own.sign_in} />
        </>
      )}
      {ending && (
        <ConfirmDialog
          title={speech.text(texts.endSession)}
          would={speech.text(ending.id === own ? texts.endOwnWarning : texts.endWarning, {
            name: ending.principal.name,
          })}
          typed={null}
          onConfirm={() => void end(ending.id)}
          onCancel={() => setEnding(null)}
        />
      )}
    </>
  );
}
