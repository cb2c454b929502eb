// Long: whole journeys with one more relying party; openid-client.test.ts has them in the quick run.
/** Authlib with Flask, as its guide has it; it remembers a login until the browser is closed. */
import { startAuthlibSite } from "../../support/sites/authlib.ts";
import { closeBrowser, describeSite } from "./site-journeys.ts";

describeSite({
  name: "Authlib with Flask",
  start: startAuthlibSite,
  rememberedLogins: "many",
  forget: closeBrowser,
  answers: { late: 400, used: 400 },
});
