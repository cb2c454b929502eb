/**
 * What is set at relying parties, with the values of an installation: a file for each that has a text of its own. A test
 * compares each with the first block of its guide in docs/relying-parties.
 */
import { CommandError } from "../terminal.ts";
import { alb } from "./alb.ts";
import { apache } from "./apache.ts";
import { cognito } from "./cognito.ts";
import { nginx } from "./nginx.ts";
import { oauth2Proxy } from "./oauth2-proxy.ts";
import type { Snippet, SnippetValues } from "./values.ts";

export type { SnippetValues } from "./values.ts";

/** By the profile of the client, which is the name of the guide, too. */
const SNIPPETS = { alb, cognito, nginx, apache, "oauth2-proxy": oauth2Proxy } satisfies Record<string, Snippet>;

export type Party = keyof typeof SNIPPETS;

export const PARTIES = Object.keys(SNIPPETS) as Party[];

export function isParty(name: string): name is Party {
  return Object.hasOwn(SNIPPETS, name);
}

/** Quotes, blanks, braces, `;`, `#` and `$` would be read as syntax in one file or the other. */
const PLAIN = /^[\w.~:/?@!&+,=%[\]-]+$/;

/** @throws CommandError for a value that would not be read as it is written */
export function renderSnippet(party: Party, values: SnippetValues): string {
  const { issuer, clientId, redirectUri, site, rooms } = values;
  for (const value of [issuer, clientId, redirectUri, site, ...rooms]) {
    if (PLAIN.test(value)) continue;
    const wayOut = `write the settings by hand, as in docs/relying-parties/${party}.md`;
    throw new CommandError(`${value} has characters that not every configuration file takes: ${wayOut}`);
  }
  return `# The other steps, and what each line is for: docs/relying-parties/${party}.md\n${SNIPPETS[party](values)}`;
}
