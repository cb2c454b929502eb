/**
 * Addresses that visitors may be sent to by a parameter, and the lists that allow them. A list's entry is an exact
 * address, or ends in `/*` for everything below it; origin and path are compared, the query is the site's own matter.
 */

const maxLength = 2_048;
/** RFC 3986 knows no other characters, and no fragment is ever sent to a server. The rest parsers read differently. */
const characters = /^[\w\-.~:/?[\]@!$&'()*+,;=%]+$/;

/**
 * Reads an address as all parsers read it; null for everything that some of them might read as another host or path:
 * user names, backslashes, control characters, dots and double slashes in the path, in whatever encoding.
 */
export function readLinkTarget(value: string): URL | null {
  if (value.length > maxLength || !characters.test(value) || !/^https?:\/\/[^/?@]+(?:[/?]|$)/i.test(value)) return null;
  if (!URL.canParse(value)) return null;
  const url = new URL(value);
  if (url.username !== "" || url.password !== "" || /^[^/]*\/\/[^/?]*@/.test(value)) return null;
  const path = value.replace(/^[^/]*\/\/[^/?]*/, "").replace(/\?.*$/, "");
  return isPlainPath(path) ? url : null;
}

/** @param list entries that `readLinkTarget` accepts, those of a prefix with `*` at the end */
export function isListedTarget({ origin, pathname }: URL, list: readonly string[]): boolean {
  return list.some((entry) => {
    const isPrefix = entry.endsWith("/*");
    const allowed = new URL(isPrefix ? entry.slice(0, -1) : entry);
    if (allowed.origin !== origin) return false;
    return isPrefix ? pathname.startsWith(allowed.pathname) : pathname === allowed.pathname;
  });
}

/** However often it is decoded, it names the same place: no climbing, no empty step, nothing that ends a line. */
function isPlainPath(path: string): boolean {
  if (!isWellEncoded(path)) return false;
  // Each turn takes a layer of encoding off, and so makes the text shorter.
  for (let decoded = path; ; ) {
    if (!areStepsPlain(decoded)) return false;
    const next = decodeAscii(decoded);
    if (next === decoded) return true;
    decoded = next;
  }
}

/** Whole UTF-8, in its shortest form: some servers take other forms of a dot for a dot. */
function isWellEncoded(path: string): boolean {
  try {
    return !/\p{Cc}/u.test(decodeURIComponent(path));
  } catch {
    return false;
  }
}

function decodeAscii(text: string): string {
  return text.replace(/%([0-7][0-9a-f])/gi, (_, code: string) => String.fromCharCode(Number.parseInt(code, 16)));
}

function areStepsPlain(path: string): boolean {
  if (/[\\\p{Cc}]/u.test(path)) return false;
  // Some servers cut parameters off (`..;x=y`) before they look at the dots.
  const steps = path.split("/").map((step) => step.replace(/;.*$/s, ""));
  return !steps.some((step, index) => /^\.{1,2}$/.test(step) || (step === "" && index > 0 && index < steps.length - 1));
}
