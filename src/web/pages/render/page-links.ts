/** Puts files in place of the style and the script that stand in a page, whoever wrote its templates. */
import { randomBytes } from "node:crypto";
import type { InlineAsset } from "./assets.ts";

/** Where the style and the script of a page lie: names below `/assets/`. */
export interface LinkedFiles {
  readonly style: string;
  readonly script: string;
}

/** Style and script of a page. */
export type PageAssets = Readonly<Record<keyof LinkedFiles, InlineAsset>>;

/** @param guard the script that asks for the page anew, with all in it, where one of its files does not come */
export function createPageLinks(guard: InlineAsset) {
  const word = randomBytes(12).toString("hex");
  // Nobody can guess them, so they are in no other text of a page.
  const marks = { style: `/*${word}:style*/`, script: `/*${word}:script*/` };
  const asset = (text: string): InlineAsset => ({ text, hash: "" });

  return {
    /** What templates get in place of style and script. */
    stand: { style: asset(marks.style), script: asset(marks.script) } satisfies PageAssets,
    /**
     * The page with its files, and what its policy says of them. Templates of an operator's own may do otherwise with a style or
     * a script than to put it into an element alone: then it stands in the page, as it would without files.
     */
    link(html: string, files: LinkedFiles, inline: PageAssets): { html: string; policy: PageAssets } {
      const guardElement = `<script>${guard.text}</script>`;
      const linked = html
        .replace(`<style>${marks.style}</style>`, () => {
          return `${guardElement}<link rel="stylesheet" href="/assets/${files.style}">`;
        })
        .replace(`<script>${marks.script}</script>`, () => `<script src="/assets/${files.script}"></script>`);
      const policyFor = (name: keyof LinkedFiles, usual: string): InlineAsset => ({
        text: "",
        hash: linked.includes(marks[name]) ? `${usual} ${inline[name].hash}` : usual,
      });
      return {
        html: linked
          .replaceAll(marks.style, () => inline.style.text)
          .replaceAll(marks.script, () => inline.script.text),
        policy: { style: policyFor("style", "'self'"), script: policyFor("script", guard.hash) },
      };
    },
  };
}
