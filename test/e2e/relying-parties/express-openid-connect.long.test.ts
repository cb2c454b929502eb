// Long: whole journeys with one more relying party; openid-client.test.ts has them in the quick run.
/** express-openid-connect; it remembers a login until the browser is closed, whatever the time. */
import { startExpressOpenidConnectSite } from "../../support/sites/express-openid-connect.ts";
import { closeBrowser, describeSite } from "./site-journeys.ts";

describeSite({
  name: "express-openid-connect",
  start: startExpressOpenidConnectSite,
  forget: closeBrowser,
  // It redirects those who are in already to its start page.
  answers: { late: 400, used: 200 },
});
