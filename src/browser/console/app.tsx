import { useEffect, useState } from "preact/hooks";
import { type Api, type Principal, type Problem, ProblemError, signInAddress } from "./api/api.ts";
import { ConsoleContext } from "./context.ts";
import { useLive } from "./live/use-live.ts";
import { Badge } from "./parts/badge.tsx";
import { ProblemNote } from "./parts/problem-note.tsx";
import { RoomScreen } from "./room/room-screen.tsx";
import { RoomsScreen } from "./rooms/rooms-screen.tsx";
import { useRoute } from "./routing/use-route.ts";
import type { Speech } from "./texts/texts.ts";

interface AppProps {
  readonly api: Api;
  readonly speech: Speech;
  /** Tells `ended` when the gateway knows the session no more. */
  readonly ended: EventTarget;
}

type Session = Principal | Problem | "asking" | "ended";

export function App({ api, speech, ended }: AppProps) {
  const [session, setSession] = useState<Session>("asking");

  const begin = () => {
    setSession("asking");
    api.readSession().then(
      (principal) => setSession(principal ?? "ended"),
      (error: unknown) => setSession(problemOf(error)),
    );
  };
  useEffect(begin, [api]);
  useEffect(() => {
    const end = () => setSession("ended");
    ended.addEventListener("ended", end);
    return () => ended.removeEventListener("ended", end);
  }, [ended]);

  if (session === "asking") return <main class="message">{speech.text("loading")}</main>;
  if (session === "ended") return <SignedOut speech={speech} />;
  if ("status" in session) {
    return (
      <main class="message">
        <ProblemNote problem={session} speech={speech} />
        <button type="button" onClick={begin}>
          {speech.text("try_again")}
        </button>
      </main>
    );
  }
  return <SignedIn api={api} speech={speech} principal={session} onEnded={() => setSession("ended")} />;
}

function problemOf(error: unknown): Problem {
  if (error instanceof ProblemError) return error.problem;
  throw error;
}

/** Nothing of what was shown stays on the screen. */
function SignedOut({ speech }: Pick<AppProps, "speech">) {
  return (
    <main class="message" role="alert">
      <h1>{speech.text("signed_out")}</h1>
      <p>{speech.text("signed_out.why")}</p>
      <p>
        <a class="button" href={signInAddress(location)}>
          {speech.text("sign_in")}
        </a>
      </p>
    </main>
  );
}

interface SignedInProps extends Pick<AppProps, "api" | "speech"> {
  readonly principal: Principal;
  onEnded(): void;
}

function SignedIn({ api, speech, principal, onEnded }: SignedInProps) {
  const { heard, history, nowMs } = useLive(api, onEnded);
  const { route, hasMoved } = useRoute();
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

  return (
    <ConsoleContext.Provider value={{ api, speech, principal, history, heard, nowMs, hasMoved }}>
      <header class="top">
        <span class="brand">
          Usher <span class="brand-part">{speech.text("console")}</span>
        </span>
        <Badge />
        <span class="who">
          {speech.text("signed_in_as", { name: principal.name, role: speech.text(`role.${principal.role}`) })}
        </span>
        <button type="button" class="quiet" onClick={signOut}>
          {speech.text("sign_out")}
        </button>
      </header>
      <main class="screen">
        {problem && <ProblemNote problem={problem} speech={speech} />}
        {route.screen === "room" ? <RoomScreen id={route.room} /> : <RoomsScreen />}
      </main>
    </ConsoleContext.Provider>
  );
}
