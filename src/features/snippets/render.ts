/**
 * What is set at relying parties, with the values of an installation: a text of its own for each that depends on the client's settings;
 * the others have the text of their guide.
 */
import { CommandError } from "../../operate/commands/terminal.ts";
import { fromGuide, GUIDED, type GuidedParty } from "./from-guide.ts";
import { type SnippetValues, WRITTEN, type WrittenParty } from "./written-parties.ts";

export type Party = WrittenParty | GuidedParty;

export const PARTIES = [...Object.keys(WRITTEN), ...Object.keys(GUIDED)] as Party[];

export function isParty(name: string): name is Party {
  return Object.hasOwn(WRITTEN, name) || Object.hasOwn(GUIDED, name);
}

export function isGuided(party: Party): party is GuidedParty {
  return Object.hasOwn(GUIDED, party);
}

/** The profile of a party's clients. */
export function profileOf(party: Party): string {
  return isGuided(party) ? GUIDED[party].profile : party === "nginx-plus" ? "nginx" : party;
}

/** The page with all of its steps. */
export function guideOf(party: Party): string {
  return `docs/relying-parties/${party === "nginx-plus" ? "nginx" : party}.md`;
}

/** Quotes, blanks, braces, `;`, `#` and `$` would be read as syntax in one file or the other. */
const PLAIN = /^[\w.~:/?@!&+,=%[\]-]+$/;

/**
 * @param secret of the client, which stands in the text only where it is given
 * @throws CommandError for a value that would not be read as it is written
 */
export function renderSnippet(party: Party, values: SnippetValues, secret: string | null = null): string {
  const { issuer, clientId, redirectUri, site, rooms } = values;
  const guide = guideOf(party);
  requirePlain([issuer, clientId, redirectUri, site, ...rooms], guide);
  const comment = isGuided(party) ? GUIDED[party].comment : "#";
  const text = isGuided(party) ? fromGuide(party, values) : WRITTEN[party](values);
  const head = comment === null ? "" : `${comment} The other steps, and what each line is for: ${guide}\n`;
  return `${head}${secret === null ? text : withSecret(text, secret, comment)}`;
}

/** @throws CommandError for a value that would not be read as it is written */
export function requirePlain(values: readonly string[], guide: string): void {
  const odd = values.find((value) => !PLAIN.test(value));
  if (odd === undefined) return;
  throw new CommandError(
    `${odd} has characters that not every configuration file takes: write the settings by hand, as in ${guide}`,
  );
}

/** What names it: a variable of the program or of Terraform, a line that stands for it, or a file. */
const SECRET_PLACES: readonly (readonly [RegExp, (secret: string) => string])[] = [
  [/process\.env\.SHOP_CLIENT_SECRET|os\.environ\["SHOP_CLIENT_SECRET"\]/g, quoted],
  [/os\.Getenv\("SHOP_CLIENT_SECRET"\)|ENV\["SHOP_CLIENT_SECRET"\]/g, quoted],
  [/\$\{SHOP_CLIENT_SECRET\}/g, (secret) => secret],
  [/var\.usher_client_secret/g, quoted],
  [/"the client's secret"|["']the secret of the client["']/g, quoted],
  [/client_secret_file = ".*"/g, (secret) => `client_secret = ${quoted(secret)}`],
  [/(?<=, )the secret$/gm, (secret) => secret],
];

/** In quotes of any of these languages, or bare, each of these is read as it is. */
const PLAIN_SECRET = /^[\w.~/+=-]+$/;

/** Puts the secret where the text only names it. @throws CommandError, which does not repeat the secret */
function withSecret(text: string, secret: string, comment: string | null): string {
  if (!PLAIN_SECRET.test(secret)) {
    throw new CommandError("the secret has characters that not every configuration file takes: write it by hand");
  }
  for (const [place, of] of SECRET_PLACES) if (text.search(place) >= 0) return text.replace(place, () => of(secret));
  return `${text}${comment ?? "#"} The client's secret: ${secret}\n`;
}

function quoted(secret: string): string {
  return `"${secret}"`;
}
