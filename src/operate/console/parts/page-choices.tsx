/** How a page in a frame is seen: what every preview lets one choose. */
import type { AdminAnswers } from "../../client/index.ts";
import { useConsole } from "../context.ts";
import { texts as frameTexts } from "../texts/frame.ts";
import { Choice } from "./choice.tsx";
import { type Scheme, schemes } from "./page-frame.tsx";

interface LanguageProps {
  readonly languages: AdminAnswers["RoomPages"]["languages"];
  readonly value: string;
  onValue(tag: string): void;
}

export function LanguageChoice({ languages, value, onValue }: LanguageProps) {
  const { speech } = useConsole();
  const options = languages.map(({ tag, name }) => ({ value: tag, text: name, language: tag }));
  return <Choice label={speech.text(frameTexts.preview.language)} value={value} options={options} onValue={onValue} />;
}

interface SchemeProps {
  readonly value: Scheme;
  onValue(scheme: Scheme): void;
}

export function SchemeChoice({ value, onValue }: SchemeProps) {
  const { speech } = useConsole();
  const options = schemes.map((each) => ({ value: each, text: speech.text(frameTexts.preview.schemes[each]) }));
  return <Choice label={speech.text(frameTexts.preview.scheme)} value={value} options={options} onValue={onValue} />;
}
