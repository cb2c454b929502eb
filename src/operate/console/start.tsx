/**
 * The console: what an operator sees and does in a browser, by the admin API alone. `screens.ts` lists its screens, and `rooms/`, `room/`,
 * `clients/`, `keys/`, `people/` and `webhooks/` are some of them; `desk/` finds visitors and `charts/` has the curves in a room.
 * `actions/` changes something and takes it back, `parts/` is on more than one screen. `api/` asks, `live/` listens to the stream of
 * figures, `texts/` has the words and `style/` the looks. The screens of features come from src/features, by src/app/console.ts.
 */
import { render } from "preact";
import { createApi } from "./api/api.ts";
import { App } from "./app.tsx";
import { inMenuOrder, type Screen } from "./navigation/screen.ts";
import { texts as frameTexts } from "./texts/frame.ts";
import { speechFor } from "./texts/speech.ts";

/** Shows the console in the page that it was loaded by. */
export function startConsole(screens: readonly Screen[]): void {
  const root = document.getElementById("console");
  if (root === null) return;
  const speech = speechFor(navigator.languages);
  document.documentElement.lang = speech.tag;
  document.documentElement.dir = speech.dir;
  document.title = `${speech.text(frameTexts.console)} · Usher`;
  const ended = new EventTarget();
  const api = createApi(location.origin, () => ended.dispatchEvent(new Event("ended")));
  render(<App api={api} screens={inMenuOrder(screens)} speech={speech} ended={ended} />, root);
}
