import { readFileSync } from "node:fs";
import { join } from "node:path";
import ejs from "ejs";
import { samples } from "../http/index.ts";
import { type Choice, schemes, toQuery, widths } from "./choice.ts";
import type { Scenery } from "./scenery.ts";

/** What stands around the pages. Read anew for each request, like everything here. */
export interface Shell {
  /** The window: what there is to choose, and a frame with the page. */
  window(scenery: Scenery, choice: Choice, nowMs: number): string;
  /** In the frame, in place of what a visitor would go on to. */
  word(asked: string, back: string): string;
}

export function createShell(packageDir: string): Shell {
  const folder = join(packageDir, "views", "preview");
  const render = (name: string, page: object) => {
    const file = join(folder, name);
    const options = { filename: file, strict: true, localsName: "page", rmWhitespace: true };
    return ejs.render(readFileSync(file, "utf8"), page, options);
  };
  return {
    window(scenery, choice, nowMs) {
      const { scene, faults, revision } = scenery;
      const all = samples(nowMs, choice.look.room).map((sample) => ({
        ...sample,
        href: toQuery({ ...choice, sample }, true),
      }));
      const at = all.findIndex(({ id }) => id === choice.sample.id);
      return render("window.ejs", {
        ...choice,
        ...{ faults, revision, schemes, widths },
        looks: scene.looks,
        languages: scene.languages,
        warnings: scene.warnings,
        groups: [
          { name: "Waiting page", samples: all.filter(({ kind }) => kind === "waiting") },
          { name: "Other pages", samples: all.filter(({ kind }) => kind !== "waiting") },
        ],
        previous: all.at(at - 1)?.href,
        next: all[(at + 1) % all.length]?.href,
        src: `/page${toQuery(choice, false)}`,
      });
    },
    word: (asked, back) => render("word.ejs", { asked, back }),
  };
}
