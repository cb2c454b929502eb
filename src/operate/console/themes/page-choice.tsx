import type { AdminAnswers } from "../../client/index.ts";
import { useConsole } from "../frame/console.ts";
import { texts } from "./texts.ts";

type PageOfRoom = AdminAnswers["RoomPages"]["pages"][number];

interface PageChoiceProps {
  readonly pages: readonly PageOfRoom[];
  readonly value: string;
  onValue(page: string): void;
}

const kinds = ["waiting", "notice"] as const satisfies readonly PageOfRoom["kind"][];

/** Every page that a visitor can meet. The gateway names them, in English. */
export function PageChoice({ pages, value, onValue }: PageChoiceProps) {
  const { speech } = useConsole();
  return (
    <label>
      {speech.text(texts.preview.page)}
      <select value={value} onChange={(event) => onValue(event.currentTarget.value)}>
        {kinds.map((kind) => (
          <optgroup key={kind} label={speech.text(texts.preview.kinds[kind])}>
            {pages
              .filter((page) => page.kind === kind)
              .map(({ id, title }) => (
                <option key={id} value={id} lang="en">
                  {title}
                </option>
              ))}
          </optgroup>
        ))}
      </select>
    </label>
  );
}
