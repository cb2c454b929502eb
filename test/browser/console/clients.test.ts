/** The clients of an installation, in a real browser: made, looked at, changed, given secrets and deleted by the console alone. */
import { afterAll, beforeAll, expect } from "vitest";
import { clientId, memoryStore, useWorld } from "../../e2e/world.ts";
import { type BorrowedChromium, borrowChromium } from "../../support/chromium.ts";
import { describeLong, describeQuick, long, test } from "../../support/sizes.ts";
import { adminKeys, deskKey, expectReadable, type Operator, openConsole, viewerKey } from "./operator.ts";

const world = useWorld(() => ({
  store: memoryStore,
  rooms: [
    { id: "shop", settings: { title: "Shop" } },
    { id: "bar", settings: { title: "Bar" } },
  ],
  config: { admin: { keys: adminKeys } },
}));

let chromium: BorrowedChromium;
beforeAll(async () => {
  chromium = await borrowChromium();
});
afterAll(() => chromium.refund());

const open = (options: Parameters<typeof openConsole>[2] = {}): Promise<Operator> =>
  openConsole(chromium.browser, world().issuer, { path: "/console/clients", ...options });
const button = ({ page }: Operator, name: string | RegExp) => page.getByRole("button", { name, exact: true });
const callback = "https://box.example.com/oauth2/idpresponse";

async function make(body: object): Promise<{ client_id: string; client_secret: string }> {
  const answer = await world().admin.request("POST", "/clients", body);
  expect(answer.status, answer.body).toBe(201);
  return answer.json() as { client_id: string; client_secret: string };
}
const read = async (id: string) =>
  (await world().admin.request("GET", `/clients/${id}`)).json() as {
    settings: Record<string, unknown>;
    secrets: unknown[];
  };

describeQuick("a new client", () => {
  test("is made by keyboard; its faults stand at their fields, and its secret is shown once and then gone", async () => {
    const operator = await open({ permissions: ["clipboard-read", "clipboard-write"] });
    const { page, faults } = operator;
    const addresses: string[] = [];
    page.on("request", (request) => addresses.push(request.url()));
    await page.getByRole("link", { name: "New client" }).press("Enter");
    await page.getByRole("heading", { level: 1, name: "New client" }).waitFor();
    await page.getByLabel("Kind of site").selectOption({ label: "AWS Application Load Balancer" });
    await page.getByLabel("Client", { exact: true }).fill("box-office");
    await page.getByLabel("Redirect URIs").fill(`${callback}#x\nhttps://box.example.com/ok`);
    await button(operator, "Make the client").press("Enter");
    await page.getByText("Nothing was saved.").waitFor();
    await expect.poll(() => page.locator("#client-redirect-uris-errors").textContent()).toMatch(/^1: a fragment/);
    await expect.poll(() => page.locator("#client-rooms .field-errors").textContent()).not.toBe("");
    await expect.poll(() => page.evaluate("document.activeElement.id")).toBe("client-redirect-uris");

    await page.getByLabel("Redirect URIs").fill(callback);
    await page.getByRole("group", { name: "Rooms" }).getByLabel("Shop (shop)").press("Space");
    await button(operator, "Make the client").press("Enter");
    const secret = await page.getByRole("textbox", { name: "The secret of the client" }).inputValue();
    expect(secret).toMatch(/^[\w-]{40,}$/);
    await button(operator, "Copy The secret of the client").click();
    await page.getByText("Copied.").waitFor();
    expect(await page.evaluate("navigator.clipboard.readText()")).toBe(secret);
    const enter = page.getByRole("region", { name: "What to enter at the site" });
    await expect.poll(() => enter.textContent()).toContain(`token_endpoint${world().issuer}/token`);
    await expect.poll(() => enter.getByLabel("The command").inputValue()).toBe("usher snippet alb --client box-office");
    expect((await read("box-office")).settings).toMatchObject({ profile: "alb", rooms: ["shop"] });

    await page.getByRole("link", { name: "Clients" }).first().click();
    await page.getByRole("link", { name: "box-office" }).click();
    await enter.waitFor();
    await page.goBack();
    await page.goBack();
    await enter.waitFor();
    expect(await page.content()).not.toContain(secret);
    await expect.poll(() => page.getByRole("textbox", { name: "The secret of the client" }).count()).toBe(0);
    expect(addresses.join("\n")).not.toContain(secret);
    expect(world().gateways[0]?.output()).not.toContain(secret);
    expect(faults).toEqual([]);
  });
});

describeLong("a client made at run time", () => {
  long("is changed by what was changed here alone, while another operator changes something else", async () => {
    await make({ client_id: "two", redirect_uris: [callback], room: "shop" });
    const operator = await open({ path: "/console/clients?client=two" });
    const { page, faults } = operator;
    await button(operator, "Change").click();
    await world().admin.request("PATCH", "/clients/two", { login_timeout: "7m" });
    await expect.poll(() => button(operator, "Save").isDisabled()).toBe(true);
    await page.getByLabel("Bar (bar)").check();
    await page.getByText("More settings").click();
    await page.getByLabel("Where the site starts a login").fill("nowhere");
    await button(operator, "Save").click();
    await page.locator("#client-initiate-login-uri-errors").waitFor();
    await page.getByLabel("Where the site starts a login").fill("https://box.example.com/login");
    await button(operator, "Save").click();
    await page.getByText("Saved.").waitFor();
    await page.getByRole("region", { name: "Settings in force" }).getByText("https://box.example.com/login").waitFor();
    expect((await read("two")).settings).toMatchObject({
      login_timeout: "7m",
      initiate_login_uri: "https://box.example.com/login",
      rooms: ["shop", "bar"],
    });
    expect(faults).toEqual([]);
  });

  long("gets a new secret, and says how long the one before works", async () => {
    const { client_secret: before } = await make({ client_id: "three", redirect_uris: [callback], room: "shop" });
    const operator = await open({ path: "/console/clients?client=three" });
    const { page } = operator;
    await button(operator, "New secret").click();
    await page.getByLabel("The one before goes on working for").fill("a while");
    await page.keyboard.press("Enter");
    await page.locator("#client-overlap-errors").waitFor();
    await page.getByLabel("The one before goes on working for").fill("2h");
    await page.keyboard.press("Enter");
    const field = page.getByRole("textbox", { name: "The secret of the client" });
    const secret = await field.inputValue();
    expect(secret).not.toBe(before);
    await page.getByText(/The one before works until/).waitFor();
    expect((await read("three")).secrets).toHaveLength(2);
    await button(operator, "I have it").click();
    await field.waitFor({ state: "detached" });
    expect(await page.content()).not.toContain(secret);
  });

  long("is deleted once its id was typed, and one that somebody else deleted says so", async () => {
    await make({ client_id: "four", redirect_uris: [callback], room: "shop" });
    const operator = await open({ path: "/console/clients?client=four" });
    const { page } = operator;
    await button(operator, "Delete").click();
    const dialog = page.getByRole("dialog");
    const confirm = dialog.getByRole("button", { name: "Delete four" });
    await dialog.getByText("Its codes and tokens are void at once").waitFor();
    await dialog.getByLabel("Type four to go on").fill("fou");
    await expect.poll(() => confirm.isDisabled()).toBe(true);
    await dialog.getByLabel("Type four to go on").fill("four");
    await confirm.click();
    await page.getByRole("heading", { level: 1, name: "Clients" }).waitFor();
    await expect.poll(() => page.getByRole("link", { name: "four" }).count()).toBe(0);
    expect((await world().admin.request("GET", "/clients/four")).status).toBe(404);
    await page.goBack();
    await page.getByText("There is no such client.").waitFor();
  });

  long("may be named anything, which is text", async () => {
    const hostile = `<img/src=x/onerror=alert(1)>'"&?#`;
    await make({ client_id: hostile, redirect_uris: [callback], room: "shop", profile: "alb" });
    const operator = await open();
    const { page, faults } = operator;
    await page.getByRole("link", { name: hostile }).click();
    await page.getByRole("heading", { level: 1, name: hostile }).waitFor();
    await expect
      .poll(() => page.getByLabel("The command").inputValue())
      .toBe(`usher snippet alb --client '<img/src=x/onerror=alert(1)>'\\''"&?#'`);
    await expect.poll(() => page.locator("main img").count()).toBe(0);
    expect(faults).toEqual([]);
    await world().admin.request("DELETE", `/clients/${encodeURIComponent(hostile)}`);
  });
});

long("clients of the file are shown, and say where they are changed", async () => {
  const operator = await open();
  const { page } = operator;
  await page.getByRole("link", { name: clientId("shop"), exact: true }).click();
  await page.getByText("It is in the configuration file").waitFor();
  await expect.poll(() => button(operator, "Change").count()).toBe(0);
  await expect.poll(() => button(operator, "Delete").count()).toBe(0);
});

long.each([viewerKey, deskKey])("who is no admin sees no clients (%#)", async (key) => {
  const { page } = await open({ key });
  await page.getByText("This screen takes another role").waitFor();
  await expect.poll(() => page.getByRole("link", { name: "Clients" }).count()).toBe(0);
});

long("all can be read, in German", async () => {
  const operator = await open({ locale: "de-DE" });
  const { page } = operator;
  await page.getByRole("link", { name: clientId("shop"), exact: true }).waitFor();
  await expectReadable(page, "clients");
  await page.getByRole("link", { name: "Neuer Client" }).click();
  await button(operator, "Client anlegen").click();
  await page.locator("#client-redirect-uris-errors").waitFor();
  await page.getByText("Weitere Einstellungen").click();
  await expectReadable(page, "client-new");
  await button(operator, "Abbrechen").click();
  await page.getByRole("link", { name: clientId("shop"), exact: true }).click();
  await page.getByRole("region", { name: "Was auf der Website einzutragen ist" }).waitFor();
  await expectReadable(page, "client");
});
