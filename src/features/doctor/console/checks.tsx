/** The checks of a room from outside, for the checklist before a sale. */
import type { AdminAnswers } from "../../../operate/client/index.ts";
import { take } from "../../../operate/console/api/api.ts";
import { type RequestState, useRequest, useSubmission } from "../../../operate/console/api/requests.ts";
import type { Line, State } from "../../../operate/console/before/lines.ts";
import { type ChecklistPart, mayDo, useConsole } from "../../../operate/console/frame/console.ts";
import type { Localized, LocalizedTexts } from "../../../operate/console/frame/speech.ts";
import { ProblemNote } from "../../../operate/console/parts/elements.tsx";

const everyMs = 3_000;

const texts = {
  never: {
    en: "The room was not checked from outside yet: run the checks below.",
    de: "Der Raum wurde noch nicht von außen geprüft: Starten Sie die Prüfung unten.",
  },
  outsideDone: {
    en: "Name, certificate, proxy and clients were found in order.",
    de: "Name, Zertifikat, Proxy und Clients sind in Ordnung.",
  },
  outsideLeft: {
    en: "The checks from outside found something to mend:",
    de: "Die Prüfung von außen hat etwas zu beheben gefunden:",
  },
  proxiesDone: { en: "Proxies are trusted.", de: "Proxys wird vertraut." },
  proxiesLeft: { en: "Proxies:", de: "Proxys:" },
  loginDone: { en: "A test login went well, and was ended.", de: "Eine Testanmeldung ging gut und wurde beendet." },
  loginLeft: {
    en: "The test login was not tried whole, or failed:",
    de: "Die Testanmeldung wurde nicht ganz versucht oder schlug fehl:",
  },
  loginUntried: {
    en: "No test login was played: the checks ended before it, or no client is of this room.",
    de: "Es wurde keine Testanmeldung gespielt: Die Prüfung endete vorher, oder der Raum hat keinen Client.",
  },
  title: { en: "Checks from outside", de: "Prüfung von außen" },
  what: {
    en: "The gateway asks the public address as visitors and sites do, and plays a login that it ends at once. Where its own network cannot reach that address, run usher doctor elsewhere.",
    de: "Das Gateway fragt die öffentliche Adresse wie Besucher und Sites und spielt eine Anmeldung, die es sofort beendet. Wo sein Netz diese Adresse nicht erreicht, führen Sie usher doctor woanders aus.",
  },
  run: { en: "Run the checks", de: "Prüfung starten" },
  running: {
    en: "Checks are under way, begun by {who}. They take up to two minutes.",
    de: "Eine Prüfung läuft, begonnen von {who}. Sie dauert bis zu zwei Minuten.",
  },
  last: { en: "All {n} findings, {at}, by {who}", de: "Alle {n} Befunde, {at}, von {who}" },
  statuses: {
    ok: { en: "OK", de: "OK" },
    warning: { en: "Warning", de: "Warnung" },
    fault: { en: "Fault", de: "Fehler" },
  },
} satisfies LocalizedTexts;

/** The lines, and the button that has the gateway look, with all that the last look found. */
export function useChecks(room: string): ChecklistPart {
  const { api } = useConsole();
  const params = { path: { room } };
  const checks = useRequest(() => take(api.ask.GET("/admin/rooms/{room}/checks", { params })), {
    of: [room],
    everyMs,
  });
  const { answer, problem } = checks;
  return {
    lines: answer === null ? null : checksLines(answer.last),
    problem,
    section: <ChecksPart room={room} checks={checks} />,
  };
}

/** What the last checks say of the sale. */
export function checksLines(last: AdminAnswers["Checks"]["last"]): Line[] {
  const line = (name: string, state: State, text: Localized, quotes: readonly string[] = []): Line => ({
    name,
    state,
    text,
    values: {},
    named: {},
    quotes,
    at: null,
    atMs: last === null ? null : Date.parse(last.ended_at),
  });
  if (last === null) return [line("outside", "left", texts.never)];
  const of = (about: readonly string[], isOf: boolean) =>
    last.findings.filter((each) => about.includes(each.about) === isOf);
  const logins = of(["whole login", "logout"], true);
  const others = of(["whole login", "logout", "proxies"], false);
  const proxies = of(["proxies"], true);
  return [
    judged(others, "outside", texts.outsideDone, texts.outsideLeft),
    ...(proxies.length === 0 ? [] : [judged(proxies, "proxies", texts.proxiesDone, texts.proxiesLeft)]),
    logins.length === 0
      ? line("login", "left", texts.loginUntried)
      : judged(logins, "login", texts.loginDone, texts.loginLeft),
  ];

  function judged(findings: typeof logins, name: string, good: Localized, bad: Localized): Line {
    const wrong = findings.filter(({ status }) => status !== "ok");
    if (wrong.length === 0) return line(name, "done", good);
    const isFault = wrong.some(({ status }) => status === "fault");
    return line(
      name,
      isFault ? "left" : "look",
      bad,
      wrong.map(({ text }) => text),
    );
  }
}

/** Has the gateway look at the room from outside, and shows all that the last look found. */
export function ChecksPart({
  room,
  checks,
}: {
  readonly room: string;
  readonly checks: RequestState<AdminAnswers["Checks"]>;
}) {
  const { api, nowMs, principal, speech } = useConsole();
  const submission = useSubmission();
  const { running = null, last = null } = checks.answer ?? {};
  const begin = async () => {
    await submission.submit(() =>
      take(api.ask.POST("/admin/rooms/{room}/checks", { params: { path: { room } }, body: {} })),
    );
    await checks.reload();
  };
  return (
    <section class="control" aria-labelledby="checks-title">
      <h2 id="checks-title">{speech.text(texts.title)}</h2>
      <p>{speech.text(texts.what)}</p>
      {mayDo(principal.role, "operator") && (
        <button type="button" disabled={running !== null || submission.isBusy} onClick={() => void begin()}>
          {speech.text(texts.run)}
        </button>
      )}
      <p role="status">{running && speech.text(texts.running, { who: running.by.name ?? running.by.id })}</p>
      {submission.problem && <ProblemNote problem={submission.problem} speech={speech} />}
      {last && (
        <details>
          <summary>
            {speech.text(texts.last, {
              n: last.findings.length,
              who: last.by.name ?? last.by.id,
              at: speech.time(Date.parse(last.ended_at), nowMs),
            })}
          </summary>
          <ul class="findings">
            {last.findings.map(({ about, status, text }) => (
              <li key={`${about} ${text}`} class={`finding-${status}`}>
                <strong>{speech.text(texts.statuses[status])}</strong> {about}: <span dir="auto">{text}</span>
              </li>
            ))}
          </ul>
        </details>
      )}
    </section>
  );
}
