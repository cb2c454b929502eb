/** Before and after a sale, in a real browser: what is left to do, and what came of it. */
import { afterAll, beforeAll, describe, expect } from "vitest";
import { memoryStore, useWorld } from "../../e2e/world.ts";
import { type BorrowedChromium, borrowChromium, expectNoAxeViolations } from "../../support/chromium.ts";
import { describeLong, long, test } from "../../support/sizes.ts";
import { within } from "../../support/within.ts";
import { adminKeys, expectNoSidewaysScroll, type Operator, openConsole, viewerKey } from "./operator.ts";

const world = useWorld(() => ({
  store: memoryStore,
  rooms: [
    { id: "shop", settings: { title: "Shop", schedule: { opens_at: "2035-01-01T00:00:00Z" } } },
    { id: "over", inlet: { type: "periodic", outflow_per_minute: 600 }, settings: { title: "Over" } },
  ],
  config: { admin: { keys: adminKeys } },
}));

let chromium: BorrowedChromium;
beforeAll(async () => {
  chromium = await borrowChromium();
});
afterAll(() => chromium.refund());

const at = (path: string, options: Parameters<typeof openConsole>[2] = {}): Promise<Operator> =>
  openConsole(chromium.browser, world().issuer, { path: `/console/rooms/${path}`, ...options });
const button = ({ page }: Operator, name: string) => page.getByRole("button", { name, exact: true });
const line = ({ page }: Operator, text: string | RegExp) => page.locator(".checklist > li").filter({ hasText: text });

describe("before the sale", () => {
  test("the checklist says what is done and left, and follows what others change", async () => {
    const operator = await at("shop/before");
    await line(operator, "The room opens").waitFor();
    await expect.poll(() => line(operator, "The room opens").textContent()).toMatch(/^Done/);
    const ages = async () => (await operator.page.locator(".checklist-foot span").allTextContents()).join(", ");
    await expect.poll(ages).toMatch(/^\d{1,3} s old(, \d{1,3} s old){3,}$/);
    await world().admin.change("shop", { rehearsal: true, message: "<b>Hello</b>" });
    await line(operator, "marked as a rehearsal: all its pages").waitFor();
    await expect.poll(() => line(operator, "A message is on the pages").textContent()).toMatch(/^Look/);
    expect(operator.faults).toEqual([]);
    await expectNoAxeViolations(operator.page);
    await world().admin.change("shop", { rehearsal: null, message: null });
  });

  long("a viewer reads it; on a phone all fits, in the dark, too", async () => {
    const viewer = await at("shop/before", {
      key: viewerKey,
      colorScheme: "dark",
      viewport: { width: 360, height: 740 },
    });
    await line(viewer, "told to admins for all rooms alone").first().waitFor();
    await expectNoSidewaysScroll(viewer.page);
    await expectNoAxeViolations(viewer.page);
  });
});

describeLong("after the sale", () => {
  long("the report is made and its chain computed in the browser; the next sale is prepared in one go", async () => {
    const { admin, http, issuer } = world();
    await admin.step("over", "open");
    const joined = await http.request(`${issuer}/rooms/over/tickets`, { method: "POST" });
    const { ticket } = joined.json() as { ticket: string };
    const headers = { authorization: `Bearer ${ticket}` };
    await within(10_000, async () => {
      const told = await http.request(`${issuer}/rooms/over/tickets/me/token`, { method: "POST", headers });
      expect(told.status, told.body).toBe(200);
      expect(told.json()).toHaveProperty("token");
    });
    await admin.change("over", { inlet: { outflow_per_minute: 300 }, max_waiting: 50 });
    await admin.step("over", "pause");
    await admin.step("over", "resume");
    await within(10_000, async () => {
      const head = (await admin.request("GET", "/rooms/over/log/head")).json() as {
        sealed: { seq: number };
        last: number;
      };
      expect(head.sealed.seq).toBe(head.last);
    });
    const operator = await at("over/after");
    const { page } = operator;
    await button(operator, "Check the log and make the report").click();
    await page.getByText("The chain holds.").waitFor();
    await page.getByText("The last hash that the gateways sealed").waitFor();
    await expect.poll(() => page.locator(".facts").first().textContent()).toContain("let in1");
    await page.getByText(/^Held from .* to .*, by an operator$/).waitFor();
    const saved = page.waitForEvent("download");
    await button(operator, "Save the report as a page").click();
    expect((await saved).suggestedFilename()).toBe("report-over.html");
    const figures = page.waitForEvent("download");
    await page.getByRole("link", { name: /^Figures by minute/ }).click();
    expect((await figures).suggestedFilename()).toBe("figures-over.csv");
    expect(operator.faults).toEqual([]);
    await expectNoAxeViolations(page);

    await page.getByLabel("Keep max_waiting (The most who may wait): 50", { exact: false }).check();
    await page.getByLabel("The next sale opens").fill("2035-05-01T10:00");
    await button(operator, "Prepare the next sale").click();
    const dialog = page.getByRole("dialog");
    await dialog.getByRole("textbox").fill("over");
    await dialog.getByRole("button", { name: "Prepare the next sale" }).click();
    await page.getByText("Give settings back, enter times: done").waitFor();
    const room = (await admin.request("GET", "/rooms/over")).json() as Record<string, unknown>;
    expect(room).toMatchObject({ base_phase: "idle", queued: 0, outflow_limit: 600 });
    expect(room.settings_live).toMatchObject({ max_waiting: 50 });
    expect(String(room.opens_at)).toMatch(/^2035-0[45]-/);
  });

  long("a viewer gets the report and prepares nothing; a phone shows all", async () => {
    const viewer = await at("over/after", { key: viewerKey, viewport: { width: 360, height: 740 } });
    await button(viewer, "Check the log and make the report").click();
    await viewer.page.getByText("The chain holds.").waitFor();
    await expect.poll(() => button(viewer, "Prepare the next sale").count()).toBe(0);
    await expectNoSidewaysScroll(viewer.page);
  });
});
