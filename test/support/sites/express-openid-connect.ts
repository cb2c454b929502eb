/** A site on express-openid-connect, which keeps a login that it has begun in one cookie of the browser's session. */
import { randomBytes } from "node:crypto";
import express from "express";
import openidConnect from "express-openid-connect";
import { startSiteServer } from "../site-server.ts";
import {
  CALLBACK_PATH,
  GOODBYE_PATH,
  LOGOUT_PATH,
  type Site,
  type SiteOptions,
  showError,
  siteUris,
  welcome,
} from "./site.ts";

export async function startExpressOpenidConnectSite(options: SiteOptions): Promise<Site> {
  const { origin } = siteUris(options.port);
  const app = express();
  app.use(
    openidConnect.auth({
      issuerBaseURL: options.issuer,
      baseURL: origin,
      clientID: options.clientId,
      clientSecret: options.clientSecret,
      secret: randomBytes(32).toString("hex"),
      authRequired: false,
      // Its default is `id_token`, which is no code flow.
      authorizationParams: { response_type: "code", scope: "openid" },
      idpLogout: true,
      routes: { callback: CALLBACK_PATH, logout: LOGOUT_PATH, postLogoutRedirect: GOODBYE_PATH },
    }),
  );
  app.get(GOODBYE_PATH, (_, response) => void response.send("goodbye"));
  app.get("/{*path}", openidConnect.requiresAuth(), (request, response) =>
    welcome(response, request.originalUrl, request.oidc.idTokenClaims),
  );
  app.use(showError);
  const server = await startSiteServer(app, options);
  return { origin, stop: server.stop };
}
