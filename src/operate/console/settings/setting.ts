/** A setting of a room, as the schema and docs/configuration.md have it. */
export interface Setting {
  /** As written: `inlet.outflow_per_minute`. */
  readonly path: string;
  /** In English, with code between backticks. */
  readonly meaning: string;
  readonly allowed: Allowed;
}

export type Allowed =
  | { readonly kind: "whole" | "number"; readonly minimum: number; readonly maximum: number }
  /** A whole number, or the word `off`. */
  | { readonly kind: "wholeOrOff"; readonly minimum: number; readonly maximum: number }
  /** @param range such as `1s to 5m` */
  | { readonly kind: "duration"; readonly range: string }
  | { readonly kind: "time" }
  | { readonly kind: "zone" }
  | { readonly kind: "flag" }
  | { readonly kind: "text"; readonly lengthMax: number }
  | { readonly kind: "choice"; readonly choices: readonly (string | number)[] }
  | { readonly kind: "list"; readonly itemsMax: number }
  /** One of the words, or the address of a page, which is written `{ redirect: … }`. */
  | { readonly kind: "redirect"; readonly choices: readonly string[] }
  /** One text, or texts by language. */
  | { readonly kind: "words" }
  /** The same in Markdown, of many lines; the word `off` may stand instead. */
  | { readonly kind: "markdown" }
  /** Labels with addresses; the word `off` may stand instead. */
  | { readonly kind: "links"; readonly itemsMax: number }
  /** Ranges of addresses with limits of their own. */
  | { readonly kind: "ranges" }
  /** Named groups of addresses with an action; the word `off` may stand instead. */
  | { readonly kind: "rules" }
  /** Changed as a whole; the word `off` may stand instead. */
  | { readonly kind: "mapping"; readonly members: readonly Setting[] };

export interface SettingsGroup {
  /** Empty for those that are in none. */
  readonly name: string;
  readonly meaning: string;
  /** Of the document of a room that was made at run time: there is no live value over it. */
  readonly isOfDocument: boolean;
  readonly settings: readonly Setting[];
}
