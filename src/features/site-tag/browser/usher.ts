/**
 * `usher.js`, the tag for the site: what a page of the site uses of a room. Served to any origin, and may be copied to the site itself.
 * docs/site-tag.md describes it.
 */

import { visit, wrapFetch } from "./tag/admission.ts";
import { guard, mount } from "./tag/mount.ts";
import { page, scriptData, tree, watch } from "./tag/watch.ts";

declare global {
  interface Window {
    usher: {
      mount: typeof mount;
      watch: typeof watch;
      guard: typeof guard;
      fetch: typeof wrapFetch;
      visit: typeof visit;
    };
  }
}

page.usher = { mount, watch, guard, fetch: wrapFetch, visit };

// For pages whose policy allows no script of their own.
for (const name of ["guard", "fetch"] as const) {
  if (scriptData[name]) page.usher[name]({ ...scriptData, room: scriptData[name] });
}

// The index that comes with an element has none of the options.
const mountAll = () =>
  tree.querySelectorAll<HTMLElement>("[data-usher-room]").forEach(mount as (element: HTMLElement) => void);
if (tree.readyState === "loading") addEventListener("DOMContentLoaded", mountAll);
else mountAll();
