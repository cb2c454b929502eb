// Long: whole journeys with one more relying party; openid-client.test.ts has them in the quick run.
/** Passport with passport-openidconnect; it remembers a login as long as the session of its site lasts. */
import { setTimeout as delay } from "node:timers/promises";
import { startPassportSite } from "../../support/sites/passport.ts";
import { describeSite } from "./site-journeys.ts";

const LOGIN_TIMEOUT_MS = 3_000;

describeSite({
  name: "passport-openidconnect",
  start: startPassportSite,
  loginTimeoutMs: LOGIN_TIMEOUT_MS,
  forget: () => delay(LOGIN_TIMEOUT_MS + 100),
  answers: { late: 403, used: 403 },
});
