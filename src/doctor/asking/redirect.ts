/** Where an answer redirects to; null for any other answer. @param at the address that was asked */
export function redirectOf(status: number, location: string | null | undefined, at: string): URL | null {
  const isRedirect = status >= 300 && status < 400 && typeof location === "string" && URL.canParse(location, at);
  return isRedirect ? new URL(location, at) : null;
}
