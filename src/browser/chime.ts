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
