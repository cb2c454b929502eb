/** Themes in the console: what each sets and who uses it, and the pages of its rooms as visitors of a client see them. */
import { writeFile } from "node:fs/promises";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect } from "vitest";
import { clientId, clientSecret, memoryStore, redirectUri, useWorld } from "../../e2e/world.ts";
import { type BorrowedChromium, borrowChromium } from "../../support/chromium.ts";
import { describeLong, long, test } from "../../support/sizes.ts";
import { makeTempDir, type TempDir } from "../../support/temp-dir.ts";
import { adminKeys, expectReadable, type Operator, openConsole, phone, viewerKey } from "./operator.ts";

const hostile = `<img src=x onerror="parent.document.title='owned'">`;
const logo = '<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 3 1"><path d="M0 0h3v1z"/></svg>';
const rooms = ["tour", "plain", "other"];

let files: TempDir;
beforeAll(async () => {
  files = await makeTempDir("console-themes");
  await writeFile(join(files.path, "logo.svg"), logo);
});
afterAll(() => files?.remove());

const world = useWorld(async () => ({
  store: memoryStore,
  rooms: [
    {
      id: "tour",
      settings: {
        title: `Tour ${hostile}`,
        theme: {
          logo: { file: join(files.path, "logo.svg"), alt: "Acme", link: "https://acme.test/" },
          colors: { accent: "#8a1538" },
          title: { en: `The tour ${hostile}`, de: "Die Tournee" },
          texts: { en: { "waiting.eyebrow": "Foyer" }, de: { "waiting.eyebrow": "Wandelhalle" } },
          links: [{ href: "https://acme.test/help", label: { en: "Help", de: "Hilfe" } }],
        },
      },
    },
    { id: "plain", settings: { title: "Plain" } },
    { id: "other", settings: { title: "Other", language: "de" } },
  ],
  config: {
    theme: { footer: `Acme Ltd ${hostile}` },
    admin: { keys: adminKeys },
    clients: [
      ...rooms.map((id) => ({
        client_id: clientId(id),
        client_secret: clientSecret(id),
        redirect_uris: [redirectUri(id)],
        room: id,
      })),
      {
        client_id: "fans",
        client_secret: clientSecret("fans"),
        redirect_uris: ["https://fans.example.test/callback"],
        room: "tour",
        theme: { colors: { accent: "#003399" }, title: "The fans' tour" },
      },
    ],
  },
}));

let chromium: BorrowedChromium;
beforeAll(async () => {
  chromium = await borrowChromium();
});
afterAll(() => chromium.refund());

/** By a viewer, who may see them, too. */
const open = (options: Parameters<typeof openConsole>[2] = {}): Promise<Operator> =>
  openConsole(chromium.browser, world().issuer, { path: "/console/themes", key: viewerKey, ...options });
const addressOf = (...places: string[]) => `/console/themes?theme=${encodeURIComponent(places.join("+"))}`;
const ofTour = addressOf("theme", "rooms[0].theme");
const ofFans = addressOf("theme", "rooms[0].theme", "clients[3].theme");
const preview = ({ page }: Operator) => page.getByRole("region", { name: "Preview", exact: true });
const frameOf = (operator: Operator) => preview(operator).frameLocator("iframe");
const inFrame = ({ page }: Operator, script: string) => page.frames().at(-1)?.evaluate(script);
const accentOf = (operator: Operator) =>
  inFrame(operator, "getComputedStyle(document.documentElement).getPropertyValue('--accent')");

describeLong("the list of themes", () => {
  long("says what each sets, in colours and words, and which rooms and clients use it", async () => {
    const operator = await open();
    const { page, faults } = operator;
    const rows = page.getByRole("row");
    await rows.nth(3).waitFor();
    await expect.poll(() => rows.count()).toBe(4);
    const tour = rows.nth(1);
    const told = await tour.textContent();
    for (const words of [
      `The tour ${hostile}`,
      "theme",
      "rooms[0].theme",
      "logo, colours, title, texts, links, foot",
    ]) {
      expect(told).toContain(words);
    }
    expect(told).toContain("light #8a1538");
    await expect.poll(() => tour.locator("svg rect").first().getAttribute("fill")).toBe("#8a1538");
    await tour.getByText(`Tour ${hostile}`, { exact: true }).waitFor();
    await expect.poll(() => tour.textContent()).toContain(`Clients: ${clientId("tour")}`);
    await expect.poll(() => rows.nth(2).textContent()).toContain("Only for visitors from: fans");
    await expect.poll(() => rows.nth(3).textContent()).toContain(`Pages of no room at ${world().issuer}`);
    // They are the file's: there is nothing to change them by.
    await page.getByText("Themes are set in the configuration file alone").waitFor();
    await expect.poll(() => page.locator("main button, main input, main img").count()).toBe(0);
    expect(await page.title()).toBe("Themes · Console · Usher");
    expect(faults).toEqual([]);
  });
});

describe("the preview of a theme", () => {
  test("leads through pages and languages by the keyboard alone", async () => {
    const operator = await open();
    const { page, faults } = operator;
    const link = page.getByRole("link", { name: `The tour ${hostile}` });
    await link.focus();
    await page.keyboard.press("Enter");
    // The heading has the focus, so the next is what is chosen.
    await frameOf(operator).getByText("Foyer").waitFor();
    await expect.poll(() => page.evaluate("document.activeElement.localName")).toBe("h1");
    await frameOf(operator).getByText(`Acme Ltd ${hostile}`).waitFor();
    await frameOf(operator).getByText(`The tour ${hostile}`).first().waitFor();
    await page.keyboard.press("Tab");
    expect(await page.evaluate("document.activeElement.labels[0].firstChild.data")).toBe("Page");
    await page.keyboard.type("Logged out");
    await frameOf(operator).getByText("You are logged out", { exact: false }).first().waitFor();
    await page.keyboard.press("Tab");
    await page.keyboard.type("Deutsch");
    await expect.poll(() => inFrame(operator, "document.documentElement.lang")).toBe("de");
    await page.keyboard.press("Shift+Tab");
    await page.keyboard.type("In line");
    await frameOf(operator).getByText("Wandelhalle").waitFor();
    await frameOf(operator).getByText("Die Tournee").first().waitFor();
    expect(await page.title()).toBe(`The tour ${hostile} · Console · Usher`);
    await expect.poll(() => frameOf(operator).locator("script, img[onerror]").count()).toBe(0);
    await expect.poll(() => page.locator("main img").count()).toBe(0);
    expect(faults).toEqual([]);
    // The way back leads to the list, however many pages the frame has shown.
    await page.goBack();
    await page.getByRole("row").nth(3).waitFor();
  });

  long("shows the page as visitors of a client see it, and as wide as is chosen", async () => {
    const operator = await open({ path: ofFans, viewport: { width: 1_440, height: 900 } });
    await frameOf(operator).getByText("The fans' tour").first().waitFor();
    expect(await accentOf(operator)).toBe("#003399");
    expect(await inFrame(operator, "innerWidth")).toBe(360);
    await preview(operator).getByLabel("Width").selectOption("wide");
    await expect.poll(() => inFrame(operator, "innerWidth")).toBe(1_024);
    await operator.page.goto(`${world().issuer}${ofTour}`);
    await frameOf(operator).getByText("The tour").first().waitFor();
    expect(await accentOf(operator)).toBe("#8a1538");
    expect(operator.faults).toEqual([]);
  });

  long(
    "of a theme that several rooms have shows each, in the room's own language until another is chosen",
    async () => {
      const operator = await open({ path: addressOf("theme") });
      const seen = preview(operator).getByLabel("Seen in");
      await frameOf(operator).getByText("Plain").first().waitFor();
      await expect.poll(() => frameOf(operator).locator("html").getAttribute("lang")).toBe("en");
      await seen.selectOption({ label: "Other" });
      await frameOf(operator).getByText("Other").first().waitFor();
      await expect.poll(() => frameOf(operator).locator("html").getAttribute("lang")).toBe("de");
      await preview(operator).getByLabel("As a reader of").selectOption("fr");
      await frameOf(operator).locator("html[lang=fr]").waitFor();
      await seen.selectOption({ label: "Plain" });
      await frameOf(operator).getByText("Plain").first().waitFor();
      await expect.poll(() => frameOf(operator).locator("html").getAttribute("lang")).toBe("fr");
    },
  );

  long("can be read by everybody, on a phone and on a desk, also where the page is wider than the screen", async () => {
    const operator = await open({ path: ofTour, reducedMotion: "reduce" });
    await frameOf(operator).getByText("Foyer").waitFor();
    await expectReadable(operator.page, "console-theme");
    await preview(operator).getByLabel("Width").selectOption("wide");
    await expect.poll(() => inFrame(operator, "innerWidth")).toBe(1_024);
    await expectReadable(operator.page, "console-theme-wide");
    expect(operator.faults).toEqual([]);
  });

  long("has the width of the phone on which it is looked at", async () => {
    const operator = await open({ path: ofTour, ...phone });
    await frameOf(operator).getByText("Foyer").waitFor();
    expect(await inFrame(operator, "innerWidth")).toBe(360);
  });

  long("of a theme that is not there says so, in German, too", async () => {
    const operator = await open({ path: addressOf("<b>gone</b>"), locale: "de-AT" });
    await operator.page.getByText("Diese Gestaltung gibt es nicht.").waitFor();
    await operator.page.getByRole("link", { name: "Gestaltungen" }).first().click();
    await operator.page.getByRole("link", { name: "Die Tournee" }).waitFor();
    expect(operator.faults).toEqual([]);
  });
});
