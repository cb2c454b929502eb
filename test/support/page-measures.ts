/** What can be measured in a page as it stands, in a browser: a line for each fault. */
import type { Page } from "playwright-core";

/** Evaluated through the DevTools protocol, which the page's Content-Security-Policy does not concern. */
const measure = `(() => {
  const root = document.documentElement;
  const isSeen = (element) => element.checkVisibility({ visibilityProperty: true }) && !element.closest(".unseen");
  const named = (element) => (element.id || element.className || element.tagName) + ": " + element.textContent.trim().slice(0, 40);
  const pressable = [...document.querySelectorAll("a, button, summary, select, input:not([type=hidden])")].filter(isSeen);
  const low = pressable.filter((element) => (element.closest("label") ?? element).offsetHeight < 44).map(named);

  const texts = [];
  const walker = document.createTreeWalker(document.body, NodeFilter.SHOW_TEXT);
  while (walker.nextNode()) {
    const { currentNode: node, currentNode: { parentElement: parent } } = walker;
    if (!node.data.trim() || !isSeen(parent) || parent.closest("option, script, style")) continue;
    const range = document.createRange();
    range.selectNodeContents(node);
    for (const rect of range.getClientRects()) if (rect.width > 1) texts.push({ node, parent, rect });
  }
  const reaches = ({ parent, rect }) => {
    if (rect.left < -1 || rect.right > root.clientWidth + 1) return true;
    const around = parent.closest(".button, summary, .card, .message, .callout")?.getBoundingClientRect();
    return around && (rect.left < around.left - 1 || rect.right > around.right + 1 || rect.bottom > around.bottom + 1);
  };
  const clips = (element) => {
    const { overflowX, overflowY } = getComputedStyle(element);
    return (
      (overflowX !== "visible" && element.scrollWidth > element.clientWidth + 1) ||
      (overflowY !== "visible" && element.scrollHeight > element.clientHeight + 1)
    );
  };
  const all = [...document.body.querySelectorAll("*")].filter(isSeen);
  // A number that goes on in another line is two numbers; letters twice as large may leave no choice.
  const isBroken = ({ parent }) => parent.matches(".position") && parseFloat(getComputedStyle(root).fontSize) <= 16;
  const inLines = ({ node }) => texts.filter((other) => other.node === node).length;
  const cut = [
    ...texts.filter((text) => isBroken(text) && inLines(text) > 1).map(({ parent }) => named(parent)),
    ...texts.filter(reaches).map(({ parent }) => named(parent)),
    ...all.filter((element) => !element.matches("input, select, option, progress") && clips(element)).map(named),
  ];

  // A line's box is higher than its letters: a third of the lower one is not yet a collision.
  const overlaps = ({ node, rect: a }, { node: other, rect: b }) => {
    const width = Math.min(a.right, b.right) - Math.max(a.left, b.left);
    const height = Math.min(a.bottom, b.bottom) - Math.max(a.top, b.top);
    return node !== other && width > 2 && height > Math.min(a.height, b.height) / 3;
  };
  const overlapping = texts.flatMap((one, index) =>
    texts.slice(index + 1).filter((other) => overlaps(one, other)).map((other) => named(one.parent) + " / " + named(other.parent)),
  );

  const isSetOff = (element) => {
    const style = getComputedStyle(element);
    const hasBorder = style.borderTopStyle !== "none" && parseFloat(style.borderTopWidth) >= 1;
    const isNative = element.matches("input") && style.appearance !== "none";
    return hasBorder || isNative || style.textDecorationLine.includes("underline");
  };
  // The bar's own colours do where the visitor's do not take their place.
  const isForced = matchMedia("(forced-colors: active)").matches;
  const bars = [...document.querySelectorAll("progress")].filter((element) => isForced && isSeen(element));
  const seconds = (list) => Math.max(...list.split(",").map((each) => parseFloat(each) * (each.endsWith("ms") ? 0.001 : 1)));
  const moves = (element) =>
    ["", "::before", "::after"].some((pseudo) => {
      const style = getComputedStyle(element, pseudo);
      const animates = style.animationName !== "none" && seconds(style.animationDuration) > 0.01;
      return animates || seconds(style.transitionDuration) > 0.01;
    });
  // Of parts that the browser makes itself, it does not tell; the rules do, the last one for each.
  const slides = new Map();
  const readRules = (rules) => {
    for (const rule of rules) {
      if (rule.media && matchMedia(rule.conditionText).matches) readRules(rule.cssRules);
      const { selectorText = "", style } = rule;
      if (selectorText.includes("::-") && style.transitionDuration) slides.set(selectorText, seconds(style.transitionDuration));
    }
  };
  for (const sheet of document.styleSheets) readRules(sheet.cssRules);
  const sliding = [...slides].filter(([, duration]) => duration > 0.01).map(([selector]) => selector);
  const unset = [...pressable, ...bars].filter((element) => !isSetOff(element)).map(named);
  // A headline leads, or what changes where there is a line, else the number.
  const place = [".headline", ".lead", ".position"].flatMap((name) => texts.filter(({ parent }) => parent.matches(name)))[0]?.parent;
  const sizeOf = (element) => parseFloat(getComputedStyle(element).fontSize);
  const outgrowing = texts.filter(({ parent }) => place && parent !== place && sizeOf(parent) >= sizeOf(place));
  const surplus = all.filter((element) => element.matches(".primary")).slice(1);
  const wantsRest = matchMedia("(prefers-reduced-motion: reduce)").matches;
  const overflowPx = root.scrollWidth - root.clientWidth;
  const lines = (words, found) => found.map((one) => words + " " + one);
  return [
    ...(overflowPx === 0 ? [] : ["can be scrolled sideways by " + overflowPx + " px"]),
    ...lines("less than 44 px high:", low),
    ...lines("cut off:", cut),
    ...lines("on one another:", overlapping),
    ...lines("without border or underline:", unset),
    ...lines("as large as what leads:", outgrowing.map(({ parent }) => named(parent))),
    ...lines("one more main button:", surplus.map(named)),
    ...lines("moves for longer than 0.01 s:", wantsRest ? [...all.filter(moves).map(named), ...sliding] : []),
  ];
})()`;

/**
 * - things to press that are less than 44 px high, a checkbox together with its label, or that nothing sets off from what is
 *   around them; the same of the bar where colours are forced
 * - words that reach over the edge of the window or of what they stand in, or that lie on others
 * - words as large as the place in line, and a second main button
 * - what moves, for who does not want that
 */
export async function findFaults(page: Page): Promise<string[]> {
  return (await page.evaluate(measure)) as string[];
}

/** As whoever wants to see all. */
export async function openDetails(page: Page): Promise<void> {
  await page.evaluate("for (const details of document.querySelectorAll('details')) details.open = true");
}

/** Where an element is, in CSS pixels from the top left of what is seen. */
export interface Box {
  readonly x: number;
  readonly y: number;
  readonly width: number;
  readonly height: number;
}

/** Where elements are, each the only one of its selector, once all of them are to be seen: at one moment, since a page that lives moves them between two. */
export async function boxesOf<Selectors extends readonly [string, ...string[]]>(page: Page, ...selectors: Selectors) {
  for (const selector of selectors) await page.locator(selector).waitFor();
  const boxes: unknown = await page.evaluate(`${JSON.stringify(selectors)}.map((selector) => {
    const { x, y, width, height } = document.querySelector(selector).getBoundingClientRect();
    return { x, y, width, height };
  })`);
  return boxes as { readonly [Index in keyof Selectors]: Box };
}
