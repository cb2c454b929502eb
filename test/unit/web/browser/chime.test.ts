/** The sound that calls a visitor, with a made-up browser that notes what it is to play. */
import { afterEach, expect, test, vi } from "vitest";

const { playChime } = (await import(new URL("../../../../src/web/browser/later/call.ts", import.meta.url).href)) as {
  playChime(audio: object): void;
};

afterEach(() => {
  vi.unstubAllGlobals();
});

class Node {
  readonly options: { frequency?: number; gain?: number };
  readonly notes: [string, ...number[]][] = [];
  readonly connectedTo: object[] = [];
  constructor(_: object, options: object) {
    this.options = options;
  }
  connect(to: object): object {
    this.connectedTo.push(to);
    return to;
  }
  readonly frequency = { setValueAtTime: (...values: number[]) => this.notes.push(["frequency", ...values]) };
  readonly gain = { setTargetAtTime: (...values: number[]) => this.notes.push(["gain", ...values]) };
  readonly start = (...values: number[]) => this.notes.push(["start", ...values]);
  readonly stop = (...values: number[]) => this.notes.push(["stop", ...values]);
}

test("two rising tones, not too loud, which fade and are over in less than two seconds", () => {
  const made: Node[] = [];
  const noting = class extends Node {
    constructor(audio: object, options: object) {
      super(audio, options);
      made.push(this);
    }
  };
  vi.stubGlobal("OscillatorNode", noting);
  vi.stubGlobal("GainNode", noting);
  const audio = { currentTime: 100, destination: { name: "loudspeaker" } };
  playChime(audio);
  const [tone, loudness] = made;
  expect([tone?.connectedTo, loudness?.connectedTo]).toEqual([[loudness], [audio.destination]]);
  expect(tone?.options.frequency).toBe(660);
  expect(tone?.notes).toEqual([["frequency", 880, 100.25], ["start"], ["stop", 101.75]]);
  const { gain = 1 } = loudness?.options ?? {};
  expect(gain).toBeLessThanOrEqual(0.5);
  const [[, target, fromSec = 0, constantSec = 0] = []] = loudness?.notes ?? [];
  expect([target, fromSec]).toEqual([0, 100.25]);
  // So quiet when it stops that nothing clicks: less than a hundredth.
  expect(gain * Math.exp(-(101.75 - fromSec) / constantSec)).toBeLessThan(0.01);
});
