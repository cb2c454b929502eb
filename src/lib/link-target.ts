/**
 * Addresses that visitors may be sent to by a parameter, and the lists that allow them. A list's entry is an exact
 * address, or ends in `/*` for everything below it; origin and path are compared, the query is the site's own matter.
 */

/**
 * Characters. Encoded as a query's value an address grows threefold at most: the longest is 12,288 then, and fits, with room
 * to spare, into the longest target that is read (request-bounds.ts).
 */
const maxLength = 4_096;
/** RFC 3986 knows no other characters, and no fragment is ever sent to a server. The rest parsers read differently. */
const characters = /^[\w\-.~:/?[\]@!$&'()*+,;=%]+$/;
/** Browsers send four more in a query as they are written (URL Standard, query percent-encode set); so does `URL`. */
const queryCharacters = /^[\w\-.~:/?[\]@!$&'()*+,;=%|{}^]*$/;
/** Each costs a look at the whole path. A path of a site has one or two. */
const maxLayers = 4;

/**
 * Reads an address as all parsers read it; null for everything that some of them might read as another host or path:
 * user names, backslashes, control characters, dots and double slashes in the path, in whatever encoding.
 */
export function readLinkTarget(value: string): URL | null {
  if (value.length > maxLength || !/^https?:\/\/[^/?@]+(?:[/?]|$)/i.test(value)) return null;
  const [address, query] = splitOnce(value, "?");
  if (!characters.test(address) || !queryCharacters.test(query) || !URL.canParse(value)) return null;
  const url = new URL(value);
  if (url.username !== "" || url.password !== "" || /^[^/]*\/\/[^/]*@/.test(address)) return null;
  return isPlainPath(address.replace(/^[^/]*\/\/[^/]*/, "")) ? url : null;
}

/**
 * A list, read once, as a function that answers an address as browsers write it, or null where it is not listed. What is
 * answered is what was compared.
 *
 * @param list entries that `readLinkTarget` accepts, those of a prefix with `*` at the end
 */
export function createTargetList(list: readonly string[]): (address: string) => string | null {
  const read = (address: string) => placeOf(new URL(address));
  const exact = new Set(list.filter((entry) => !isPrefix(entry)).map(read));
  const prefixes = list.filter(isPrefix).map((entry) => read(entry.slice(0, -1)));
  return (address) => {
    const url = readLinkTarget(address);
    if (url === null) return null;
    const place = placeOf(url);
    return exact.has(place) || prefixes.some((prefix) => place.startsWith(prefix)) ? url.href : null;
  };
}

/**
 * Whether forward authentication lets a path through. One that the site might read as another path is never exempt.
 *
 * @param list paths, exact, or ending with `/*` for everything below
 */
export function createExemptPaths(list: readonly string[]): (path: string) => boolean {
  const exact = new Set(list.filter((entry) => !entry.endsWith("/*")));
  const prefixes = list.filter((entry) => entry.endsWith("/*")).map((entry) => entry.slice(0, -1));
  return (path) =>
    (exact.has(path) || prefixes.some((prefix) => path.startsWith(prefix))) &&
    readLinkTarget(`https://site.example${path}`) !== null;
}

function isPrefix(entry: string): boolean {
  return entry.endsWith("/*");
}

function placeOf({ origin, pathname }: URL): string {
  return origin + pathname;
}

/**
 * However often it is decoded, it names the same place: no climbing, no empty step, nothing that ends a line. One that
 * takes more than four turns is none.
 */
function isPlainPath(path: string): boolean {
  if (/%(?![0-9a-f]{2})/i.test(path)) return false;
  let text = path;
  for (let layer = 0; layer <= maxLayers; layer++) {
    if (!areStepsPlain(text)) return false;
    const next = decodeLayer(text);
    if (next === text) return true;
    if (next === null) return false;
    text = next;
  }
  return false;
}

/**
 * Takes a layer of encoding off; null unless that is whole UTF-8 in its shortest form, since some servers take other forms
 * of a dot for a dot. Compatible characters become the plain ones, as some servers read them: a fullwidth dot is a dot.
 */
function decodeLayer(text: string): string | null {
  try {
    return text.replace(/(?:%[0-9a-f]{2})+/gi, decodeURIComponent).normalize("NFKC");
  } catch {
    return null;
  }
}

function areStepsPlain(path: string): boolean {
  if (/[\\\p{Cc}]/u.test(path)) return false;
  // Some servers cut a step off (`..;x=y`, `..?`), and leave out what nobody sees, before they look at the dots.
  const steps = path.split("/").map((step) => step.replace(/[;?#].*$/s, "").replace(/[\s\p{Cf}]/gu, ""));
  return !steps.some((step, index) => /^\.{1,2}$/.test(step) || (step === "" && index > 0 && index < steps.length - 1));
}

/** @returns what is before the first mark and what is after it, empty where there is none */
function splitOnce(text: string, mark: string): [string, string] {
  const at = text.indexOf(mark);
  return at < 0 ? [text, ""] : [text.slice(0, at), text.slice(at + 1)];
}
