/**
 * `usher.js`, the tag for the site: what a page of the site uses of a room. Served to any origin, and may be copied to the site itself.
 * docs/site-tag.md describes it.
 */
import { wrapFetch } from "./tag/fetch.ts";
import { guard } from "./tag/guard.ts";
import { mount } from "./tag/mount.ts";
import { ownData } from "./tag/room.ts";
import { visit } from "./tag/visit.ts";
import { watch } from "./tag/watch.ts";

declare global {
  interface Window {
    usher: object;
  }
}

window.usher = { mount, watch, guard, fetch: wrapFetch, visit };

// For pages whose policy allows no script of their own.
if (ownData.guard) void guard({ ...ownData, room: ownData.guard });
if (ownData.fetch) wrapFetch({ ...ownData, room: ownData.fetch });

const mountAll = () => {
  for (const element of document.querySelectorAll<HTMLElement>("[data-usher-room]")) mount(element);
};
if (document.readyState === "loading") document.addEventListener("DOMContentLoaded", mountAll);
else mountAll();
