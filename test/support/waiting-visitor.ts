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

/** What there is to press, in the order in which the Tab key reaches it, with how its focus is shown. */
export async function tabStops(page: Page, count: number): Promise<{ name: string; outlinePx: number }[]> {
  const stops: { name: string; outlinePx: number }[] = [];
  for (let i = 0; i < count; i++) {
    await page.keyboard.press("Tab");
    const stop = await page.evaluate(`(() => {
      const { outlineStyle, outlineWidth } = getComputedStyle(document.activeElement);
      const outlinePx = outlineStyle === "none" ? 0 : parseFloat(outlineWidth);
      return { name: document.activeElement.textContent.trim(), outlinePx };
    })()`);
    stops.push(stop as { name: string; outlinePx: number });
  }
  return stops;
}
