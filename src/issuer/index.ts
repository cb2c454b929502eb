/**
 * One issuer of this process: `live-issuers.ts` keeps its rooms, clients and keys in use, `issuer-app.ts` builds the HTTP
 * application with its OpenID provider, gate and tokens. `app.ts` builds one of each for every configured issuer.
 */

export { createIssuerApp } from "./issuer-app.ts";
export {
  applyReloadedSecrets,
  createLiveIssuers,
  drawSourceOf,
  issuerOfRoom,
  keyFaultsOf,
  keysToAgreeOn,
  type LiveIssuer,
  longestAdmissionMs,
} from "./live-issuers.ts";
