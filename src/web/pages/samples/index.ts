/**
 * Every page that a visitor can meet, in every state that looks different, with made-up data: for `usher preview`, the
 * admin API, the screenshots, the check of an operator's own views, and the tests of the pages. They are data alone;
 * `render-sample.ts` makes pages of them.
 */
import { noticeSamples } from "./notices.ts";
import { type Sample, type SampleRoom, sampleRoom } from "./sample.ts";
import { waitingSamples } from "./waiting.ts";

export { type Sample, type SampleRoom, sampleRoom } from "./sample.ts";

/**
 * @param nowMs what is said of times goes from here, in milliseconds since the epoch
 * @param room whose pages they are; default: a made-up one
 */
export function samples(nowMs: number, room: SampleRoom = sampleRoom): readonly Sample[] {
  return [...waitingSamples(nowMs, room), ...noticeSamples(nowMs, room)];
}

/** One of them, without making all. */
export function findSample(id: string, nowMs: number, room: SampleRoom): Sample | undefined {
  const isIt = (sample: Sample) => sample.id === id;
  // Records of draws are signed for notices.
  return waitingSamples(nowMs, room).find(isIt) ?? noticeSamples(nowMs, room).find(isIt);
}
