import { useEffect, useState } from "preact/hooks";
import { type Api, isPassing, type Principal, type Problem, ProblemError, signInAddress } from "./api/api.ts";
import { type Console, ConsoleContext, useConsole } from "./context.ts";
import { HealthLink } from "./health/health-link.tsx";
import { useLive } from "./live/use-live.ts";
import { Menu, RoomMenu } from "./navigation/menu.tsx";
import { pathOf, type Route } from "./navigation/route.ts";
import { maySee, type Screen, screenOf } from "./navigation/screen.ts";
import { useRoute } from "./navigation/use-route.ts";
import { Badge } from "./parts/badge.tsx";
import { ProblemNote } from "./parts/problem-note.tsx";
import { Title } from "./parts/title.tsx";
import { texts as frameTexts } from "./texts/frame.ts";
import type { Speech } from "./texts/speech.ts";

interface AppProps {
  readonly api: Api;
  /** In the order of the menu. */
  readonly screens: readonly Screen[];
  readonly speech: Speech;
  /** Tells `ended` when the gateway knows the session no more. */
  readonly ended: EventTarget;
}

const tryAgainMs = 5_000;

type Session = Principal | Problem | "asking" | "ended";

export function App({ api, screens, speech, ended }: AppProps) {
  const [session, setSession] = useState<Session>("asking");

  const look = () => {
    api.readSession().then(
      (principal) => setSession(principal ?? "ended"),
      (error: unknown) => setSession(problemOf(error)),
    );
  };
  const begin = () => {
    setSession("asking");
    look();
  };
  useEffect(begin, [api]);
  useEffect(() => {
    const end = () => setSession("ended");
    ended.addEventListener("ended", end);
    return () => ended.removeEventListener("ended", end);
  }, [ended]);

  const isRetried = typeof session === "object" && "status" in session && isPassing(session);
  useEffect(() => {
    if (!isRetried) return;
    const timer = setTimeout(look, tryAgainMs);
    return () => clearTimeout(timer);
  }, [session]);

  if (session === "asking") return <main class="message">{speech.text(frameTexts.loading)}</main>;
  if (session === "ended") return <SignedOut speech={speech} />;
  if ("status" in session) {
    return (
      <main class="message">
        <ProblemNote problem={session} speech={speech} />
        <button type="button" onClick={begin}>
          {speech.text(frameTexts.tryAgain)}
        </button>
      </main>
    );
  }
  return (
    <SignedIn api={api} screens={screens} speech={speech} principal={session} onEnded={() => setSession("ended")} />
  );
}

function problemOf(error: unknown): Problem {
  if (error instanceof ProblemError) return error.problem;
  throw error;
}

/** Nothing of what was shown stays on the screen. */
function SignedOut({ speech }: Pick<AppProps, "speech">) {
  return (
    <main class="message" role="alert">
      <h1>{speech.text(frameTexts.signedOut.title)}</h1>
      <p>{speech.text(frameTexts.signedOut.reason)}</p>
      <p>
        <a class="button" href={signInAddress(location)}>
          {speech.text(frameTexts.signIn)}
        </a>
      </p>
    </main>
  );
}

interface SignedInProps extends Pick<AppProps, "api" | "screens" | "speech"> {
  readonly principal: Principal;
  onEnded(): void;
}

function SignedIn({ api, screens, speech, principal, onEnded }: SignedInProps) {
  const { route, hasMoved } = useRoute();
  const { heard, history, nowMs, elapsedMs, company } = useLive(api, route?.room ?? null, onEnded);
  const [problem, setProblem] = useState<Problem | null>(null);

  const signOut = () => {
    api.signOut().then(
      (elsewhere) => {
        if (elsewhere === null) onEnded();
        else location.assign(elsewhere);
      },
      (error: unknown) => setProblem(problemOf(error)),
    );
  };

  const linkTo: Console["linkTo"] = (to) => {
    const screen = screenOf(screens, to);
    return screen !== null && maySee(screen, principal) ? { href: pathOf(to), title: screen.title } : null;
  };
  return (
    <ConsoleContext.Provider
      value={{ api, screens, speech, principal, history, heard, nowMs, elapsedMs, company, hasMoved, linkTo }}
    >
      <header class="top">
        <span class="brand">
          Usher <span class="brand-part">{speech.text(frameTexts.console)}</span>
        </span>
        <Badge />
        <HealthLink />
        <Menu route={route} />
        <span class="who">{whoInWords(principal, speech)}</span>
        <button type="button" class="quiet" onClick={signOut}>
          {speech.text(frameTexts.signOut)}
        </button>
      </header>
      <main class="screen">
        {problem && <ProblemNote problem={problem} speech={speech} />}
        <Shown route={route} />
      </main>
    </ConsoleContext.Provider>
  );
}

/** A key is named as one: its id alone would read like a person's name. */
function whoInWords({ kind, name, role }: Principal, speech: Speech): string {
  const shown = kind === "key" ? speech.text(frameTexts.key, { id: name }) : name;
  return speech.text(frameTexts.signedInAs, { name: shown, role: speech.text(frameTexts.roles[role]) });
}

function Shown({ route }: { readonly route: Route | null }) {
  const { principal, screens, speech } = useConsole();
  const screen = route && screenOf(screens, route);
  if (route === null || screen === null || !maySee(screen, principal)) {
    return (
      <>
        <Title text={speech.text(frameTexts.noScreen.title)} />
        <p>{speech.text(screen === null ? frameTexts.noScreen.reason : frameTexts.noScreen.forbidden)}</p>
        <p>
          <a href="/console">{speech.text(frameTexts.rooms)}</a>
        </p>
      </>
    );
  }
  const { room } = route;
  return (
    <>
      {room !== null && (
        <p class="way-back">
          <a href="/console">{speech.text(frameTexts.rooms)}</a>
        </p>
      )}
      {room !== null && <RoomMenu route={route} />}
      <screen.Show key={`${screen.name} ${room}`} room={room ?? ""} title={speech.text(screen.title)} />
    </>
  );
}
