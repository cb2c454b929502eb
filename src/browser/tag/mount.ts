/** `usher.mount()`: a link that enters the room, and a countdown, which follow its phases. Texts are text, never markup. */
import { enterUrl, type VisitOptions } from "./room.ts";
import { type RoomNews, watch } from "./watch.ts";

/** In English, by phase; a site has its own, by attributes `data-usher-…` or by options. */
const words = {
  opens: "Opens in {time}",
  soon: "Opens soon",
  open: "Open now",
  passthrough: "Open now",
  paused: "Paused for a moment",
  ended: "This has ended",
  sold_out: "Sold out",
  join: "Join the waiting room",
  enter: "Enter",
  returns: "Wait for returns",
};
type Texts = { [word in keyof typeof words]?: string };

export interface MountOptions extends VisitOptions {
  texts?: Texts;
}

const mounted = new WeakSet<HTMLElement>();
const units = [
  ["day", 86_400],
  ["hour", 3_600],
  ["minute", 60],
  ["second", 1],
] as const;

/**
 * Fills the element. A link that stands in it already is the one that is used, and its own text stays unless a text is given.
 *
 * @returns what ends it. @throws TypeError see `roomUrl`
 */
export function mount(element: HTMLElement, options: MountOptions = {}): () => void {
  const { dataset } = element;
  const { room = dataset.usherRoom, issuer = dataset.usherIssuer, target = dataset.usherTarget } = options;
  const choice = { room, issuer, target };
  const address = enterUrl(choice);
  if (mounted.has(element)) return () => {};
  mounted.add(element);

  const given = (word: string) =>
    options.texts?.[word as keyof Texts] ?? element.getAttribute(`data-usher-${word.replace("_", "-")}`);
  const textOf = (word: string) => given(word) ?? words[word as keyof Texts] ?? "";
  const add = <Tag extends "a" | "span">(tag: Tag, name: string, role = "") => {
    const part = document.createElement(tag);
    part.className = `usher-${name}`;
    if (role) part.setAttribute("role", role);
    element.append(part);
    return part;
  };
  // What stands there may be a translator's by now.
  const say = (part: HTMLElement & { written?: string }, text: string) => {
    if (part.written !== text) part.textContent = part.written = text;
  };
  const own = element.querySelector("a");
  // A timer is not read aloud each second; that the phase has changed is.
  const timer = add("span", "timer", "timer");
  const state = add("span", "state", "status");
  const link = own ?? add("a", "enter");
  if (!own) link.href = address;
  let news: RoomNews | undefined;

  const show = () => {
    const phase = news?.state ?? "";
    const leftMs = (news?.opens || 0) - Date.now();
    // An idle room without a time may let everybody pass.
    const isToOpen = news?.early && (news.opens || phase === "prequeue");
    const isSoldOut = phase === "sold_out";
    const label = isSoldOut ? "returns" : isToOpen ? "join" : "enter";
    // Of the page's language, where the words are.
    const language = given("opens") && element.closest<HTMLElement>("[lang]")?.lang;
    const opens = leftMs > 0 ? textOf("opens").replace("{time}", () => spanOf(leftMs, language || "en")) : "";
    say(timer, opens);
    say(state, opens ? "" : textOf(isToOpen && !isSoldOut ? "soon" : phase));
    if (!own || given(label)) say(link, textOf(label));
    // Where visitors may wait for what is returned, being sold out is a pause.
    link.hidden = phase === "ended" || (isSoldOut && news?.status.phase !== "paused");
    if (dataset.usherState !== phase) dataset.usherState = phase;
  };
  show();
  const leave = watch(choice, (latest) => {
    news = latest;
    show();
  });
  const end = () => {
    clearInterval(ticking);
    leave();
    mounted.delete(element);
  };
  const ticking = setInterval(() => (element.isConnected ? show() : end()), 1_000);
  return end;
}

/** The two largest units, rounded up: it is over when nothing is left. */
function spanOf(ms: number, language: string): string {
  let seconds = Math.ceil(ms / 1_000);
  const parts: string[] = [];
  try {
    for (const [unit, size] of units) {
      if (parts.length > 1 || (!parts[0] && seconds < size)) continue;
      parts.push(Math.floor(seconds / size).toLocaleString(language, { style: "unit", unit, unitDisplay: "long" }));
      seconds %= size;
    }
    return parts.join(" ");
  } catch {
    // No language is called so, such as de_DE.
    return language === "en" ? `${seconds} s` : spanOf(ms, "en");
  }
}
