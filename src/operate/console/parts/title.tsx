import { useEffect, useRef } from "preact/hooks";
import { useConsole } from "../context.ts";
import { texts as frameTexts } from "../texts/frame.ts";

/** The heading of a screen. It takes the focus after a link of the console, so that reading begins here. */
export function Title({ text }: { readonly text: string }) {
  const { speech, hasMoved } = useConsole();
  const heading = useRef<HTMLHeadingElement>(null);
  useEffect(() => {
    if (hasMoved) heading.current?.focus();
  }, []);
  useEffect(() => {
    document.title = `${text} · ${speech.text(frameTexts.console)} · Usher`;
  }, [text]);
  return (
    <h1 ref={heading} tabIndex={-1} dir="auto">
      {text}
    </h1>
  );
}
