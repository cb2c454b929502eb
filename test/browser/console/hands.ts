/** The three ways in which people work a screen. Each finds a control by the name that it has for everybody. */
import type { Locator, Page } from "playwright-core";
import { tileOf } from "./operator.ts";

export const ways = ["mouse", "keyboard", "touch"] as const;

export interface Hands {
  /** Presses a button, ticks a box, chooses, opens what is folded. */
  press(name: string | RegExp, within?: Locator): Promise<void>;
  /** In place of what stands in the field. */
  write(label: string, text: string): Promise<void>;
  /** Opens the sheet of a tool, where it needs one. */
  open(tool: string): Promise<void>;
}

/** So many stops has the longest screen, and back to its beginning. */
const stopsMax = 300;

export function handsOf(page: Page, way: (typeof ways)[number]): Hands {
  const control = (name: string | RegExp, within: Page | Locator = page) =>
    within
      .getByRole("button", { name, exact: true })
      .or(within.getByRole("radio", { name, exact: true }))
      .or(within.getByRole("checkbox", { name }))
      .or(within.locator("summary").filter({ hasText: beginning(name) }))
      .first();
  const field = (label: string) => page.getByLabel(label, { exact: true });

  const tile = (tool: string) => tileOf(page, tool);

  if (way === "keyboard") {
    return {
      async open(tool) {
        if ((await tile(tool).count()) === 0) return;
        await tabTo(page, tile(tool));
        await page.keyboard.press("Enter");
      },
      async press(name, within) {
        const wanted = control(name, within);
        await tabTo(page, wanted);
        const isBox = (await wanted.getAttribute("type")) === "checkbox";
        const isRadio = (await wanted.getAttribute("type")) === "radio";
        await page.keyboard.press(isBox || isRadio ? "Space" : "Enter");
      },
      async write(label, text) {
        await tabTo(page, field(label));
        await page.keyboard.press("ControlOrMeta+a");
        await page.keyboard.press("Delete");
        await page.keyboard.type(text);
      },
    };
  }
  const press = (wanted: Locator) => (way === "touch" ? wanted.tap() : wanted.click());
  return {
    async open(tool) {
      if ((await tile(tool).count()) > 0) await press(tile(tool));
    },
    press: (name, within) => press(control(name, within)),
    async write(label, text) {
      await press(field(label));
      await field(label).fill(text);
    },
  };
}

/** A part of its words is not enough: "reset" has "set" in it. */
const beginning = (name: string | RegExp) =>
  typeof name === "string" ? new RegExp(`^${name.replace(/[^\w\s]/g, "\\$&")}`) : name;

/** By the Tab key alone, on or back, until it is there. A group of choices has one stop, and arrows within. */
async function tabTo(page: Page, wanted: Locator): Promise<void> {
  await wanted.waitFor();
  for (let stop = 0; stop < stopsMax; stop++) {
    const way = await wanted.evaluate((element) => {
      const at = element.ownerDocument.activeElement;
      if (element === at) return null;
      const isBehind = at !== null && (element.compareDocumentPosition(at) & 2) !== 0;
      return isBehind || at === element.ownerDocument.body ? "Tab" : "Shift+Tab";
    });
    if (way === null) return;
    await page.keyboard.press(way);
  }
  throw new Error(`no Tab leads to ${wanted}`);
}
