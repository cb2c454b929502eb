import { readFileSync } from "node:fs";
import { join } from "node:path";
import ejs from "ejs";
import { type NoticeAction, type RenderedPage, renderSample } from "../../web/pages/index.ts";
import { type Sample, samples } from "../../web/pages/samples/index.ts";
import type { Look, Scene, Scenery } from "./scenery.ts";

/** What is looked at, and how. In addresses by the names that stand here. */
export interface Choice {
  readonly look: Look;
  readonly language: string;
  readonly sample: Sample;
  /** Of the frame, in CSS pixels. */
  readonly width: number;
  readonly scheme: (typeof schemes)[number];
}

const widths = [320, 390, 768, 1_280] as const;
/** `system`: what the browser says. */
const schemes = ["system", "light", "dark"] as const;

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

function pageQuery({ look, language, sample }: Choice): Record<string, string> {
  return { look: look.id, language, state: sample.id };
}

/** The real page of what is chosen. It asks for a status of its own, and what leads out of it leads to a word about that. */
export function renderChosen({ pages }: Scene, choice: Choice): RenderedPage {
  const { look, language, sample } = choice;
  const query = `?${new URLSearchParams(pageQuery(choice))}`;
  const accept = { gzip: false, language: undefined, chosen: language, here: `/page${query}` };
  const statusUrl = `/rooms/${look.room.id}/status${query}`;
  return renderSample(pages, sample, look, accept, { statusUrl, actionOf: neutralised });
}

function neutralised(action: NoticeAction): NoticeAction {
  if (action.kind === "post" || !/^https?:/.test(action.href)) return action;
  return { ...action, href: `/elsewhere?to=${encodeURIComponent(action.href)}` };
}

/** The window: what there is to choose, and a frame with the page. */
export function renderWindow({ scene, faults, revision }: Scenery, choice: Choice, nowMs: number, viewsDir: string) {
  const { looks, languages, warnings } = scene;
  const hrefOf = (sample: Sample) => {
    const { width, scheme } = choice;
    return `?${new URLSearchParams({ ...pageQuery({ ...choice, sample }), width: String(width), scheme })}`;
  };
  const all = samples(nowMs, choice.look.room).map((sample) => ({ ...sample, href: hrefOf(sample) }));
  const at = all.findIndex(({ id }) => id === choice.sample.id);
  return renderShell(viewsDir, "window.ejs", {
    ...choice,
    faults,
    revision,
    schemes,
    widths,
    looks,
    languages,
    warnings,
    groups: [
      { name: "Waiting page", samples: all.filter(({ kind }) => kind === "waiting") },
      { name: "Other pages", samples: all.filter(({ kind }) => kind !== "waiting") },
    ],
    previous: all.at(at - 1)?.href,
    next: all[(at + 1) % all.length]?.href,
    src: `/page?${new URLSearchParams(pageQuery(choice))}`,
  });
}

/** What stands around the pages. Read anew for each request, like everything here. */
export function renderShell(viewsDir: string, name: "window.ejs" | "word.ejs", page: object): string {
  const filename = join(viewsDir, "preview", name);
  const options = { filename, strict: true, localsName: "page", rmWhitespace: true };
  return ejs.render(readFileSync(filename, "utf8"), page, options);
}
