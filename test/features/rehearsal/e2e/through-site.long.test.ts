// Long: plays a minute of a room; ways.test.ts plays until the first visitors are in.
import { expect, test } from "vitest";
import { within } from "../../../support/within.ts";
import { useSites } from "./sites.ts";

const { world, siteUrl, played, roomOf } = useSites();

test("through a real relying party: each visitor who is let in comes to the site's page", async () => {
  const { report, mend } = await played(["shop", "--visitors", "60", "--site", siteUrl(), "--tabs", "30"]);
  expect(mend).toEqual([]);
  const { visitors, requests, gateways } = report;
  const admitted = 60 - visitors.no_shows;
  expect(report.way).toBe("site");
  expect(visitors).toMatchObject({ arrived: 60, joined: 60, admitted, gave_up: 0, waiting: 0, ghosts: 0 });
  expect(visitors.logins).toBeGreaterThanOrEqual(admitted);
  expect(gateways?.differences).toEqual({ joined: 0, admitted: 0 });
  // From the site, back to it, and its page.
  expect(requests.site?.count).toBeGreaterThanOrEqual(60 + 2 * admitted);
  expect(requests.join?.count).toBe(60);
  await within(5_000, async () => expect(await roomOf("shop")).toMatchObject({ live_admissions: 0 }));
  // The gateway keeps the result, for the console.
  const { last } = (await world().admin.request("GET", "/rooms/shop/rehearsal")).json() as { last: object };
  const differences = { joined: 0, admitted: 0 };
  expect(last).toMatchObject({ way: "site", visitors: 60, joined: 60, admitted, differences, changed_since: [] });
  // The other room of the site's host was not touched.
  expect(await roomOf("sale")).toMatchObject({ queued: 0, live_admissions: 0 });
});
