import { useConsole } from "../frame/console.ts";
import type { LiveRoom } from "../frame/live.ts";
import { attentionOf } from "./attention.ts";
import { texts } from "./texts.ts";

/** What a person should know of a room, in colour and words. */
export function Attentions({ room }: { readonly room: LiveRoom }) {
  const { speech, nowMs, history } = useConsole();
  const found = attentionOf(room, history.of(room.room));
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
