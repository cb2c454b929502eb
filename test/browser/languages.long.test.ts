// Long: looks at each page in every kind of language and on two screens.
/** The pages from right to left and with long words, on a small and on a large screen. */
import { afterAll, afterEach, beforeAll, describe, test } from "vitest";
import { startGalleryVisit } from "../support/gallery-visit.ts";
import type { Screen } from "../support/page-inspection.ts";
import { inspectInLanguage, shownInLanguages } from "./in-language.ts";

const visit = await startGalleryVisit();
afterAll(() => visit.close());
afterEach(() => visit.handOver());

const screens: Screen[] = [
  { name: "320", width: 320, height: 640, media: { colorScheme: "light" } },
  { name: "1280", width: 1280, height: 900, media: { colorScheme: "dark" } },
];

describe.each(["ar", "de"])("in %s", (locale) => {
  beforeAll(() => visit.arrive({ locale }));
  afterAll(() => visit.leave());
  test.each(shownInLanguages)("%s", (id) => inspectInLanguage(visit, id, locale, screens));
});
