import { useConsole } from "../frame/console.ts";
import type { LiveRoom } from "../frame/live.ts";
import type { Localized } from "../frame/speech.ts";
import { attentionOf } from "./attention.ts";
import { texts } from "./texts.ts";

const ofPhase: readonly Localized[] = [texts.attention.paused.operator];

/** What a person should know of a room, in colour and words. */
export function Attentions({
  room,
  isPhaseShown = false,
}: {
  readonly room: LiveRoom;
  /** Whether the phase beside it says already that an operator has paused the line: whoever pauses it sees nothing move. */
  readonly isPhaseShown?: boolean;
}) {
  const { speech, nowMs, history } = useConsole();
  const found = attentionOf(room, history.of(room.room)).filter(({ text }) => !isPhaseShown || !ofPhase.includes(text));
  if (found.length === 0) return null;
  return (
    <ul class="attention">
      {found.map(({ level, text, values, atMs }) => (
        <li key={`${text.en} ${values?.text}`} class={level}>
          <strong>{speech.text(texts.levels[level])}</strong>{" "}
          <span dir="auto">
            {speech.text(text, { ...values, ...(atMs !== undefined && { time: speech.time(atMs, nowMs) }) })}
          </span>
        </li>
      ))}
    </ul>
  );
}
