/**
 * The ways in which a site may read the target of a request. Sites differ: one takes `/x/../checkout` and `//checkout` for `/checkout`,
 * another does not; one decodes twice, one cuts a step at `;`, one does not tell upper from lower case. A rule lets a request pass
 * only if it does so however the target is read.
 */

/** A target as one site may read it. */
export interface Reading {
  readonly path: string;
  readonly query: string;
  /** Whether the query is decoded, and so must be what it is compared with. */
  readonly isQueryDecoded: boolean;
  /** Whether upper and lower case are the same. */
  readonly ignoresCase: boolean;
}

/** Characters of a path. A longer one is nobody's page, and each reading costs a look at all of it. */
const pathLengthMax = 4_096;
/** Layers of encoding. A path of a site has one or two. */
const layersMax = 4;
/** Characters of all readings of a target together. */
const comparedMax = 131_072;
/** Such a path is read in one way by everybody, but for upper and lower case. */
const plainPath = /^(?:\/(?!\.{0,2}(?:\/|$))[\w\-.~!$&'()*+,=:@]*)*\/?$/;
/** What nobody but the encoding itself can write into a path: a browser encodes it. */
const printable = /^[\x21-\x7e]*$/;
/** They would mean something else if they were not encoded (RFC 3986, section 2.2); `%` begins another layer. */
const meaningful = /[/\\;?#%]/g;

/** What of a target the rules compare. */
export interface ReadingNeeds {
  readonly query: boolean;
  /** `as_sent`: all that they compare it with is lower case, so that only upper case in the target itself could matter. */
  readonly case: "never" | "as_sent" | "always";
}

/**
 * All readings of a target, the usual one first; null where it cannot be read in one way that everybody would agree on: not whole
 * UTF-8, control characters, more than four layers of encoding, a path of more than 4,096 characters.
 *
 * @param target path and query as they were sent
 */
export function readingsOf(target: string, needs: ReadingNeeds): readonly Reading[] | null {
  const at = target.indexOf("?");
  const paths = pathsOf(at < 0 ? target : target.slice(0, at));
  const sent = at < 0 ? "" : withoutToken(target.slice(at + 1));
  if (paths === null || (needs.query && !printable.test(sent))) return null;
  const queries = needs.query ? queriesOf(sent) : [{ query: sent, isQueryDecoded: false }];
  const hasUpperCase = () =>
    [...paths, ...queries.map(({ query }) => query)].some((text) => text !== text.toLowerCase());
  const isFolded = needs.case === "always" || (needs.case === "as_sent" && hasUpperCase());
  const cases = isFolded ? [false, true] : [false];
  if (cases.length * paths.length * queries.length * target.length > comparedMax) return null;
  return cases.flatMap((ignoresCase) =>
    paths.flatMap((path) => queries.map((query) => ({ path, ...query, ignoresCase }))),
  );
}

/** The path as everybody reads it: decoded, but for what would mean something else then. Null where that is impossible. */
export function decodePath(path: string): string | null {
  if (!path.includes("%")) return path.normalize("NFC");
  if (/%(?![0-9a-f]{2})/i.test(path)) return null;
  return decodeRuns(path, (text) => text.replace(meaningful, encodeURIComponent))?.normalize("NFC") ?? null;
}

/** A query as a site sees it that decodes its parameters. What is encoded wrongly stays as it is. */
export function decodeQuery(query: string): string {
  return query.replaceAll("+", " ").replace(/(?:%[0-9a-f]{2})+/gi, (run) => decodeRun(run) ?? run);
}

function pathsOf(path: string): readonly string[] | null {
  if (path.length > pathLengthMax || !path.startsWith("/")) return null;
  if (plainPath.test(path)) return [path];
  if (!printable.test(path)) return null;
  const usual = decodePath(path);
  if (usual === null) return null;
  const layers = [usual];
  for (let text = usual; ; ) {
    const compatible = text.normalize("NFKC");
    const next = decodeRuns(compatible, (decoded) => decoded);
    if (next === null) return null;
    if (next === compatible) break;
    if (layers.length > layersMax) return null;
    layers.push(next);
    text = next;
  }
  if (layers.some((text) => /\p{Cc}/u.test(text))) return null;
  // Where some servers leave out a step from which others climb, nobody can say where that leads.
  if (layers.some((text) => text.includes("..") && resolveSteps(climb(text)) !== resolveSteps(text))) return null;
  // Some servers end a path at an encoded ? or #, others only the step that it stands in; some take what two slashes begin for a host.
  const resolved = layers.flatMap((text) => [
    resolveSteps(text.replace(/[?#].*$/s, "")),
    resolveSteps(text),
    resolveSteps(text.replace(/^[/\\]{2,}[^/\\]*/, "")),
  ]);
  return [...new Set([...layers, ...layers.map((text) => text.normalize("NFKC")), ...resolved])];
}

/** As the servers read it that look at the steps of a path: without what is cut off, empty steps and dots. */
function resolveSteps(path: string): string {
  // Compatible characters count as the plain ones, as a fullwidth dot; what nobody sees is left out.
  const text = path
    .normalize("NFKC")
    .replace(/[\s\p{Cf}]/gu, "")
    .replaceAll("\\", "/");
  const steps = text.split("/").map((step) => step.replace(/[;?#].*$/s, ""));
  const resolved: string[] = [];
  for (const step of steps) {
    if (step === "..") resolved.pop();
    else if (step !== "" && step !== ".") resolved.push(step);
  }
  const isFolder = resolved.length > 0 && /^\.{0,2}$/.test(steps.at(-1) ?? "");
  return `/${resolved.join("/")}${isFolder ? "/" : ""}`;
}

/** Dots resolved by a server that leaves no step out before: of `/a//..` it takes the empty one. */
function climb(path: string): string {
  const steps: string[] = [];
  const all = path.split("/");
  for (const [at, step] of all.entries()) {
    if (step === "..") steps.pop();
    if ((step !== "." && step !== "..") || at === all.length - 1) steps.push(step.replace(/^\.{1,2}$/, ""));
  }
  return `/${steps.join("/")}`;
}

function queriesOf(query: string): readonly Pick<Reading, "query" | "isQueryDecoded">[] {
  const sent = { query, isQueryDecoded: false };
  return /[%+]/.test(query) ? [sent, { query: decodeQuery(query), isQueryDecoded: true }] : [sent];
}

/** Usher's own token in an address is no part of what the visitor asked for. */
function withoutToken(query: string): string {
  if (!query.includes("usher_token")) return query;
  return query
    .split("&")
    .filter((part) => !/^usher_token(?:=|$)/.test(part))
    .join("&");
}

/** Null unless all of it is whole UTF-8 in its shortest form: some servers take other forms of a dot for a dot. */
function decodeRuns(text: string, rest: (decoded: string) => string): string | null {
  let isWhole = true;
  const decoded = text.replace(/(?:%[0-9a-f]{2})+/gi, (run) => {
    const whole = decodeRun(run);
    isWhole &&= whole !== null;
    return whole === null ? run : rest(whole);
  });
  return isWhole ? decoded : null;
}

function decodeRun(run: string): string | null {
  try {
    return decodeURIComponent(run);
  } catch {
    return null;
  }
}
