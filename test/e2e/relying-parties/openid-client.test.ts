/** openid-client, started for the test with a login timeout of its site's own. */
import { setTimeout as delay } from "node:timers/promises";
import { startOpenidClientSite } from "../../support/sites/openid-client.ts";
import { describeSite } from "./site-journeys.ts";

const LOGIN_TIMEOUT_MS = 3_000;

describeSite({
  name: "openid-client",
  start: startOpenidClientSite,
  loginTimeoutMs: LOGIN_TIMEOUT_MS,
  rememberedLogins: "many",
  forget: () => delay(LOGIN_TIMEOUT_MS + 100),
  answers: { late: 400, used: 400 },
});
