/**
 * The console: what an operator sees and does in a browser, by the admin API alone. `navigation/` has the list of its screens;
 * `rooms/`, `room/`, `clients/`, `keys/`, `people/` and `webhooks/` are some of them, `desk/` finds visitors and `charts/` has the
 * curves in a room. `actions/` changes something and takes it back, `parts/` is on more than one screen. `api/` asks, `live/`
 * listens to the stream of figures, `texts/` has the words and `style/` the looks.
 */
import { render } from "preact";
import { createApi } from "./api/api.ts";
import { App } from "./app.tsx";
import { loadSpeech } from "./texts/texts.ts";

const root = document.getElementById("console");
if (root !== null) {
  const speech = await loadSpeech(navigator.languages);
  document.documentElement.lang = speech.tag;
  document.documentElement.dir = speech.dir;
  document.title = `${speech.text("console")} · Usher`;
  const ended = new EventTarget();
  const api = createApi(location.origin, () => ended.dispatchEvent(new Event("ended")));
  render(<App api={api} speech={speech} ended={ended} />, root);
}
