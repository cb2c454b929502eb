import { portOf, type Snippet, wholeSeconds } from "../values.ts";

/** mod_auth_openidc, as in docs/relying-parties/apache.md. It takes no session shorter than 15 seconds. */
export const apache: Snippet = ({ issuer, clientId, redirectUri, site, admissionMs }) => {
  const { hostname: host, protocol } = new URL(site);
  const tls = protocol === "https:" ? tlsOf(host) : "";
  const port = portOf(site);
  return `# a2enmod ${tls === "" ? "" : "ssl "}auth_openidc
${["80", "443"].includes(port) ? "" : `Listen ${port}\n`}<VirtualHost *:${port}>
  ServerName ${host}
${tls}
  OIDCProviderMetadataURL ${issuer}/.well-known/openid-configuration
  OIDCClientID ${clientId}
  OIDCClientSecret "the client's secret"
  # An address that nothing else uses. Apache answers it itself.
  OIDCRedirectURI ${redirectUri}
  OIDCCryptoPassphrase "exec:/usr/bin/cat /etc/apache2/oidc-passphrase"
  OIDCPKCEMethod S256
  OIDCRemoteUserClaim sub

  # How long Apache remembers a login that it has begun. It costs the server nothing: it is in the visitor's cookie.
  OIDCStateTimeout 3600
  # Where a callback that came too late starts again, instead of an error page.
  OIDCDefaultURL ${site}/
  # Forget the oldest login begun when a visitor opens an eighth tab. The default is an error 503.
  OIDCStateMaxNumberOfCookies 7 true
  # How long a visitor stays in before Usher is asked again: the room's admission.duration, in seconds.
  OIDCSessionMaxDuration ${Math.max(15, wholeSeconds(admissionMs))}

  <Location />
    <IfDefine !WaitingRoomOff>
      AuthType openid-connect
      Require valid-user
    </IfDefine>
    <IfDefine WaitingRoomOff>
      Require all granted
    </IfDefine>
  </Location>

  # What never queues.
  <LocationMatch "^/(health|webhooks|assets|goodbye|robots\\.txt|\\.well-known/acme-challenge)(/|$)">
    AuthType none
    Require all granted
  </LocationMatch>

  DocumentRoot /var/www/shop
</VirtualHost>
`;
};

function tlsOf(host: string): string {
  return `  SSLEngine on
  SSLCertificateFile /etc/ssl/${host}.crt
  SSLCertificateKeyFile /etc/ssl/${host}.key
`;
}
