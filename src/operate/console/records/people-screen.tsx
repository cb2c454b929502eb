/** Who is signed in with a browser, and how people sign in. */
import { useMemo } from "preact/hooks";
import type { AdminAnswers } from "../../client/index.ts";
import { take } from "../api/api.ts";
import { useRequest } from "../api/requests.ts";
import { type Console, type ScreenProps, useConsole } from "../frame/console.ts";
import type { LocalizedTexts } from "../frame/speech.ts";
import { texts as frameTexts } from "../frame/texts.ts";
import { Title } from "../parts/elements.tsx";
import { roleColumn, roomsColumn } from "./cells.tsx";
import type { RecordKind } from "./record.ts";
import { Records } from "./record-section.tsx";

type Session = AdminAnswers["AdminSession"];

const everyMs = 15_000;

const texts = {
  sessions: { en: "Sessions", de: "Sitzungen" },
  who: { en: "Who", de: "Wer" },
  since: { en: "Signed in", de: "Angemeldet" },
  seen: { en: "Last seen", de: "Zuletzt gesehen" },
  ago: { en: "about {age} ago", de: "vor etwa {age}" },
  ends: { en: "Ends at the latest", de: "Endet spätestens" },
  endSession: { en: "End the session", de: "Sitzung beenden" },
  endWarning: {
    en: "{name} is signed out at all processes, and has to sign in again.",
    de: "{name} wird an allen Prozessen abgemeldet und muss sich neu anmelden.",
  },
  endCurrentSessionWarning: {
    en: "This is your own session: you are signed out, and have to sign in again.",
    de: "Das ist Ihre eigene Sitzung: Sie werden abgemeldet und müssen sich neu anmelden.",
  },
  signIn: { en: "How people sign in", de: "Wie man sich anmeldet" },
  provider: {
    en: "At the organisation's provider (admin.sign_in). Its rules say which claim gives which role; they stand in the configuration file.",
    de: "Beim Anbieter der Organisation (admin.sign_in). Seine Regeln sagen, welcher Claim welche Rolle gibt; sie stehen in der Konfigurationsdatei.",
  },
  noProvider: {
    en: "No provider is configured (admin.sign_in).",
    de: "Kein Anbieter ist eingerichtet (admin.sign_in).",
  },
  byKey: { en: "With an admin key.", de: "Mit einem Admin-Schlüssel." },
} satisfies LocalizedTexts;

/** @param current the session of this browser; null where it is not known, or a key asks */
function sessionsWith(current: string | null): RecordKind<Session, { readonly sessions: readonly Session[] }> {
  return {
    name: "session",
    collection: "/admin/sessions",
    parameter: "session",
    everyMs,
    texts: {
      what: {
        en: "Who is signed in with a browser. A session ends with the key that it was made with, by signing out, or here.",
        de: "Wer mit einem Browser angemeldet ist. Eine Sitzung endet mit dem Schlüssel, mit dem sie begann, durch Abmelden oder hier.",
      },
      none: { en: "Nobody is signed in with a browser.", de: "Niemand ist mit einem Browser angemeldet." },
    },
    rowsOf: (page) => page.sessions,
    idOf: ({ id }) => id,
    subjectOf: ({ principal }) => principal.name,
    wordsOf: ({ principal, role, rooms }, { speech }) => [
      principal.name,
      principal.id,
      speech.text(frameTexts.roles[role]),
      ...(rooms ?? []),
    ],
    columns: [
      {
        title: texts.who,
        cell: ({ id, principal }, { speech }) => (
          <>
            <span dir="auto">
              {principal.kind === "key" ? speech.text(frameTexts.key, { id: principal.id }) : principal.name}
            </span>
            {id === current && <span class="state state-good own">{speech.text(frameTexts.thisBrowser)}</span>}
            {principal.kind === "person" && (
              <p class="hint" dir="auto">
                {principal.id}
              </p>
            )}
          </>
        ),
      },
      roleColumn,
      roomsColumn,
      {
        title: texts.since,
        cell: ({ created_at: at }, context) => timeInWords(at, context),
      },
      {
        title: texts.seen,
        cell: ({ last_used_at: at }, { nowMs, speech }) =>
          at === null ? "–" : speech.text(texts.ago, { age: speech.age(nowMs - Date.parse(at)) }),
      },
      {
        title: texts.ends,
        cell: ({ expires_at: at }, context) => timeInWords(at, context),
      },
    ],
    steps: [
      {
        name: "end",
        does: "request",
        label: texts.endSession,
        isDangerous: true,
        isLast: true,
        question: ({ id, principal }, { speech }) => ({
          title: speech.text(texts.endSession),
          would: speech.text(id === current ? texts.endCurrentSessionWarning : texts.endWarning, {
            name: principal.name,
          }),
          typed: null,
        }),
        request: () => ({ method: "DELETE", path: "/admin/sessions/{session}" }),
      },
    ],
  };
}

function timeInWords(at: string | null, { nowMs, speech }: Console): string {
  return at === null ? "–" : speech.time(Date.parse(at), nowMs);
}

export function PeopleScreen({ title }: ScreenProps) {
  const { api, speech } = useConsole();
  const { answer: browser } = useRequest(() => take(api.ask.GET("/admin/session")), { of: [], everyMs });
  const current = browser?.session ?? null;
  const kind = useMemo(() => sessionsWith(current), [current]);
  return (
    <>
      <Title text={title} />
      <p>{speech.text(kind.texts.what)}</p>
      <Records kind={kind} label={speech.text(texts.sessions)} />
      {browser && (
        <section class="detail" aria-labelledby="ways-title">
          <h2 id="ways-title">{speech.text(texts.signIn)}</h2>
          <ul>
            <li>{speech.text(browser.sign_in.provider ? texts.provider : texts.noProvider)}</li>
            {browser.sign_in.key && <li>{speech.text(texts.byKey)}</li>}
          </ul>
        </section>
      )}
    </>
  );
}
