/** What a relying party has to know of an installation. */
export interface SnippetValues {
  /** A bare origin, as are all addresses of Usher below it. */
  readonly issuer: string;
  readonly clientId: string;
  readonly redirectUri: string;
  /** An origin: of the pages that are protected. */
  readonly site: string;
  /** At least one; the first is that of a login which names none. */
  readonly rooms: readonly string[];
  /** How long a visitor stays in before Usher is asked again: the room's `admission.duration`. */
  readonly admissionMs: number;
  /** Whether the client gets refresh tokens. */
  readonly refreshTokens: boolean;
}

/** Text of a relying party's own configuration, in which `#` begins a comment; the secret is only named in it. */
export type Snippet = (values: SnippetValues) => string;

/** As nginx and Go read it: in minutes, or in seconds where it is no whole number of them. */
export function shortDuration(durationMs: number): string {
  const seconds = wholeSeconds(durationMs);
  return seconds % 60 === 0 ? `${seconds / 60}m` : `${seconds}s`;
}

/** Never longer than the duration, and at least one. */
export function wholeSeconds(durationMs: number): number {
  return Math.max(1, Math.floor(durationMs / 1_000));
}

/** On which the site's server listens. */
export function portOf(site: string): string {
  const { port, protocol } = new URL(site);
  return port || (protocol === "https:" ? "443" : "80");
}
