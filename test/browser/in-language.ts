import { expect } from "vitest";
import type { GalleryVisit } from "../support/gallery-visit.ts";
import { inspectOnScreens, type Screen } from "../support/page-inspection.ts";
import { openDetails } from "../support/page-measures.ts";

/** Samples of pages that are looked at in other languages. */
export const shownInLanguages = [
  ...["waiting", "waiting_long", "entered", "entered_draw", "paused_unhealthy", "held_full", "recovering"],
  ...["not_open_prequeue", "place_expired", "store_unavailable", "bypass_held", "leave_confirm", "draw"],
];

export async function inspectInLanguage(
  visit: GalleryVisit,
  id: string,
  locale: string,
  screens: readonly Screen[],
): Promise<void> {
  await visit.open(`/sample/${id}`);
  expect(await visit.page.evaluate("document.documentElement.lang")).toBe(locale);
  expect(await visit.page.locator("main").getAttribute("data-notice")).not.toBe("not_found");
  await openDetails(visit.page);
  await inspectOnScreens(visit.page, `${id}-${locale}`, screens);
}
