/**
 * The console: what an operator sees and does in a browser, by the admin API alone.
 *
 * `frame/` is the page around the screens, `screens.ts` lists those that need no feature (features add theirs by src/features/screens.ts),
 * `api/` sends requests and checks that answers are Usher's, `parts/` are elements that several screens use, and `style/` has the looks.
 */
import { render } from "preact";
import { useEffect, useState } from "preact/hooks";
import {
  type Api,
  createApi,
  isPassing,
  type Principal,
  type Problem,
  ProblemError,
  signInAddress,
} from "../api/api.ts";
import { HealthLink } from "../health/health-link.tsx";
import { ProblemNote, Title } from "../parts/elements.tsx";
import {
  type Console,
  ConsoleContext,
  type ConsoleFeature,
  inMenuOrder,
  maySee,
  pathOf,
  type Route,
  type Screen,
  screenOf,
  useConsole,
} from "./console.ts";
import { type Freshness, freshnessOfAll, useLive } from "./live.ts";
import { Menu, useRoute } from "./navigation.tsx";
import { type Speech, speechFor } from "./speech.ts";
import { texts as frameTexts } from "./texts.ts";

/** Shows the console in the page that it was loaded by. */
export function startConsole(features: readonly ConsoleFeature[]): void {
  const root = document.getElementById("console");
  if (root === null) return;
  const speech = speechFor(navigator.languages);
  document.documentElement.lang = speech.tag;
  document.documentElement.dir = speech.dir;
  document.title = `${speech.text(frameTexts.console)} · Usher`;
  const ended = new EventTarget();
  const api = createApi(location.origin, () => ended.dispatchEvent(new Event("ended")));
  const screens = inMenuOrder(features.flatMap((feature) => feature.screens ?? []));
  render(<App {...{ api, screens, features, speech, ended }} />, root);
}

interface AppProps {
  readonly api: Api;
  /** In the order of the menu. */
  readonly screens: readonly Screen[];
  readonly features: readonly ConsoleFeature[];
  readonly speech: Speech;
  /** Dispatches `ended` when the session has ended. */
  readonly ended: EventTarget;
}

const retryMs = 5_000;

type Session = Principal | Problem | "loading" | "ended";

function App({ api, screens, features, speech, ended }: AppProps) {
  const [session, setSession] = useState<Session>("loading");

  const look = () => {
    api.readSession().then(
      (principal) => setSession(principal ?? "ended"),
      (error: unknown) => setSession(problemOf(error)),
    );
  };
  const begin = () => {
    setSession("loading");
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
    const timer = setTimeout(look, retryMs);
    return () => clearTimeout(timer);
  }, [session]);

  if (session === "loading") return <main class="message">{speech.text(frameTexts.loading)}</main>;
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
  return <SignedIn {...{ api, screens, features, speech }} principal={session} onEnded={() => setSession("ended")} />;
}

function problemOf(error: unknown): Problem {
  if (error instanceof ProblemError) return error.problem;
  throw error;
}

/** What was on the screen is gone. */
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

function SignedIn({
  api,
  screens,
  features,
  speech,
  principal,
  onEnded,
}: Pick<AppProps, "api" | "screens" | "features" | "speech"> & {
  readonly principal: Principal;
  onEnded(): void;
}) {
  const { route, hasMoved } = useRoute();
  const { news, history, nowMs, elapsedMs, company } = useLive(api, route?.room ?? null, onEnded);
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
      value={{ api, screens, features, speech, principal, history, news, nowMs, elapsedMs, company, hasMoved, linkTo }}
    >
      <header class="top">
        <span class="brand">
          Usher <span class="brand-part">{speech.text(frameTexts.console)}</span>
        </span>
        <Menu route={route} />
        <Badge />
        <HealthLink />
        <span class="who">{whoInWords(principal, speech)}</span>
        <button type="button" class="quiet" onClick={signOut}>
          {speech.text(frameTexts.signOut)}
        </button>
      </header>
      <main class="screen">
        {problem && <ProblemNote problem={problem} speech={speech} />}
        <CurrentScreen route={route} />
      </main>
    </ConsoleContext.Provider>
  );
}

/** A key is named as one: its id alone would read like a person's name. */
function whoInWords({ kind, name, role }: Principal, speech: Speech): string {
  const label = kind === "key" ? speech.text(frameTexts.key, { id: name }) : name;
  return speech.text(frameTexts.signedInAs, { name: label, role: speech.text(frameTexts.roles[role]) });
}

function CurrentScreen({ route }: { readonly route: Route | null }) {
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
  return <screen.Show key={`${screen.name} ${room}`} room={room ?? ""} title={speech.text(screen.title)} />;
}

/** Says how old all that is shown is. What changes each second is for the eye; readers of the screen hear what becomes of it. */
function Badge() {
  const { news, elapsedMs, speech } = useConsole();
  const fresh = freshnessOfAll(news, elapsedMs);
  return (
    <>
      <span class={`badge badge-${fresh.kind}`} aria-hidden="true">
        {freshInWords(fresh, speech)}
      </span>
      <span class="unseen" role="status">
        {speech.text(frameTexts.freshness[fresh.kind])}
      </span>
    </>
  );
}

function freshInWords({ kind, ageMs }: Freshness, speech: Speech): string {
  if (kind === "waiting") return speech.text(frameTexts.freshness.waiting);
  return speech.text(frameTexts.freshnessAge[kind], { age: speech.age(ageMs) });
}
