/** The message of a room, from the console: ready in several languages, seen as the visitor's page before it is shown, then on that page. */
import type { FrameLocator } from "playwright-core";
import { afterAll, beforeAll, describe, expect } from "vitest";
import { memoryStore, useWorld } from "../../e2e/world.ts";
import { type BorrowedChromium, borrowChromium, expectNoAxeViolations } from "../../support/chromium.ts";
import { long, test } from "../../support/sizes.ts";
import { adminKeys, deskKey, expectNoSidewaysScroll, type Operator, openConsole, openTool } from "./operator.ts";

const hostile = `</script><script>document.title='owned'</script><img src=x onerror="parent.document.title='owned'"> "&`;
const inTwo = { text: { de: "Bald geht es weiter.", en: "It goes on soon." }, severity: "warning" };
const world = useWorld(() => ({
  store: memoryStore,
  rooms: [
    { id: "plain", settings: { title: "Plain" } },
    { id: "two", settings: { title: "Two", language: "de", message: inTwo } },
  ],
  config: { admin: { keys: adminKeys } },
}));

let chromium: BorrowedChromium;
beforeAll(async () => {
  chromium = await borrowChromium();
});
afterAll(() => chromium.refund());

async function openRoom(room: string, options: Parameters<typeof openConsole>[2] = {}): Promise<Operator> {
  const path = `/console/rooms/${room}`;
  const operator = await openConsole(chromium.browser, world().issuer, { path, key: deskKey, ...options });
  await openTool(operator.page, "Message");
  return operator;
}
const control = ({ page }: Operator) => page.getByRole("dialog", { name: "Message", exact: true });
const frameOf = (operator: Operator) => control(operator).frameLocator("iframe");
const text = (operator: Operator) => control(operator).getByLabel("Message on the pages of the room", { exact: true });
const button = (operator: Operator, name: string) => control(operator).getByRole("button", { name, exact: true });

interface Words {
  readonly severity: string | null;
  readonly label: string | null;
  readonly text: string | null;
  readonly language: string | null;
}

async function wordsIn(page: Pick<FrameLocator, "locator">): Promise<Words> {
  const section = page.locator("#message");
  const words = page.locator("#message-text");
  return {
    severity: await section.getAttribute("data-severity"),
    label: await page.locator("#message-label").textContent(),
    text: await words.textContent(),
    language: await words.getAttribute("lang"),
  };
}

/** What a visitor's page says, in a browser of this language. */
async function visited(room: string, locale: string): Promise<Words> {
  const context = await chromium.browser.newContext({ locale });
  try {
    const page = await context.newPage();
    const { url } = await world().relyingParty(room).startLogin();
    await page.goto(url.href);
    await page.locator("#message").waitFor();
    return await wordsIn(page);
  } finally {
    await context.close();
  }
}

const messageOf = async (room: string) =>
  ((await world().admin.request("GET", `/rooms/${room}`)).json() as { settings: { message: unknown } }).settings
    .message;

describe("an operator of the box office", () => {
  test("writes by the keyboard alone, and sees the page with the words before anybody else does", async () => {
    const operator = await openRoom("plain");
    const { page } = operator;
    await page.keyboard.press("Escape");
    await page.keyboard.press("m");
    await expect.poll(() => page.evaluate("document.activeElement.id")).toBe("control-message");
    await page.keyboard.insertText(hostile);
    // It opens by itself, and without what is not written yet nothing is shown to visitors.
    await frameOf(operator).getByText(hostile, { exact: true }).waitFor();
    expect(await messageOf("plain")).toBe(null);
    await page.keyboard.press("Tab");
    await page.keyboard.type("Important");
    await expect.poll(async () => (await wordsIn(frameOf(operator))).severity).toBe("warning");
    await page.keyboard.press("Tab");
    expect(await page.evaluate("document.activeElement.textContent")).toBe("Show");
    const draft = await wordsIn(frameOf(operator));
    await page.keyboard.press("Enter");
    await page.getByText("The message is on the pages.").waitFor();
    await openTool(page, "Message");
    expect(draft).toEqual({ severity: "warning", label: "Important", text: hostile, language: null });
    expect(await visited("plain", "en-GB")).toEqual({ ...draft, language: expect.toBeOneOf([null, "", "en"]) });
    expect(await page.title()).toBe("Plain · Console · Usher");
    await expect.poll(() => frameOf(operator).locator("script, img[onerror]").count()).toBe(0);
    expect(operator.faults).toEqual([]);
    // The way back leaves the screen, however many pages the frame has shown.
    await page.goBack();
    expect(page.url()).not.toContain("/pages/");
  });

  long("keeps each language, and changes one of them", async () => {
    const operator = await openRoom("two");
    const region = control(operator);
    await region.getByRole("radio", { name: "Deutsch" }).waitFor();
    await expect.poll(() => text(operator).inputValue()).toBe("Bald geht es weiter.");
    await expect.poll(() => region.getByLabel("Shown as").inputValue()).toBe("warning");
    await region.getByRole("radio", { name: "English" }).check();
    await expect.poll(() => text(operator).inputValue()).toBe("It goes on soon.");
    await text(operator).fill("It goes on at noon.");
    await frameOf(operator).getByText("It goes on at noon.").waitFor();
    await region.getByLabel("As a reader of").selectOption("de");
    await frameOf(operator).getByText("Bald geht es weiter.").waitFor();
    await expect.poll(() => frameOf(operator).locator("html").getAttribute("lang")).toBe("de");
    // A reader of neither gets the first.
    await region.getByLabel("As a reader of").selectOption("ja");
    await expect.poll(async () => (await wordsIn(frameOf(operator))).language).toBe("de");
    await button(operator, "Show").click();
    await operator.page.getByText("The message is on the pages.").waitFor();
    await openTool(operator.page, "Message");
    expect(await messageOf("two")).toEqual({ ...inTwo, text: { ...inTwo.text, en: "It goes on at noon." } });
    await button(operator, "Withdraw the message").click();
    await operator.page.getByText("The message is withdrawn.").waitFor();
    await expect.poll(() => messageOf("two")).toEqual(inTwo);
  });

  long("takes a ready message, adds a language that comes translated, and shows what the preview showed", async () => {
    const operator = await openRoom("two");
    const region = control(operator);
    await button(operator, "Sold out").click();
    await expect.poll(() => button(operator, "Add the language").isDisabled()).toBe(true);
    await region.getByLabel("Another language").selectOption("fr");
    await button(operator, "Add the language").click();
    await expect.poll(() => region.getByRole("radio", { name: "français", exact: false }).isChecked()).toBe(true);
    const previews: Record<string, Words> = {};
    for (const [tag, words] of [
      ["fr", "Tous les billets ont été vendus."],
      ["de", "Alle Karten sind verkauft."],
      ["en", "All tickets have been sold."],
    ] as const) {
      await region.getByLabel("As a reader of").selectOption(tag);
      await frameOf(operator).getByText(words).waitFor();
      previews[tag] = await wordsIn(frameOf(operator));
    }
    await button(operator, "Show").click();
    await operator.page.getByText("The message is on the pages.").waitFor();
    await openTool(operator.page, "Message");
    expect(await messageOf("two")).toMatchObject({ severity: "sold_out", text: { de: "Alle Karten sind verkauft." } });
    for (const tag of ["fr", "de", "en"]) expect([tag, await visited("two", tag)]).toEqual([tag, previews[tag]]);
    await region.getByRole("radio", { name: "English" }).check();
    await button(operator, "Remove English").click();
    await button(operator, "Discard what is not shown yet").click();
    await expect.poll(() => region.getByRole("radio", { name: "English" }).count()).toBe(1);
  });

  long("sees the page dark where the computer is light", async () => {
    // With a scheme that Playwright sets, every frame has that one.
    const operator = await openRoom("two", { colorScheme: null });
    await control(operator).getByText("Preview on a phone").click();
    await frameOf(operator).locator("#message-text").waitFor();
    const ground = () =>
      operator.page.frames().at(-1)?.evaluate("getComputedStyle(document.documentElement).backgroundColor");
    const before = await ground();
    await control(operator).getByLabel("Colours").selectOption("dark");
    await expect.poll(ground).not.toBe(before);
  });

  long.each([
    ["light", 360],
    ["dark", 1_440],
  ] as const)("has nothing that axe finds while the page is seen, %s at %i px", async (colorScheme, width) => {
    const operator = await openRoom("two", { colorScheme, viewport: { width, height: 900 } });
    await control(operator).getByText("Preview on a phone").click();
    await frameOf(operator).locator("#message-text").waitFor();
    await expectNoAxeViolations(operator.page);
    await expectNoSidewaysScroll(operator.page);
    expect(operator.faults).toEqual([]);
  });
});
