import { useState } from "preact/hooks";
import { take, takeNothing } from "../api/api.ts";
import { useConsole } from "../context.ts";
import type { ScreenProps } from "../navigation/screen.ts";
import { ConfirmDialog } from "../parts/confirm-dialog.tsx";
import { allPages } from "../parts/list/all-pages.ts";
import { ListTable } from "../parts/list/list-table.tsx";
import { ProblemNote } from "../parts/problem-note.tsx";
import { Title } from "../parts/title.tsx";
import { useAsked } from "../parts/use-asked.ts";
import { useAsking } from "../parts/use-asking.ts";
import { texts as frameTexts } from "../texts/frame.ts";
import { columnsOf, type Session } from "./session-columns.tsx";
import { texts } from "./texts.ts";
import { WaysIn } from "./ways-in.tsx";

const everyMs = 15_000;

/** Who is signed in with a browser, and by what ways people come in. */
export function PeopleScreen({ title }: ScreenProps) {
  const { api, nowMs, speech } = useConsole();
  const { isBusy, problem, ask } = useAsking();
  const [ending, setEnding] = useState<Session | null>(null);
  const asked = useAsked(
    async () => {
      const pages = await allPages((query) => take(api.ask.GET("/admin/sessions", { params: { query } })));
      const own = await take(api.ask.GET("/admin/session"));
      return { sessions: pages.flatMap(({ sessions }) => sessions), own };
    },
    { of: [], everyMs },
  );
  const own = asked.answer?.own.session ?? null;

  const end = async (session: string) => {
    setEnding(null);
    await ask(() => takeNothing(api.ask.DELETE("/admin/sessions/{session}", { params: { path: { session } } })));
    await asked.again();
  };
  return (
    <>
      <Title text={title} />
      <p>{speech.text(texts.what)}</p>
      {asked.problem && <ProblemNote problem={asked.problem} speech={speech} />}
      {problem && <ProblemNote problem={problem} speech={speech} />}
      {asked.answer === null && asked.problem === null && <p>{speech.text(frameTexts.loading)}</p>}
      {asked.answer && (
        <>
          <ListTable
            id="sessions"
            label={speech.text(texts.sessions)}
            rows={asked.answer.sessions}
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
          <WaysIn signIn={asked.answer.own.sign_in} />
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
