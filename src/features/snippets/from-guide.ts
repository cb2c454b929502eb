import { CommandError } from "../../operate/commands/terminal.ts";
import { GUIDE_TEXTS } from "./guide-texts.ts";
import { type SnippetValues, wholeSeconds } from "./written-parties.ts";

export type GuidedParty = keyof typeof GUIDE_TEXTS;

interface Guided {
  /** Of its clients. */
  readonly profile: string;
  /** What begins a comment; null where there is none. */
  readonly comment: "#" | "//" | null;
  /** Where the redirect URI's path follows from the software, and stands in no line. */
  readonly hasFixedPath?: true;
  /** Where values stand without quotes (YAML). */
  readonly isUnquoted?: true;
}

export const GUIDED: Readonly<Record<GuidedParty, Guided>> = {
  auth0: { profile: "auth0", comment: "#" },
  authjs: { profile: "generic", comment: "//", hasFixedPath: true },
  browser: { profile: "generic", comment: "//" },
  "cloudflare-access": { profile: "cloudflare-access", comment: "#" },
  django: { profile: "generic", comment: "#", hasFixedPath: true },
  envoy: { profile: "envoy", comment: "#", isUnquoted: true },
  go: { profile: "generic", comment: "//" },
  keycloak: { profile: "keycloak", comment: "#" },
  "lemonldap-ng": { profile: "generic", comment: null },
  node: { profile: "generic", comment: "//", hasFixedPath: true },
  python: { profile: "generic", comment: "#" },
  ruby: { profile: "generic", comment: "#", hasFixedPath: true },
  spring: { profile: "generic", comment: "#", hasFixedPath: true },
  wordpress: { profile: "wordpress", comment: "//", hasFixedPath: true },
};

const [exampleIssuer, exampleSite, exampleSeconds] = ["https://queue.example.com", "https://shop.example.com", "1200"];

/** The guide's text with other values. @throws CommandError where it does not fit the client */
export function fromGuide(party: GuidedParty, values: SnippetValues): string {
  const { lines, example } = GUIDE_TEXTS[party];
  const exampleUri = example.redirectUri;
  const { issuer, clientId, redirectUri, site, admissionMs } = values;
  const { hasFixedPath, isUnquoted } = GUIDED[party];
  if (hasFixedPath && pathOf(redirectUri) !== pathOf(exampleUri)) {
    const wayOut = `register ${site}${pathOf(exampleUri)} first, or write the settings by hand`;
    throw new CommandError(
      `${party} takes answers at ${pathOf(exampleUri)}, and ${clientId} has ${redirectUri}: ${wayOut}`,
    );
  }
  if (isUnquoted && !/^[a-z_][\w.-]*$/i.test(clientId)) {
    throw new CommandError(`${clientId} would be read as something else there: write it by hand, in quotes`);
  }
  const others: Readonly<Record<string, string>> = {
    [exampleUri]: redirectUri,
    [exampleIssuer]: issuer,
    [exampleSite]: site,
    [new URL(exampleIssuer).host]: new URL(issuer).host,
    [new URL(exampleSite).host]: new URL(site).host,
    // The name of the client as a whole, and nothing that only begins or ends so.
    [example.clientId]: clientId,
    [exampleSeconds]: String(wholeSeconds(admissionMs)),
    ...(!hasFixedPath && { [pathOf(exampleUri)]: pathOf(redirectUri) }),
  };
  const found = Object.keys(others)
    .sort((one, other) => other.length - one.length)
    .map((text) => text.replace(/[.*+?^${}()|[\]\\]/g, "\\$&"));
  // In one pass, so that no value of the client is replaced again.
  return lines
    .join("")
    .replace(new RegExp(`(?<![\\w-])(?:${found.join("|")})(?![\\w-])`, "g"), (text) => others[text] ?? text);
}

function pathOf(uri: string): string {
  const { pathname, search } = new URL(uri);
  return `${pathname}${search}`;
}
