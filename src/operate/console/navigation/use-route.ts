import { useEffect, useState } from "preact/hooks";
import { type Route, routeOf } from "./route.ts";

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
