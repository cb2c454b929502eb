/**
 * What is set at relying parties, with the values of an installation: a file for each whose text depends on the client's settings;
 * the others have the text of their guide. A test compares each with its guide in docs/relying-parties.
 */
import { CommandError } from "../terminal.ts";
import { fromGuide, GUIDED, type GuidedParty } from "./from-guide.ts";
import { alb } from "./parties/alb.ts";
import { apache } from "./parties/apache.ts";
import { cognito } from "./parties/cognito.ts";
import { nginx } from "./parties/nginx.ts";
import { oauth2Proxy } from "./parties/oauth2-proxy.ts";
import { withSecret } from "./secret.ts";
import type { Snippet, SnippetValues } from "./values.ts";

export type { SnippetValues } from "./values.ts";

/** By the profile of the client, which is the name of the guide, too. */
const SNIPPETS = { alb, cognito, nginx, apache, "oauth2-proxy": oauth2Proxy } satisfies Record<string, Snippet>;

/** Those with a file of their own. */
export type WrittenParty = keyof typeof SNIPPETS;
export type Party = WrittenParty | GuidedParty;

export const PARTIES = [...Object.keys(SNIPPETS), ...Object.keys(GUIDED)] as Party[];

export function isParty(name: string): name is Party {
  return Object.hasOwn(SNIPPETS, name) || Object.hasOwn(GUIDED, name);
}

function isGuided(party: Party): party is GuidedParty {
  return Object.hasOwn(GUIDED, party);
}

/** The profile of a party's clients. */
export function profileOf(party: Party): string {
  return isGuided(party) ? GUIDED[party].profile : party;
}

/** Quotes, blanks, braces, `;`, `#` and `$` would be read as syntax in one file or the other. */
const PLAIN = /^[\w.~:/?@!&+,=%[\]-]+$/;

/**
 * @param secret of the client, which stands in the text only where it is given
 * @throws CommandError for a value that would not be read as it is written
 */
export function renderSnippet(party: Party, values: SnippetValues, secret: string | null = null): string {
  const { issuer, clientId, redirectUri, site, rooms } = values;
  const guide = `docs/relying-parties/${party}.md`;
  for (const value of [issuer, clientId, redirectUri, site, ...rooms]) {
    if (PLAIN.test(value)) continue;
    throw new CommandError(
      `${value} has characters that not every configuration file takes: write the settings by hand, as in ${guide}`,
    );
  }
  const comment = isGuided(party) ? GUIDED[party].comment : "#";
  const text = isGuided(party) ? fromGuide(party, values) : SNIPPETS[party](values);
  const head = comment === null ? "" : `${comment} The other steps, and what each line is for: ${guide}\n`;
  return `${head}${secret === null ? text : withSecret(text, secret, comment)}`;
}
