import { useEffect, useState } from "preact/hooks";
import { useConsole } from "../context.ts";
import { texts } from "./texts.ts";

const kept = "usher-console-awake";

/** Keeps the screen from going dark while the room is open, where the operator wants that and the browser can (Screen Wake Lock). */
export function WakeLock() {
  const { speech } = useConsole();
  const [isWanted, setWanted] = useState(() => localStorage.getItem(kept) === "on");
  const [isHeld, setHeld] = useState(false);
  const isPossible = "wakeLock" in navigator;

  useEffect(() => {
    if (!isWanted || !isPossible) return;
    let isOver = false;
    let lock: WakeLockSentinel | null = null;
    const ask = async () => {
      if (document.hidden || (lock !== null && !lock.released)) return;
      // A battery that is low, or the system's own saving, refuses it.
      const given = await navigator.wakeLock.request("screen").catch(() => null);
      if (isOver) void given?.release();
      if (isOver || given === null) return;
      lock = given;
      setHeld(true);
      given.addEventListener("release", () => lock === given && setHeld(false));
    };
    void ask();
    // The browser takes it back from a page that is hidden.
    document.addEventListener("visibilitychange", ask);
    return () => {
      isOver = true;
      document.removeEventListener("visibilitychange", ask);
      void lock?.release();
      setHeld(false);
    };
  }, [isWanted]);

  if (!isPossible) return null;
  const turn = (on: boolean) => {
    localStorage.setItem(kept, on ? "on" : "off");
    setWanted(on);
  };
  return (
    <label class="tick awake">
      <input type="checkbox" checked={isWanted} onChange={(event) => turn(event.currentTarget.checked)} />
      {speech.text(texts.wakeLock.title)}
      {isWanted && !isHeld && <span class="marks">{speech.text(texts.wakeLock.refused)}</span>}
    </label>
  );
}
