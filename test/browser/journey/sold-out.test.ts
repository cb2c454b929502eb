/** A room that is sold out at a real gateway, as visitors who wait see it: they may stay or leave, or are told that it is over. */
import { afterAll, beforeAll, describe } from "vitest";
import { english } from "../../support/english.ts";
import { type Journey, startJourney } from "../../support/journey.ts";
import { long, test } from "../../support/sizes.ts";
import { isInside, parkedAt, seesNotice, seesPeopleAhead } from "../../support/waiting-visitor.ts";

const { soldOut, leave } = english.waiting;
const slow = { timeout: 60_000 };

let journey: Journey;
beforeAll(async () => {
  journey = await startJourney([
    { id: "returns", settings: { stock: { show: "number" } } },
    { id: "over", settings: { stock: { show: "warning", returns: false } } },
    { id: "scriptless", settings: { stock: { show: "number" } } },
  ]);
});
afterAll(() => journey?.stop());

async function tell(room: string, remaining: number | null): Promise<void> {
  const { status, body } = await journey.admin.request("PUT", `/rooms/${room}/stock`, { remaining });
  if (status !== 200) throw new Error(`the stock was refused: ${body}`);
}

describe.concurrent("a room that is sold out", () => {
  long(
    "lets visitors stay, who go on when something is returned, or leave",
    async ({ expect }) => {
      await journey.joinOthers("returns", 1);
      const page = await journey.arrive("returns");
      await seesPeopleAhead(page, "1 person ahead of you");
      const stock = page.locator("#stock");
      await expect.poll(() => stock.textContent()).toBe("");
      await tell("returns", 12);
      await page.getByText("12 left", { exact: true }).waitFor(slow);
      await expect.poll(() => page.locator("#milestone").textContent()).toBe("");
      await tell("returns", 1);
      await page.getByText("1 left · It may be sold out before it is your turn.").waitFor(slow);
      // Said aloud once; the number alone is for the eyes.
      await expect
        .poll(() => page.getByRole("status").and(page.locator("#milestone")).textContent())
        .toBe("It may be sold out before it is your turn.");

      await tell("returns", 0);
      await page.locator('main[data-state="sold_out"]').waitFor(slow);
      expect(await page.title()).toContain(`${soldOut.title} – `);
      const seen = await page.evaluate<string>("document.querySelector('main').innerText");
      for (const words of [soldOut.title, soldOut.text, soldOut.returns, soldOut.call]) expect(seen).toContain(words);
      expect(seen).not.toMatch(/to go|too early|lets you in|your turn, you have/);
      // Who stays does nothing, and who comes back finds it so.
      await page.reload();
      expect(await parkedAt(page)).toBe(2);
      await page.getByRole("heading", { name: soldOut.title }).waitFor(slow);

      await tell("returns", 3);
      await page.locator('main[data-state="waiting"]').waitFor(slow);
      await seesPeopleAhead(page, "1 person ahead of you");
      expect(await parkedAt(page)).toBe(2);
      await tell("returns", 0);
      await page.locator('main[data-state="sold_out"]').waitFor(slow);
      const giveUp = page.getByRole("button", { name: leave.confirm });
      await expect.poll(() => giveUp.isVisible()).toBe(false);
      await page.getByText(leave.summary, { exact: true }).click();
      await page.getByText(leave.question).waitFor(slow);
      await giveUp.click();
      await seesNotice(page, "left");
    },
    240_000,
  );

  test("says the same without scripts, and lets in who stayed", async ({ expect }) => {
    const page = await journey.arrive("scriptless", { javaScriptEnabled: false });
    await tell("scriptless", 0);
    await page.locator("#enter").click();
    await page.getByText(soldOut.text).waitFor(slow);
    await page.getByText(leave.summary, { exact: true }).click();
    await expect.poll(() => page.getByRole("button", { name: leave.confirm }).isVisible()).toBe(true);
    await tell("scriptless", 2);
    await journey.admin.increment("scriptless", 1);
    await page.locator("#enter").click();
    expect(await isInside(page)).toBe(1);
  }, 120_000);

  long(
    "ends kindly where nothing is returned, and goes on by itself when that is taken back",
    async ({ expect }) => {
      await journey.joinOthers("over", 1);
      const page = await journey.arrive("over");
      await tell("over", 0);
      await seesNotice(page, "sold_out");
      await expect.poll(() => page.locator("main").textContent()).toContain("Thank you for waiting.");
      await tell("over", 5);
      await page.locator('main[data-state="waiting"]').waitFor({ timeout: 90_000 });
      expect(await parkedAt(page)).toBe(2);
    },
    240_000,
  );
});
