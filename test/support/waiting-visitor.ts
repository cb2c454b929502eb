/** What a visitor of a journey sees and does on the gateway's pages and at the site behind. */
import type { Page } from "playwright-core";

/** Waits for the waiting page. @returns the place in line that it shows */
export async function parkedAt(page: Page): Promise<number> {
  const position = await page.locator("main[data-position]").getAttribute("data-position");
  return Number(position);
}

/** Waits until the page says so, by itself. */
export async function seesPeopleAhead(page: Page, words: string): Promise<void> {
  await page.locator("#ahead").filter({ hasText: words }).waitFor();
}

/** Waits until the site behind has let the visitor in. @returns their number in line, by the verified ID token */
export async function isInside(page: Page): Promise<number> {
  await page.getByRole("heading", { level: 1, name: "You are in" }).waitFor();
  const row = page.getByRole("row").filter({ has: page.getByRole("rowheader", { name: "queue_position" }) });
  return Number(await row.getByRole("cell").textContent());
}

/** Waits until the visitor is back where they were before they thought of the site. */
export async function isElsewhere(page: Page): Promise<void> {
  await page.getByRole("heading", { level: 1, name: "Elsewhere" }).waitFor();
}

/** Waits for a page that is not the waiting page, by its stable id. */
export async function seesNotice(page: Page, code: string): Promise<void> {
  await page.locator(`main[data-notice="${code}"]`).waitFor();
}

/**
 * Lets the page believe that nobody sees it, or that somebody does again. Under automation, Chromium shows every tab
 * to its page as visible, whatever stands in front.
 */
export async function setVisibility(page: Page, state: "hidden" | "visible"): Promise<void> {
  await page.evaluate(`
    Object.defineProperty(document, "visibilityState", { configurable: true, get: () => ${JSON.stringify(state)} });
    Object.defineProperty(document, "hidden", { configurable: true, get: () => ${state === "hidden"} });
    document.dispatchEvent(new Event("visibilitychange"))`);
}

/** Addresses that the page's tab asks for from now on, as one would see them in its address bar. */
export function recordNavigations(page: Page): URL[] {
  const addresses: URL[] = [];
  page.on("request", (request) => {
    if (request.isNavigationRequest() && request.frame() === page.mainFrame()) addresses.push(new URL(request.url()));
  });
  return addresses;
}

/** Something to press, as who uses the Tab key finds it. */
export interface TabStop {
  /** Its label, or else what it says. */
  readonly name: string;
  /** How its focus is shown: how wide, and how well it stands out from what is around it (WCAG 2.2, 1.4.11: 3). */
  readonly outlinePx: number;
  readonly outlineContrast: number;
}

const describeFocus = `(() => {
  const one = document.activeElement;
  const { outlineStyle, outlineWidth, outlineColor } = getComputedStyle(one);
  const colorsOf = (text) => text.match(/[\\d.]+/g).map(Number);
  let around = one.parentElement;
  const colorAround = () => getComputedStyle(around).backgroundColor;
  while (around.parentElement && colorsOf(colorAround())[3] === 0) around = around.parentElement;
  const light = (text) => {
    const [r, g, b] = colorsOf(text).map((value) => (value / 255 <= 0.04045 ? value / 3294.6 : ((value / 255 + 0.055) / 1.055) ** 2.4));
    return 0.2126 * r + 0.7152 * g + 0.0722 * b + 0.05;
  };
  const contrast = light(outlineColor) / light(colorAround());
  return {
    name: (one.labels?.[0] ?? one).textContent.trim(),
    outlinePx: outlineStyle === "none" ? 0 : parseFloat(outlineWidth),
    outlineContrast: Math.max(contrast, 1 / contrast),
  };
})()`;

/** What there is to press, in the order in which the Tab key reaches it, with how its focus is shown. */
export async function tabStops(page: Page, count: number): Promise<TabStop[]> {
  const stops: TabStop[] = [];
  for (let i = 0; i < count; i++) {
    await page.keyboard.press("Tab");
    stops.push((await page.evaluate(describeFocus)) as TabStop);
  }
  return stops;
}

/** Goes on with the Tab key until it reaches this, with all that lies before it; or to the end of the page. */
export async function tabTo(page: Page, name?: string): Promise<TabStop[]> {
  const stops: TabStop[] = [];
  // More than any page has: one that lets nobody out is caught.
  while (stops.length < 40) {
    const [stop] = await tabStops(page, 1);
    if (stop === undefined || (await page.evaluate("document.activeElement === document.body"))) return stops;
    stops.push(stop);
    if (stop.name === name) return stops;
  }
  throw new Error(`the Tab key goes round and round: ${stops.map((stop) => stop.name).join(", ")}`);
}
