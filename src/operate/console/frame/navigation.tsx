import type { ComponentType } from "preact";
import { useEffect, useState } from "preact/hooks";
import { maySee, pathOf, type Route, routeOf, type ScreenProps, useConsole } from "./console.ts";
import { texts as frameTexts } from "./texts.ts";

/**
 * The screen that the address names, and whether it is another than at first. Links of the console change it without loading the
 * page anew.
 */
export function useRoute(): { readonly route: Route | null; readonly hasMoved: boolean } {
  const [{ path, hasMoved }, setPlace] = useState({ path: location.pathname, hasMoved: false });
  useEffect(() => {
    const look = () => setPlace({ path: location.pathname, hasMoved: true });
    const follow = (event: MouseEvent) => {
      const link = event.target instanceof Element ? event.target.closest("a") : null;
      const isPlain = event.button === 0 && !event.metaKey && !event.ctrlKey && !event.shiftKey && !event.altKey;
      if (link === null || !isPlain || event.defaultPrevented || link.origin !== location.origin) return;
      if (!/^\/console(\/|$)/.test(link.pathname)) return;
      event.preventDefault();
      history.pushState(null, "", link.href);
      scrollTo(0, 0);
      look();
    };
    addEventListener("popstate", look);
    document.addEventListener("click", follow);
    return () => {
      removeEventListener("popstate", look);
      document.removeEventListener("click", follow);
    };
  }, []);
  return { route: routeOf(path), hasMoved };
}

/** Goes to another address of the console, as a link does. */
export function go(address: string): void {
  history.pushState(null, "", address);
  scrollTo(0, 0);
  dispatchEvent(new PopStateEvent("popstate"));
}

/** What the address names behind `?`, such as `?client=box-office`; null for nothing. */
export function chosen(name: string): string | null {
  return new URLSearchParams(location.search).get(name);
}

/** The screens of what is shown: of a room, with the way back to all of them, or of the installation. Nothing, where there is nothing to choose. */
export function Menu({
  route,
}: {
  /** What is shown; null for nothing that there is. */
  readonly route: Route | null;
}) {
  const { principal, screens, speech } = useConsole();
  const room = route?.room ?? null;
  const scope = room === null ? "installation" : "room";
  const seen = screens.filter((screen) => screen.scope === scope && maySee(screen, principal));
  if (room === null && seen.length < 2) return null;
  return (
    <nav class="menu" aria-label={speech.text(room === null ? frameTexts.menu : frameTexts.roomMenu)}>
      {room !== null && <a href="/console">{speech.text(frameTexts.rooms)}</a>}
      {seen.map(({ name, title }) => (
        <a key={name} href={pathOf({ room, name })} aria-current={route?.name === name ? "page" : undefined}>
          {speech.text(title)}
        </a>
      ))}
    </nav>
  );
}

type Loaded = ComponentType<ScreenProps> | "loading" | "failed";

/** A screen whose script is loaded when it is first opened. @param load imports its module, and takes the screen out of it */
export function lazyScreen(load: () => Promise<ComponentType<ScreenProps>>): ComponentType<ScreenProps> {
  let loadedScreen: ComponentType<ScreenProps> | null = null;
  return function LazyScreen(props) {
    const { speech } = useConsole();
    const [loaded, setLoaded] = useState<Loaded>(() => loadedScreen ?? "loading");
    const begin = () => {
      setLoaded(() => loadedScreen ?? "loading");
      load().then(
        (Screen) => {
          loadedScreen = Screen;
          setLoaded(() => Screen);
        },
        () => setLoaded("failed"),
      );
    };
    useEffect(() => {
      if (loadedScreen === null) begin();
    }, []);

    if (loaded === "loading") return <p>{speech.text(frameTexts.loading)}</p>;
    if (loaded === "failed") {
      // A gateway of another version has other files: the page has to be loaded anew, which a new attempt cannot do.
      return (
        <div class="problem" role="alert">
          <p>{speech.text(frameTexts.screenFailed)}</p>
          <button type="button" onClick={() => location.reload()}>
            {speech.text(frameTexts.reload)}
          </button>
        </div>
      );
    }
    const Screen = loaded;
    return <Screen {...props} />;
  };
}
