/** express-openid-connect; it remembers a login until the browser is closed, whatever the time. */
import { setTimeout as delay } from "node:timers/promises";
import { startExpressOpenidConnectSite } from "../../support/sites/express-openid-connect.ts";
import type { Visitor } from "../../support/visitor.ts";
import { describeSite } from "./site-journeys.ts";

/** Longer than Usher's own timeout for the client. */
const CLOSED_MS = 1_100;

/** The browser is closed for a while: only cookies with an end of their own are there when it is opened again. */
async function closeBrowser({ jar }: Visitor): Promise<void> {
  for (const { name, expiresMs } of jar.all()) if (expiresMs === undefined) jar.delete(name);
  await delay(CLOSED_MS);
}

describeSite({
  name: "express-openid-connect",
  start: startExpressOpenidConnectSite,
  forget: closeBrowser,
  // It redirects those who are in already to its start page.
  answers: { late: 400, used: 200 },
});
