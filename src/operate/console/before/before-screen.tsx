import type { ScreenProps } from "../frame/console.ts";
import { useConsole } from "../frame/console.ts";
import type { Speech, Values } from "../frame/speech.ts";
import { texts as frameTexts } from "../frame/texts.ts";
import { ProblemNote, Title } from "../parts/elements.tsx";
import { type Line, linesOf, type State } from "./lines.ts";
import { texts } from "./texts.ts";
import { useFacts } from "./use-facts.ts";

const states: readonly State[] = ["left", "look", "unknown", "done"];

/** What is left before the sale. */
export function BeforeScreen({ room, title }: ScreenProps) {
  const { speech } = useConsole();
  const { facts, added, problem } = useFacts(room);
  const lines = linesOf(
    facts,
    added.flatMap((part) => part.lines ?? []),
  );
  const left = lines.filter(({ state }) => state === "left").length;
  const isLoaded = facts.room !== null && added.every((part) => part.lines !== null);
  return (
    <>
      <Title text={title} />
      <p class="room-id">
        <code>{room}</code>
      </p>
      {problem && <ProblemNote problem={problem} speech={speech} />}
      {!isLoaded && problem === null && <p>{speech.text(frameTexts.loading)}</p>}
      {isLoaded && (
        <>
          <p role="status">
            <strong>{left === 0 ? speech.text(texts.noneLeft) : speech.text(texts.left, { n: left })}</strong>
          </p>
          <ul class="checklist">
            {states
              .flatMap((state) => lines.filter((each) => each.state === state))
              .map((line) => (
                <ChecklistLine key={line.name} line={line} room={room} />
              ))}
          </ul>
        </>
      )}
      {added.map(({ section }) => section)}
    </>
  );
}

/** Times as they are told elsewhere, and the phases and buttons that are named. */
function valuesOf({ values, named }: Line, speech: Speech, nowMs: number): Values {
  const formatted = Object.entries(values).map(([name, value]) => [
    name,
    name.endsWith("_at") ? speech.time(Date.parse(String(value)), nowMs) : value,
  ]);
  const names = Object.entries(named).map(([name, key]) => [name, speech.text(key)]);
  return Object.fromEntries([...formatted, ...names]);
}

function ChecklistLine({ line, room }: { readonly line: Line; readonly room: string }) {
  const { linkTo, nowMs, speech } = useConsole();
  const { state, text, quotes, at, atMs } = line;
  const link = at && linkTo({ room: at.room ? room : null, name: at.name });
  return (
    <li class={`checklist-${state}`}>
      <span class="checklist-state">{speech.text(texts.states[state])}</span>
      <div>
        <p>{speech.text(text, valuesOf(line, speech, nowMs))}</p>
        {quotes.length > 0 && (
          <ul>
            {quotes.map((each) => (
              <li key={each} dir="auto">
                {each}
              </li>
            ))}
          </ul>
        )}
        <p class="checklist-foot">
          {link && <a href={link.href}>{speech.text(link.title)}</a>}{" "}
          {atMs !== null && <span>{speech.text(texts.age, { age: speech.age(nowMs - atMs) })}</span>}
        </p>
      </div>
    </li>
  );
}
