/** What the tag stores in this browser: one list in each of its two storages. */
import { page } from "./browser.ts";

/** @param list replaces what is stored. @returns what is stored; nothing where storing is refused, or it is not ours */
const storedIn = (area: "localStorage" | "sessionStorage", list?: unknown[]): unknown[] => {
  try {
    if (list) page[area].usher = JSON.stringify(list);
    return [...JSON.parse(page[area].usher)];
  } catch {
    return [];
  }
};

/** Of all tabs. */
export const browserList = (list?: unknown[]) => storedIn("localStorage", list);
/** Of this tab, until it is closed. */
export const tabList = (list?: unknown[]) => storedIn("sessionStorage", list);
