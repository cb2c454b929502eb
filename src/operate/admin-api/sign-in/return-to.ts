import { UsherError } from "../../../lib/errors.ts";

const lengthMax = 2_048;
export const signInPath = "/admin/sign-in";

/**
 * Where somebody wants to go behind the sign-in: a path and a query of this host. Whatever a browser could read as another host
 * is refused. A step of the sign-in itself would begin it once more, and so on.
 *
 * @param supplied undefined or empty for nowhere
 * @throws UsherError `bad_request`
 */
export function readReturnTo(supplied: unknown, address: string): string {
  if (supplied === undefined || supplied === null || supplied === "") return signInPath;
  const isPath =
    typeof supplied === "string" && supplied.length <= lengthMax && /^\/(?![/\\])[\x21-\x5b\x5d-\x7e]*$/.test(supplied);
  if (isPath && URL.canParse(supplied, address)) {
    const url = new URL(supplied, address);
    if (url.origin === address && !url.pathname.startsWith("//")) {
      if (url.pathname.toLowerCase().startsWith(`${signInPath}/`)) return signInPath;
      return `${url.pathname}${url.search}`;
    }
  }
  throw new UsherError("bad_request", "return_to: expected a path of this host, such as /admin/sign-in");
}
