/**
 * Alerts a visitor who is doing other things when it is their turn: by a sound, by a notification, or on a screen that
 * stays on. Loaded when the visitor opens these offers, or took one earlier. Nothing is asked of the browser before the visitor
 * ticks a box; the choice is remembered for this origin. A ticked box is true: an option that the browser does not allow, or
 * not yet, is not ticked.
 */
import type { LaterTexts } from "../../pages/shared/live.ts";
import { attempt } from "../../pages/shared/wording.ts";
import { createNotifications } from "../notification-box.ts";
import { addStyles } from "../own-sheet.ts";
import { isSeen, part, say } from "../page-parts.ts";

export type Call = ReturnType<typeof createCall>;

const style = `
#call label { display: flex; align-items: center; gap: 0.5rem; min-height: 2.75rem }
#call .button { margin-bottom: 0.75rem }
#call-always { margin: -0.5rem 0 0.5rem; padding-inline-start: 2rem; color: var(--soft); font-size: 0.875rem }
#call input { min-width: 1.5rem; height: 1.5rem; margin: 0; accent-color: var(--accent) }`;

/** @param hasPush whether the room notifies its visitors by Web Push. Default: no */
export function createCall(texts: LaterTexts["call"], hasPush = false) {
  addStyles(style);
  const blocked = part("call-blocked");
  const explain = document.createElement("p");
  explain.textContent = texts.explain;
  blocked.before(explain);
  const test = document.createElement("button");
  const sound = offer("sound", "AudioContext" in window, followSound);
  const notify = offer("notify", "Notification" in window, () => {});
  const awake = offer("awake", "wakeLock" in navigator, keepAwake);
  let audio: AudioContext | undefined;
  let lock: WakeLockSentinel | undefined;
  let wasTurn = false;

  function offer(name: "sound" | "notify" | "awake", isSupported: boolean, follow: () => void): HTMLInputElement {
    const box = document.createElement("input");
    box.type = "checkbox";
    box.id = `call-${name}`;
    const label = document.createElement("label");
    label.append(box, texts[name]);
    const row = document.createElement("div");
    row.append(label);
    if (isSupported) blocked.before(row);
    try {
      box.checked = isSupported && Boolean(localStorage.getItem(`usher.${box.id}`));
    } catch {}
    box.onchange = () => {
      follow();
      remember(box);
    };
    return box;
  }

  function remember(box: HTMLInputElement): void {
    try {
      localStorage.setItem(`usher.${box.id}`, box.checked ? "1" : "");
    } catch {
      // Storage is closed to us: it holds for this page.
    }
  }

  // --- Sound --------------------------------------------------------------------------------------------------

  function openAudio(): AudioContext {
    audio ??= new AudioContext();
    void audio.resume();
    return audio;
  }

  function followSound(): void {
    sound.checked = attempt(() => {
      openAudio().onstatechange = sound.checked ? showSound : null;
      return sound.checked;
    }, false);
  }

  function showSound(): void {
    sound.checked = audio?.state === "running";
  }

  // --- Notification -------------------------------------------------------------------------------------------

  const always = document.createElement("p");
  always.id = "call-always";
  always.textContent = texts.notifyAlways;
  const notifications = createNotifications({
    box: notify,
    words: texts,
    pushRoom: hasPush ? document.querySelector("main")?.dataset.room : undefined,
    tell: (text) => say("call-blocked", text),
    changed() {
      describe();
      remember(notify);
    },
  });
  describe();
  // Beside the box that it speaks of.
  if (notify.isConnected) notify.closest("div")?.append(blocked);

  function describe(): void {
    if (notifications.isByPush()) {
      notify.closest("label")?.after(always);
      notify.setAttribute("aria-describedby", always.id);
    } else {
      always.remove();
      notify.removeAttribute("aria-describedby");
    }
  }

  // --- Screen -------------------------------------------------------------------------------------------------

  const isTurnHere = () => document.querySelector("main")?.dataset.state === "turn";

  /** The browser lets the screen go by itself when nobody looks at the page any more, or when it is left; the page when it is the visitor's turn. */
  function keepAwake(): void {
    void lock?.release();
    if (!awake.checked || !isSeen() || isTurnHere()) return;
    // A browser may throw at once.
    new Promise<WakeLockSentinel>((resolve) => resolve(navigator.wakeLock.request("screen"))).then(
      (acquired) => {
        // Meanwhile it may have been asked for again, or not be wanted any more.
        void (awake.checked && !isTurnHere() ? lock : acquired)?.release();
        lock = acquired;
      },
      () => {
        // The visitor looked away before the browser answered: the lock is requested again when they look.
        if (isSeen()) awake.checked = false;
      },
    );
  }

  // ------------------------------------------------------------------------------------------------------------

  // It may have said that this part could not be loaded.
  say("call-blocked", "");
  test.className = "button";
  test.id = "call-test";
  test.textContent = texts.test;
  sound.closest("div")?.append(test);
  test.onclick = () => playChime(openAudio());
  // A browser may keep a page silent until the visitor has pressed something in it.
  document.onclick = () => audio?.resume();
  if (sound.checked) followSound();
  sound.checked = false;
  look();

  function look(): void {
    keepAwake();
    notifications.look();
  }

  return {
    /** To be called when the visitor looks, or looks away. */
    look,
    /** To be called when it is the visitor's turn, or not any more. */
    follow(isTurn: boolean, title: string): void {
      if (isTurn !== wasTurn) keepAwake();
      wasTurn = isTurn;
      if (isTurn && sound.checked) attempt(() => playChime(openAudio()), 0);
      // One that is closed at the same moment would take the new one with it.
      if (isTurn && !isSeen()) notifications.show(title, part("turn").textContent as string);
      else notifications.close();
    },
    /** Milliseconds for which a visible page sounds before it gives way to the site. */
    soundMs: () => (sound.checked ? 900 : 0),
  };
}

/**
 * Plays the sound that calls a visitor: two rising tones, which fade within two seconds. The browser makes them, so that no
 * file is loaded for it.
 */
export function playChime(audio: AudioContext): void {
  const stepSec = audio.currentTime + 0.25;
  const tone = new OscillatorNode(audio, { frequency: 660 });
  const loudness = new GainNode(audio, { gain: 0.4 });
  tone.frequency.setValueAtTime(880, stepSec);
  loudness.gain.setTargetAtTime(0, stepSec, 0.3);
  tone.connect(loudness).connect(audio.destination);
  tone.start();
  tone.stop(stepSec + 1.5);
}
