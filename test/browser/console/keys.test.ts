/** Both kinds of keys, in a real browser: Usher's own go through their life, those of operators are made, renewed and revoked. */
import { afterAll, beforeAll, describe, expect } from "vitest";
import { memoryStore, useWorld } from "../../e2e/world.ts";
import { type BorrowedChromium, borrowChromium } from "../../support/chromium.ts";
import { describeLong, long, test } from "../../support/sizes.ts";
import { adminKeys, deskKey, expectReadable, type Operator, openConsole, viewerKey } from "./operator.ts";

const world = useWorld(() => ({
  store: memoryStore,
  rooms: [{ id: "shop", settings: { title: "Shop" } }],
  config: { admin: { keys: adminKeys } },
}));

let chromium: BorrowedChromium;
beforeAll(async () => {
  chromium = await borrowChromium();
});
afterAll(() => chromium.refund());

const open = (options: Parameters<typeof openConsole>[2] = {}): Promise<Operator> =>
  openConsole(chromium.browser, world().issuer, { path: "/console/keys", ...options });
const button = ({ page }: Operator, name: string | RegExp) => page.getByRole("button", { name, exact: true });
const adminRow = ({ page }: Operator, id: string) =>
  page.getByRole("region", { name: "Admin keys" }).getByRole("row").filter({ hasText: id });

interface Key {
  readonly kid: string;
  readonly state: string;
  readonly purpose: string;
  readonly alg: string | null;
}
const readKeys = async () => ((await world().admin.request("GET", "/keys")).json() as { keys: Key[] }).keys;

describe("an admin key", () => {
  test("is made with its faults at their fields, shown once, lets somebody in, is renewed and revoked", async () => {
    const operator = await open();
    const { page, faults } = operator;
    await button(operator, "New admin key").press("Enter");
    await page.getByLabel("Name", { exact: true }).fill("no spaces");
    await page.getByLabel("Role").selectOption({ label: "operator" });
    await page.getByLabel("Note").fill("<b>Saturday</b>");
    await button(operator, "Make the admin key").press("Enter");
    await page.locator("#admin-key-id-errors").waitFor();
    await expect.poll(() => page.evaluate("document.activeElement.id")).toBe("admin-key-id");
    await page.getByLabel("Name", { exact: true }).fill("ticket-desk");
    await page.getByLabel("Shop (shop)").check();
    await page.getByLabel("Expires").fill("2041-05-11T00:00");
    await button(operator, "Make the admin key").press("Enter");
    const field = page.getByRole("textbox", { name: "The secret of ticket-desk" });
    const secret = await field.inputValue();
    const row = adminRow(operator, "ticket-desk");
    await expect.poll(() => row.textContent()).toContain("<b>Saturday</b>");
    await expect.poll(() => row.textContent()).toContain("2041");
    const { page: theirs } = await open({ key: secret, path: "/console" });
    await theirs.getByText("key ticket-desk, operator").waitFor();

    await button(operator, "I have it").click();
    await button(operator, "New secret ticket-desk").click();
    await page.getByLabel("The one before goes on working for").fill("1h");
    await page.keyboard.press("Enter");
    await expect.poll(() => field.inputValue()).not.toBe(secret);
    const renewed = await field.inputValue();
    await page.getByRole("link", { name: "People" }).click();
    await page.getByRole("link", { name: "Keys" }).click();
    await row.waitFor();
    expect(await page.content()).not.toContain(renewed);

    await button(operator, "Revoke ticket-desk").click();
    const dialog = page.getByRole("dialog");
    await expect.poll(() => dialog.getByRole("button", { name: "Revoke ticket-desk" }).isDisabled()).toBe(true);
    await dialog.getByLabel("Type ticket-desk to go on").fill("ticket-desk");
    await dialog.getByRole("button", { name: "Revoke ticket-desk" }).click();
    await row.waitFor({ state: "detached" });
    await theirs.getByText("You are signed out").waitFor();
    for (const each of [secret, renewed]) expect(world().gateways[0]?.output()).not.toContain(each);
    expect(faults).toEqual([]);
  });

  long("of the configuration file is shown, and not changed here", async () => {
    const operator = await open();
    const row = adminRow(operator, "desk");
    await expect.poll(() => row.textContent()).toContain("from the configuration file");
    await expect.poll(() => row.getByRole("button").count()).toBe(0);
  });
});

describeLong("a key of Usher's own", () => {
  long(
    "is made, staged and promoted before its time with its id typed; each step says first what it means",
    async () => {
      const operator = await open();
      const { page, faults } = operator;
      await button(operator, "New key").click();
      await page.getByLabel("Signs").selectOption({ label: "ID tokens and admission tokens" });
      await page.getByLabel("Algorithm").selectOption("ES256");
      await button(operator, "Make the key").click();
      await expect.poll(async () => (await readKeys()).some(({ state }) => state === "new")).toBe(true);
      const kid = (await readKeys()).find(({ state }) => state === "new")?.kid ?? "";
      const row = page.getByRole("region", { name: "Usher's own keys" }).getByRole("row").filter({ hasText: kid });
      const dialog = page.getByRole("dialog");

      await button(operator, `Stage ${kid}`).click();
      await dialog.getByText("It signs nothing yet, and all that is out stays good.").waitFor();
      await dialog.getByRole("button", { name: "Cancel" }).click();
      expect((await readKeys()).find((each) => each.kid === kid)?.state).toBe("new");
      await button(operator, `Stage ${kid}`).click();
      await dialog.getByRole("button", { name: `Stage ${kid}` }).click();
      await row.getByText("staged").waitFor();
      await row.getByText(/^It is becoming known. It may sign from/).waitFor();

      await button(operator, `Promote ${kid}`).click();
      await dialog.getByText("It is too early").waitFor();
      const promote = dialog.getByRole("button", { name: `Promote ${kid}` });
      await expect.poll(() => promote.isDisabled()).toBe(true);
      await dialog.getByLabel(`Type ${kid} to go on`).fill(kid);
      await promote.click();
      await row.getByText("active", { exact: true }).waitFor();
      await expect.poll(() => row.getByRole("button").count()).toBe(0);
      expect(faults).toEqual([]);
    },
  );

  long("that another operator was faster with: the refusal is shown, and the list is what it is now", async () => {
    const made = await world().admin.request("POST", "/keys", { purpose: "cookies" });
    const { kid } = made.json() as Key;
    const operator = await open();
    const { page } = operator;
    await button(operator, `Stage ${kid}`).waitFor();
    await world().admin.request("POST", `/keys/${kid}/retire`, {});
    await button(operator, `Stage ${kid}`).click();
    await page
      .getByRole("dialog")
      .getByRole("button", { name: `Stage ${kid}` })
      .click();
    await page.locator(".problem").waitFor();
    await page.locator("summary", { hasText: "Retired keys: 1" }).click();
    await page.getByRole("row").filter({ hasText: kid }).waitFor();
    await expect.poll(() => button(operator, `Stage ${kid}`).count()).toBe(0);
  });
});

long.each([viewerKey, deskKey])("who is no admin sees no keys (%#)", async (key) => {
  const { page } = await open({ key });
  await page.getByText("This screen takes another role").waitFor();
  await expect.poll(() => page.getByRole("link", { name: "Keys" }).count()).toBe(0);
});

long("all can be read, in German", async () => {
  const operator = await open({ locale: "de-DE" });
  const { page } = operator;
  await page.getByText("Er signiert, bis ein anderer ihn ablöst.").first().waitFor();
  await button(operator, "Neuer Admin-Schlüssel").click();
  await button(operator, "Neuer Schlüssel").click();
  await page.getByLabel("Name", { exact: true }).fill("a b");
  await button(operator, "Admin-Schlüssel erstellen").click();
  await page.locator("#admin-key-id-errors").waitFor();
  await expectReadable(page, "keys");
});
