/** The parts of a request's target that is a path of this server (RFC 9112, section 3.2.1), as they were sent. */

export function pathOf(target: string): string {
  const at = target.indexOf("?");
  return at < 0 ? target : target.slice(0, at);
}

/** Without its question mark; empty where there is none. */
export function queryOf(target: string): string {
  const at = target.indexOf("?");
  return at < 0 ? "" : target.slice(at + 1);
}
