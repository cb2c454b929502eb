import { useEffect, useRef } from "preact/hooks";
import type { AdminAnswers } from "../../client/index.ts";
import { useConsole } from "../frame/console.ts";
import { texts as frameTexts } from "../frame/texts.ts";
import { Choice } from "./elements.tsx";

const schemes = ["system", "light", "dark"] as const;
/** `system`: what the operator's browser says. */
export type Scheme = (typeof schemes)[number];

export const widths = ["phone", "wide"] as const;
/** Of what the page is shown on. */
export type Width = (typeof widths)[number];

/** While somebody types, the page comes once they pause. */
const settledMs = 300;

/** A page of the room as visitors see it, in a frame. What is in it is the gateway's, and can do nothing. */
export function PageFrame({
  title,
  room,
  page,
  query,
  scheme,
  width,
}: {
  readonly title: string;
  readonly room: string;
  readonly page: string;
  readonly query: Readonly<Record<string, string>>;
  readonly scheme: Scheme;
  /** Default: a phone's, or less where there is no room for it. */
  readonly width?: Width;
}) {
  const frame = useRef<HTMLIFrameElement>(null);
  const isFirst = useRef(true);
  const address = `/admin/rooms/${room}/pages/${page}?${new URLSearchParams(query)}`;
  useEffect(() => {
    // In place of the page before: the browser's way back leads out of the console's screen, not through what was typed.
    const show = () => frame.current?.contentWindow?.location.replace(new URL(address, location.origin).href);
    const timer = setTimeout(show, isFirst.current ? 0 : settledMs);
    isFirst.current = false;
    return () => clearTimeout(timer);
  }, [address]);
  const ofWidth = width === undefined ? "" : ` page-frame-${width}`;
  return <iframe ref={frame} class={`page-frame page-frame-${scheme}${ofWidth}`} title={title} sandbox="" />;
}

/** How a page in a frame is seen: what every preview lets one choose. */

export function LanguageChoice({
  languages,
  value,
  onValue,
}: {
  readonly languages: AdminAnswers["RoomPages"]["languages"];
  readonly value: string;
  onValue(tag: string): void;
}) {
  const { speech } = useConsole();
  const options = languages.map(({ tag, name }) => ({ value: tag, text: name, language: tag }));
  return <Choice label={speech.text(frameTexts.preview.language)} value={value} options={options} onValue={onValue} />;
}

export function SchemeChoice({ value, onValue }: { readonly value: Scheme; onValue(scheme: Scheme): void }) {
  const { speech } = useConsole();
  const options = schemes.map((each) => ({ value: each, text: speech.text(frameTexts.preview.schemes[each]) }));
  return <Choice label={speech.text(frameTexts.preview.scheme)} value={value} options={options} onValue={onValue} />;
}
