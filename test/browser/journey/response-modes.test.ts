/** Answers that a page of the provider's own carries, at a real gateway. */
import { afterAll, beforeAll, expect, test } from "vitest";
import { demoSiteUris } from "../../../examples/demo/site.ts";
import { type Journey, startJourney } from "../../support/journey.ts";

let journey: Journey;
beforeAll(async () => {
  journey = await startJourney([{ id: "form", client: { require_pkce: false } }]);
});
afterAll(() => journey?.stop());

test("form_post: the page submits itself under its policy, and says where it comes from", async () => {
  const { redirectUri } = demoSiteUris(Number(new URL(journey.siteUrl("form")).port));
  await journey.admin.increment("form", 1);
  const page = await (await journey.browser.newContext()).newPage();
  await page.route(`${redirectUri}**`, (route) =>
    route.fulfill({ contentType: "text/html", body: "<h1>Arrived</h1>" }),
  );
  const posted = page.waitForRequest((request) => request.method() === "POST");
  const query = { client_id: "site-form", redirect_uri: redirectUri, response_type: "code", scope: "openid" };
  const parameters = new URLSearchParams({ ...query, state: "as sent", response_mode: "form_post" });
  await page.goto(`${journey.gateway.issuer}/authorize?${parameters}`);
  const request = await posted;
  expect(request.url()).toBe(redirectUri);
  const form = new URLSearchParams(request.postData() ?? "");
  expect([form.get("state"), (form.get("code") ?? "").length > 20]).toEqual(["as sent", true]);
  expect((await request.allHeaders()).origin).toBe(journey.gateway.issuer);
  await page.getByRole("heading", { name: "Arrived" }).waitFor();
});
