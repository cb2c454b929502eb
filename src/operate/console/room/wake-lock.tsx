import { useEffect, useState } from "preact/hooks";
import { useConsole } from "../frame/console.ts";
import { texts } from "./texts.ts";

const storageKey = "usher-console-awake";

/** Keeps the screen from going dark while the room is open, where the operator wants that and the browser can (Screen Wake Lock). */
export function WakeLock() {
  const { speech } = useConsole();
  const [isWanted, setWanted] = useState(() => localStorage.getItem(storageKey) === "on");
  const [isActive, setActive] = useState(false);
  const isPossible = "wakeLock" in navigator;

  useEffect(() => {
    if (!isWanted || !isPossible) return;
    let isOver = false;
    let lock: WakeLockSentinel | null = null;
    const ask = async () => {
      if (document.hidden || (lock !== null && !lock.released)) return;
      // A battery that is low, or the system's own saving, refuses it.
      const granted = await navigator.wakeLock.request("screen").catch(() => null);
      if (isOver) void granted?.release();
      if (isOver || granted === null) return;
      lock = granted;
      setActive(true);
      granted.addEventListener("release", () => lock === granted && setActive(false));
    };
    void ask();
    // The browser takes it back from a page that is hidden.
    document.addEventListener("visibilitychange", ask);
    return () => {
      isOver = true;
      document.removeEventListener("visibilitychange", ask);
      void lock?.release();
      setActive(false);
    };
  }, [isWanted]);

  if (!isPossible) return null;
  const turn = (on: boolean) => {
    localStorage.setItem(storageKey, on ? "on" : "off");
    setWanted(on);
  };
  return (
    <label class="tick awake">
      <input type="checkbox" checked={isWanted} onChange={(event) => turn(event.currentTarget.checked)} />
      {speech.text(texts.wakeLock.title)}
      {isWanted && !isActive && <span class="marks">{speech.text(texts.wakeLock.refused)}</span>}
    </label>
  );
}
