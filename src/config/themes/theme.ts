/** How the pages of a room, a client or an issuer look and what they say besides, complete and checked. */

import type { WordsInLanguage } from "../schema/words-by-language.ts";
import type { Palettes, WrittenColors } from "./theme-colors.ts";

/** One object for each room and client that look alike, the same for as long as the program runs. */
export interface ThemeConfig {
  /** Where it is written in the configuration, each overriding those before it: `theme`, `rooms[0].theme`. */
  readonly places: readonly string[];
  readonly logo: ThemeLogo | null;
  /** Null: those of the stylesheet. */
  readonly colors: Palettes | null;
  /** Those among them that somebody chose: the others follow. */
  readonly chosenColors: WrittenColors;
  /** Of the room, in place of the one in its settings. */
  readonly title: readonly WordsInLanguage[] | null;
  /** In the order in which they override the texts of a language. */
  readonly texts: readonly ThemeText[];
  readonly links: readonly ThemeLink[];
  readonly footer: readonly WordsInLanguage[] | null;
  /** Markdown, for rooms that have none of their own. */
  readonly whileWaiting: readonly WordsInLanguage[] | null;
  /** Absolute path of the folder with the operator's own templates. */
  readonly viewsDir: string | null;
}

export interface ThemeLogo {
  readonly image: LogoImage;
  /** On dark ground; null where the same serves. */
  readonly darkImage: LogoImage | null;
  readonly alt: readonly WordsInLanguage[];
  /** CSS pixels. */
  readonly height: number;
  readonly link: string | null;
}

export interface LogoImage {
  /** The whole image, as a `data:` address. */
  readonly uri: string;
  /** Width by height. */
  readonly ratio: number;
}

export interface ThemeLink {
  readonly href: string;
  readonly label: readonly WordsInLanguage[];
}

/** In place of a text of views/locales. */
export interface ThemeText {
  readonly language: string;
  /** As `waiting.eyebrow`. */
  readonly path: string;
  /** Text, plural forms or paragraphs; compared with the English ones where those are read. */
  readonly text: unknown;
  /** Where it stands in the configuration. */
  readonly where: string;
}

/** The themes of one issuer. Null or absent: none, the pages look as they are built. */
export interface IssuerThemes {
  /** For pages of no room. */
  readonly usual: ThemeConfig | null;
  readonly ofRooms: ReadonlyMap<string, ThemeConfig>;
  /** By client and room: each client with each of its rooms. */
  readonly ofClients: ReadonlyMap<string, ReadonlyMap<string, ThemeConfig>>;
  /** By room and name: those that links to the room may name. */
  readonly ofLinks: ReadonlyMap<string, ReadonlyMap<string, ThemeConfig>>;
}
