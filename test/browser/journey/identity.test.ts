/** Signing in first in a real browser: with and without scripts, and a sign-in that is refused. */
import { afterAll, beforeAll, expect } from "vitest";
import { type Journey, startJourney } from "../../support/journey.ts";
import { inspectPage } from "../../support/page-inspection.ts";
import { CLIENT, type PeopleProvider, startPeopleProvider } from "../../support/people-provider.ts";
import { freePort } from "../../support/ports.ts";
import { long, test } from "../../support/sizes.ts";
import { isInside, parkedAt, seesNotice } from "../../support/waiting-visitor.ts";

let provider: PeopleProvider;
let journey: Journey;
beforeAll(async () => {
  const port = await freePort();
  const identity = {
    issuer: `http://localhost:${port}`,
    client_id: CLIENT.id,
    client_secret: CLIENT.secret,
    claims: ["email"],
  };
  journey = await startJourney([{ id: "people", settings: { identity } }]);
  provider = await startPeopleProvider([], [`${journey.gateway.issuer}/rooms/people/identity/callback`], port);
});
afterAll(async () => {
  await journey?.stop();
  await provider?.stop();
});

const is = (sub: string) => {
  provider.person = { sub, claims: { email: `${sub}@people.example.com` } };
};

test("a visitor signs in, waits, and is known at the site; in another browser they have the same place", async () => {
  is("ann");
  const page = await journey.arrive("people");
  expect(await parkedAt(page)).toBe(1);
  const bare = await journey.arrive("people", { javaScriptEnabled: false });
  expect(await parkedAt(bare)).toBe(1);
  await bare.reload();
  expect(await parkedAt(bare)).toBe(1);
  await journey.admin.increment("people", 1);
  expect(await isInside(page)).toBe(1);
  await page.getByRole("row").filter({ hasText: "ann@people.example.com" }).waitFor();
});

long("who is refused at the provider reads so, in their own language, and tries again by a button", async () => {
  is("bob");
  provider.refusal = "access_denied";
  const page = await journey.arrive("people", { locale: "de", viewport: { width: 320, height: 640 } });
  await seesNotice(page, "sign_in_failed");
  await inspectPage(page, "sign-in-failed");
  provider.refusal = null;
  await page.locator("main a.button").click();
  expect(await parkedAt(page)).toBeGreaterThan(0);
});
