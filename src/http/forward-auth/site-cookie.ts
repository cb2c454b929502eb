/** The cookie in which a site behind forward authentication keeps the visitor's admission token. Ours to write, by the proxy. */
export function siteCookieName(room: string, isHttps: boolean): string {
  return `${isHttps ? "__Host-" : ""}usher-${room}.admission`;
}

/** The header `Set-Cookie`. @param maxAgeSec for as long as the token is good */
export function siteCookie(room: string, isHttps: boolean, token: string, maxAgeSec: number): string {
  const secure = isHttps ? "; Secure" : "";
  return `${siteCookieName(room, isHttps)}=${token}; Max-Age=${maxAgeSec}; Path=/; HttpOnly; SameSite=Lax${secure}`;
}
