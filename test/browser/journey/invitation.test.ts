/** A link of invitation in a real browser: without scripts, and before its class may join. */
import { afterAll, beforeAll, expect } from "vitest";
import { createInvitationSigner } from "../../support/invitations.ts";
import { type Journey, startJourney } from "../../support/journey.ts";
import { inspectPage } from "../../support/page-inspection.ts";
import { long, test } from "../../support/sizes.ts";
import { parkedAt, seesNotice } from "../../support/waiting-visitor.ts";

const secret = "secret-of-the-mailing-0123456789abcdef";
const classes = [{ id: "late", opens_at: "2099-01-01T10:00:00Z" }];
const targets = ["https://shop.example.com/"];

let journey: Journey;
beforeAll(async () => {
  const settings = { entry: "invited", invitations: { secret, classes }, targets };
  journey = await startJourney([{ id: "invited", settings }]);
});
afterAll(() => journey?.stop());

function linkFor(key: string, classId = ""): Promise<string> {
  const { issuer } = journey.gateway;
  const signer = createInvitationSigner({ issuer, room: "invited", secret });
  return signer.link({ key, class: classId, expiresAt: new Date(Date.now() + 3_600_000) });
}

test("a link needs no script, leaves nothing in the address, and shows the same place elsewhere", async () => {
  const link = await linkFor("ann");
  const bare = await journey.browser.newPage({ javaScriptEnabled: false });
  await bare.goto(link);
  expect(await parkedAt(bare)).toBe(1);
  expect(bare.url()).not.toContain("invitation");
  await bare.reload();
  expect(await parkedAt(bare)).toBe(1);
  const phone = await journey.browser.newPage({ viewport: { width: 320, height: 640 } });
  await phone.goto(link);
  expect(await parkedAt(phone)).toBe(1);
  await expect.poll(() => phone.getByText("Wait in another browser").count()).toBe(0);
});

long("who comes without one, with a bad one or too early reads so, and the early one sees the time", async () => {
  const page = await journey.browser.newPage({ viewport: { width: 320, height: 640 } });
  await page.goto(`${journey.gateway.issuer}/rooms/invited/enter`);
  await seesNotice(page, "uninvited");
  await inspectPage(page, "uninvited");
  await page.goto(`${journey.gateway.issuer}/rooms/invited/enter?invitation=x.y.z`);
  await seesNotice(page, "invalid_invitation");
  await inspectPage(page, "invalid-invitation");
  await page.goto(await linkFor("bob", "late"));
  await seesNotice(page, "invitation_early");
  await page.getByText("January 1").first().waitFor();
  await inspectPage(page, "invitation-early");
});
