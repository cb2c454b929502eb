/** How visitors come to a room beside OpenID Connect: settings of the file that no live change reaches. */

export interface WaysInConfig {
  /** Where links to the room may lead: addresses, each exact, or with all that begin with it where it ends with `/*`. */
  readonly targets: readonly string[];
  readonly admissionToken: {
    /** The claim `aud`; null for the room's own address at the issuer. */
    readonly audience: string | null;
    readonly validityMs: number;
  };
  /** Origins of sites whose pages may take places by the JSON API, as browsers write them. */
  readonly allowedOrigins: readonly string[];
  /** Paths that forward authentication lets through, each exact, or with all that begin with it where it ends with `/*`. */
  readonly exemptPaths: readonly string[];
}
