import { useEffect, useRef, useState } from "preact/hooks";
import type { Role } from "../api/api.ts";
import { mayDo, useConsole } from "../frame/console.ts";
import { texts as frameTexts } from "../frame/texts.ts";
import { texts } from "./texts.ts";
import { tileOf } from "./tools/tool.tsx";

/** Keys move the focus to a control, whose sheet they open, and do nothing else. A role has only those whose control it sees. */
const places = [
  { key: "p", place: "control-pause", role: "operator" },
  { key: "r", place: "control-rate", role: "operator" },
  { key: "m", place: "control-message", role: "box_office" },
  { key: "b", place: "control-bypass", role: "box_office" },
  { key: "/", place: "control-lookup", role: "box_office" },
  { key: "?", place: null, role: "viewer" },
] as const satisfies readonly { key: string; place: string | null; role: Role }[];
const storageKey = "usher-console-keys";

/** In a sheet that has just been closed nobody types, though the focus may still be there. */
function isTyping(target: EventTarget | null): boolean {
  if (!(target instanceof Element)) return false;
  const dialog = target.closest("dialog");
  return dialog === null ? target.closest("input, textarea, select") !== null : dialog.open;
}

/** What the keys do, and whether they do (WCAG 2.2, 2.1.4). */
export function KeyHelp() {
  const { principal, speech } = useConsole();
  const permitted = places.filter(({ role }) => mayDo(principal.role, role));
  const dialog = useRef<HTMLDialogElement>(null);
  const [areOn, setOn] = useState(() => localStorage.getItem(storageKey) !== "off");

  useEffect(() => {
    if (!areOn) return;
    const press = (event: KeyboardEvent) => {
      const { target, key } = event;
      if (isTyping(target) || event.ctrlKey || event.metaKey || event.altKey) return;
      const id = permitted.find((each) => each.key === key)?.place;
      const tile = id ? document.getElementById(tileOf(id)) : null;
      const place = id ? document.getElementById(id) : null;
      if (key === "?") dialog.current?.showModal();
      else if (place === null) return;
      // To the tile the focus comes back when its sheet is closed.
      (tile ?? place)?.focus();
      tile?.click();
      event.preventDefault();
    };
    document.addEventListener("keydown", press);
    return () => document.removeEventListener("keydown", press);
  }, [areOn]);

  const turn = (on: boolean) => {
    localStorage.setItem(storageKey, on ? "on" : "off");
    setOn(on);
  };
  return (
    <>
      <button type="button" class="quiet" onClick={() => dialog.current?.showModal()}>
        {speech.text(texts.keyboard.title)}
      </button>
      <dialog ref={dialog} aria-labelledby="keys-title">
        <h2 id="keys-title">{speech.text(texts.keyboard.title)}</h2>
        <ul class="keys">
          {permitted.map(({ key }) => (
            <li key={key}>
              <kbd>{key}</kbd> {speech.text(texts.keyboard.keys[key])}
            </li>
          ))}
        </ul>
        <label class="tick">
          <input type="checkbox" checked={areOn} onChange={(event) => turn(event.currentTarget.checked)} />
          {speech.text(texts.keyboard.enabled)}
        </label>
        <form method="dialog">
          <button type="submit">{speech.text(frameTexts.close)}</button>
        </form>
      </dialog>
    </>
  );
}
