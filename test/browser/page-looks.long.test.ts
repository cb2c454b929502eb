// Long: looks at each state of each page on further screens.
/** How the pages look in every state on further screens: dark and light, small and large, high contrast. */
import { afterAll, afterEach, beforeAll, describe, test } from "vitest";
import { samples } from "../../src/pages/samples/index.ts";
import { hideFromVisitor, showSample, startGalleryVisit } from "../support/gallery-visit.ts";
import { inspectOnScreens, type Screen } from "../support/page-inspection.ts";

const visit = await startGalleryVisit();
afterAll(() => visit.close());
afterEach(() => visit.handOver());

const smallest: Screen = { name: "320-light", width: 320, height: 640, media: { colorScheme: "light" } };
const smallDark: Screen = {
  name: "360-dark",
  width: 360,
  height: 780,
  media: { colorScheme: "dark", reducedMotion: "reduce" },
};
const screens: Screen[] = [
  smallDark,
  { name: "1280-light", width: 1280, height: 900, media: { colorScheme: "light" } },
  { name: "360-forced-colors", width: 360, height: 780, media: { forcedColors: "active" } },
];
const idsOf = (kind: "waiting" | "notice") => samples(0).flatMap((sample) => (sample.kind === kind ? [sample.id] : []));

describe("every page", () => {
  // All look into one window.
  beforeAll(() => visit.arrive({}, hideFromVisitor));
  afterAll(() => visit.leave());

  test.each(idsOf("waiting"))("waiting page: %s", async (id) => {
    await showSample(visit, id);
    await inspectOnScreens(visit.page, id, screens);
  });

  test.each(idsOf("notice"))("notice: %s", async (id) => {
    await showSample(visit, id);
    await inspectOnScreens(visit.page, `notice-${id}`, [smallest, smallDark]);
  });
});
