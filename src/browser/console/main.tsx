/**
 * The console: what an operator sees and does in a browser, by the admin API alone. `rooms/` and `room/` are its two screens,
 * `desk/` finds visitors and `charts/` has the curves in a room; `routing/` tells the screens apart, `parts/` is on more than one.
 * `api/` asks, `live/` listens to the stream of figures, `texts/` has the words and `style/` the looks.
 */
import { render } from "preact";
import { createApi } from "./api/api.ts";
import { App } from "./app.tsx";
import { speechFor } from "./texts/texts.ts";

const root = document.getElementById("console");
if (root !== null) {
  const speech = speechFor(navigator.languages);
  document.documentElement.lang = speech.tag;
  document.documentElement.dir = speech.dir;
  document.title = `${speech.text("console")} · Usher`;
  const ended = new EventTarget();
  const api = createApi(location.origin, () => ended.dispatchEvent(new Event("ended")));
  render(<App api={api} speech={speech} ended={ended} />, root);
}
