/** The last rehearsal of a room, for the checklist before a sale. */
import type { AdminAnswers } from "../../../operate/client/index.ts";
import { take } from "../../../operate/console/api/api.ts";
import { useRequest } from "../../../operate/console/api/requests.ts";
import type { Line, State } from "../../../operate/console/before/lines.ts";
import { type ChecklistPart, useConsole } from "../../../operate/console/frame/console.ts";
import type { Localized, LocalizedTexts } from "../../../operate/console/frame/speech.ts";
import { CopyField } from "../../../operate/console/parts/elements.tsx";

const everyMs = 3_000;

const texts = {
  never: {
    en: "The room was not rehearsed with a crowd yet.",
    de: "Der Raum wurde noch nicht mit einer Menge geprobt.",
  },
  stopped: {
    en: "The last rehearsal was stopped before its end.",
    de: "Die letzte Probe wurde vor ihrem Ende abgebrochen.",
  },
  mend: {
    en: "The last rehearsal, with {n} visitors, found something to mend:",
    de: "Die letzte Probe mit {n} Besuchern hat etwas zu beheben gefunden:",
  },
  changed: {
    en: "The last rehearsal, with {n} visitors, went well. Settings that were changed since:",
    de: "Die letzte Probe mit {n} Besuchern ging gut. Seither geänderte Einstellungen:",
  },
  done: {
    en: "The last rehearsal, with {n} visitors, went well, and no setting was changed since.",
    de: "Die letzte Probe mit {n} Besuchern ging gut, und seither wurde keine Einstellung geändert.",
  },
  title: { en: "Rehearsal with a crowd", de: "Probe mit einer Menge" },
  how: {
    en: "It runs on another machine, so that the gateway does not load itself, with an operator's key in USHER_ADMIN_API_KEY. Its result comes here by itself.",
    de: "Sie läuft auf einem anderen Rechner, damit sich das Gateway nicht selbst belastet, mit dem Schlüssel eines Operators in USHER_ADMIN_API_KEY. Ihr Ergebnis kommt von selbst hierher.",
  },
  notMarked: {
    en: "The room has to be marked as a rehearsal first, and to have a line.",
    de: "Der Raum muss zuerst als Probe markiert sein und eine Schlange haben.",
  },
  command: { en: "Command", de: "Befehl" },
  last: { en: "The last one ended {at}, by {who}, {way}.", de: "Die letzte endete {at}, von {who}, {way}." },
  ways: {
    login: { en: "by logins of its own", de: "mit eigenen Anmeldungen" },
    link: { en: "by the link to the room", de: "über den Link zum Raum" },
    site: { en: "through the site", de: "durch die Site" },
  },
  arrived: { en: "came", de: "gekommen" },
  joined: { en: "joined", de: "angestellt" },
  admitted: { en: "let in", de: "hineingelassen" },
  noShows: { en: "did not come", de: "nicht erschienen" },
  peak: { en: "most in a minute", de: "höchstens in einer Minute" },
  exact: {
    en: "Visitors saw exactly what the gateways counted.",
    de: "Besucher sahen genau, was die Gateways zählten.",
  },
  differs: {
    en: "Visitors saw something else than the gateways counted.",
    de: "Besucher sahen etwas anderes, als die Gateways zählten.",
  },
  uncounted: { en: "No gateway said what it counted.", de: "Kein Gateway sagte, was es zählte." },
} satisfies LocalizedTexts;

/** The line, and the command that rehearses the room, with what the last one came to. */
export function useRehearsal(room: string, details: AdminAnswers["Room"] | null): ChecklistPart {
  const { api } = useConsole();
  const params = { path: { room } };
  const { answer, problem } = useRequest(() => take(api.ask.GET("/admin/rooms/{room}/rehearsal", { params })), {
    of: [room],
    everyMs,
  });
  const last = answer?.last ?? null;
  return {
    lines: answer === null ? null : [rehearsalLine(last)],
    problem,
    section: <RehearsalPart room={room} last={last} isMarked={details?.settings.rehearsal === true} />,
  };
}

/** Whether the last rehearsal was as good as the sale wants it. */
export function rehearsalLine(last: AdminAnswers["RehearsalResult"]["last"]): Line {
  const line = (state: State, text: Localized, quotes: readonly string[] = []): Line => ({
    name: "rehearsal",
    state,
    text,
    values: { n: last?.visitors ?? 0 },
    named: {},
    quotes,
    at: null,
    atMs: last === null ? null : Date.parse(last.at),
  });
  if (last === null) return line("left", texts.never);
  if (last.stopped) return line("left", texts.stopped);
  if (last.mend.length > 0)
    return line(
      "left",
      texts.mend,
      last.mend.map(({ text }) => text),
    );
  if (last.changed_since.length > 0) return line("look", texts.changed, last.changed_since);
  return line("done", texts.done);
}

interface RehearsalPartProps {
  readonly room: string;
  readonly last: AdminAnswers["RehearsalResult"]["last"];
  readonly isMarked: boolean;
}

/** The command that rehearses this room, which runs elsewhere, and what the last one came to. */
function RehearsalPart({ room, last, isMarked }: RehearsalPartProps) {
  const { nowMs, speech } = useConsole();
  const command = `usher rehearse ${room} --url ${location.origin} --visitors 1000 --minutes 10`;
  return (
    <section class="control" aria-labelledby="rehearsal-title">
      <h2 id="rehearsal-title">{speech.text(texts.title)}</h2>
      <p>{speech.text(texts.how)}</p>
      {!isMarked && <p>{speech.text(texts.notMarked)}</p>}
      <CopyField label={speech.text(texts.command)} value={command} />
      {last && (
        <>
          <p>
            {speech.text(texts.last, {
              who: last.by.name ?? last.by.id,
              at: speech.time(Date.parse(last.at), nowMs),
              way: speech.text(texts.ways[last.way]),
            })}
          </p>
          <dl class="facts">
            <Fact name={speech.text(texts.arrived)} value={last.arrived} />
            <Fact name={speech.text(texts.joined)} value={last.joined} />
            <Fact name={speech.text(texts.admitted)} value={last.admitted} />
            <Fact name={speech.text(texts.noShows)} value={last.no_shows} />
            <Fact name={speech.text(texts.peak)} value={last.most_in_a_minute} />
          </dl>
          <p>{speech.text(exactness(last))}</p>
        </>
      )}
    </section>
  );
}

function exactness({ differences }: NonNullable<RehearsalPartProps["last"]>) {
  if (differences === null) return texts.uncounted;
  return differences.joined === 0 && differences.admitted === 0 ? texts.exact : texts.differs;
}

function Fact({ name, value }: { readonly name: string; readonly value: number }) {
  const { speech } = useConsole();
  return (
    <div>
      <dt>{name}</dt>
      <dd>{speech.number(value)}</dd>
    </div>
  );
}
