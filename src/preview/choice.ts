import { type Sample, samples } from "../http/index.ts";
import type { Look, Scene } from "./scenery.ts";

/** What is looked at, and how. In addresses by the names that stand here. */
export interface Choice {
  readonly look: Look;
  readonly language: string;
  readonly sample: Sample;
  /** Of the frame, in CSS pixels. */
  readonly width: number;
  readonly scheme: (typeof schemes)[number];
}

export const widths = [320, 390, 768, 1_280] as const;
/** `system`: what the browser says. */
export const schemes = ["system", "light", "dark"] as const;

/** What an address asks for; the first of each kind where it asks for nothing that there is. */
export function readChoice(query: URLSearchParams, { looks, languages }: Scene, nowMs: number): Choice {
  const look = looks.find(({ id }) => id === query.get("look")) ?? looks[0];
  const all = samples(nowMs, look.room);
  const sample = all.find(({ id }) => id === query.get("state")) ?? all[0];
  if (sample === undefined) throw new Error("there are no samples");
  return {
    look,
    language: languages.find(({ tag }) => tag === query.get("language"))?.tag ?? "en",
    sample,
    width: widths.find((width) => String(width) === query.get("width")) ?? 390,
    scheme: schemes.find((scheme) => scheme === query.get("scheme")) ?? "system",
  };
}

/** The query of a page of the frame; `around` it, of the window as well. */
export function toQuery({ look, language, sample, width, scheme }: Choice, around: boolean): string {
  const ofPage = { look: look.id, language, state: sample.id };
  return `?${new URLSearchParams(around ? { ...ofPage, width: String(width), scheme } : ofPage)}`;
}
