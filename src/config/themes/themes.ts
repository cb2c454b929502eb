/**
 * How the pages of a room, a client or an issuer look and what they say besides: where themes stand in a document, which override which,
 * whether their colours can be told apart, and what they are merged into.
 */
import { resolve } from "node:path";
import { type Fault, faultAt } from "../checks/faults.ts";
import { entriesAt, formatPath, hasIssuerList, issuerPaths, namesAt, type Path, valueAt } from "../raw-document.ts";
import type { Document } from "../schema/schema.ts";
import type { WordsInLanguage } from "../schema/words-by-language.ts";
import {
  COLOR_NAMES,
  type ContrastFault,
  completeColors,
  findContrastFaults,
  type Palette,
  type Palettes,
  SCHEMES,
  type Scheme,
  type WrittenColors,
} from "./theme-colors.ts";
import { color, type ThemeDocument } from "./theme-schema.ts";

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

/** Paths of themes that are there, each overriding those before it. */
export type ThemeStack = readonly Path[];

type StackById = readonly [id: string, ThemeStack];

/** Those of an issuer's pages of no room, of each room, of each client with each of its rooms, and those that links to a room may name. */
export function themeStacks(document: unknown, issuer: Path) {
  const add = (below: ThemeStack, path: Path) =>
    (valueAt(document, path) ?? null) === null ? below : [...below, path];
  const common = add([], ["theme"]);
  const usual = hasIssuerList(document) ? add(common, [...issuer, "theme"]) : common;
  const ofRooms = entriesAt(document, [...issuer, "rooms"]).map((room): StackById => {
    return [valueAt(document, [...room, "id"]) as string, add(usual, [...room, "theme"])];
  });
  const byRoom = new Map(ofRooms);
  const ofClients = entriesAt(document, [...issuer, "clients"]).map((client): [id: string, StackById[]] => {
    const rooms = valueAt(document, [...client, "rooms"]) ?? [valueAt(document, [...client, "room"])];
    const stacks = (Array.isArray(rooms) ? rooms : []).map((id: string): StackById => {
      return [id, add(byRoom.get(id) ?? usual, [...client, "theme"])];
    });
    return [valueAt(document, [...client, "client_id"]) as string, stacks];
  });
  const ofLinks = entriesAt(document, [...issuer, "rooms"]).map((room): [id: string, StackById[]] => {
    const id = valueAt(document, [...room, "id"]) as string;
    const names = namesAt(document, [...room, "themes"]);
    return [id, names.map((name): StackById => [name, add(byRoom.get(id) ?? usual, [...room, "themes", name])])];
  });
  return { usual, ofRooms, ofClients, ofLinks };
}

/** Of all issuers: for each theme that is there every stack that it is on top of. */
export function themePlaces(raw: unknown): ThemeStack[] {
  const stacks = issuerPaths(raw).flatMap((issuer) => {
    const { usual, ofRooms, ofClients, ofLinks } = themeStacks(raw, issuer);
    const ofOthers = [...ofClients, ...ofLinks].flatMap(([, byId]) => byId);
    return [usual, ...[...ofRooms, ...ofOthers].map(([, stack]) => stack)];
  });
  const topped = stacks.flatMap((stack) => stack.map((_, index) => stack.slice(0, index + 1)));
  return [...new Map(topped.map((stack) => [JSON.stringify(stack), stack])).values()];
}

/** The contrast of colours, merged over those below. Goes by the raw document. */
export function checkThemes(raw: unknown): Fault[] {
  const faults = themePlaces(raw).flatMap((stack) => {
    const path = stack.at(-1) ?? [];
    const colors = colorsAt(raw, path);
    if (!isColored(colors)) return [];
    const ground = layColors(stack.slice(0, -1).map((each) => colorsAt(raw, each)));
    // Faults of the theme below are reported there.
    const before = new Set(findContrastFaults(completeColors(ground)).map(({ message }) => message));
    return findContrastFaults(completeColors(layColors([ground, colors])))
      .filter(({ message }) => !before.has(message))
      .map((fault) => faultAt(raw, placeOf(fault, colors, path), fault.message));
  });
  return [...new Map(faults.map((fault) => [`${fault.path} ${fault.message}`, fault])).values()];
}

/** Name by name, the lowest first. */
export function layColors(layers: readonly WrittenColors[]): WrittenColors {
  const merged = (scheme: Scheme): Partial<Palette> => Object.assign({}, ...layers.map((each) => each[scheme]));
  return { light: merged("light"), dark: merged("dark") };
}

export function isColored(colors: WrittenColors): boolean {
  return SCHEMES.some((scheme) => Object.keys(colors[scheme]).length > 0);
}

/** The values that can be read as colours; the schema reports the others. */
function colorsAt(raw: unknown, theme: Path): WrittenColors {
  const read = (...scheme: Path): Partial<Palette> =>
    Object.fromEntries(
      COLOR_NAMES.flatMap((name) => {
        const { data } = color.safeParse(valueAt(raw, [...theme, "colors", ...scheme, name]));
        return data === undefined ? [] : [[name, data]];
      }),
    );
  return { light: read(), dark: read("dark") };
}

/** At the colour of the pair that stands here; at all of them where neither does. */
function placeOf({ scheme, front, back }: ContrastFault, colors: WrittenColors, theme: Path): Path {
  const name = [front, back].find((each) => colors[scheme][each] !== undefined);
  const place = (of: Scheme) => [...theme, "colors", ...(of === "dark" ? ["dark"] : [])];
  return name === undefined ? [...theme, "colors"] : [...place(scheme), name];
}

export interface ThemeParts {
  /** By path. */
  readonly logos: ReadonlyMap<string, LogoImage>;
  /** Where relative paths start. */
  readonly baseDir: string;
}

/** A theme as it is written, and its path. */
interface Layer {
  readonly written: ThemeDocument;
  readonly where: string;
}

/** @param issuer its path in the document */
export function assembleThemes(document: Document, issuer: Path, parts: ThemeParts): IssuerThemes {
  /** The same theme for the same layers: pages are compiled once for each. */
  const themes = new Map<string, ThemeConfig>();
  function themeOf(stack: ThemeStack): ThemeConfig {
    const layers = stack.map((path) => ({
      written: valueAt(document, path) as ThemeDocument,
      where: formatPath(path),
    }));
    const name = layers.map(({ where }) => where).join();
    const theme = themes.get(name) ?? merge(layers, parts);
    themes.set(name, theme);
    return theme;
  }
  const themesOf = (stacks: ReturnType<typeof themeStacks>["ofRooms"]) =>
    new Map(stacks.flatMap(([id, stack]) => (stack.length === 0 ? [] : [[id, themeOf(stack)] as const])));

  const { usual, ofRooms, ofClients, ofLinks } = themeStacks(document, issuer);
  return {
    usual: usual.length === 0 ? null : themeOf(usual),
    ofRooms: themesOf(ofRooms),
    ofClients: new Map(ofClients.map(([id, byRoom]) => [id, themesOf(byRoom)])),
    ofLinks: new Map(ofLinks.flatMap(([id, byName]) => (byName.length === 0 ? [] : [[id, themesOf(byName)] as const]))),
  };
}

/** Colours by name and texts by place; of all else the uppermost has the whole. */
function merge(layers: readonly Layer[], { logos, baseDir }: ThemeParts): ThemeConfig {
  const uppermost = (key: keyof ThemeDocument) => layers.findLast(({ written }) => (written[key] ?? null) !== null);
  const colors = layColors(
    layers.map(({ written: { colors } }) => {
      const { dark, ...light } = colors ?? {};
      return { light, dark: dark ?? {} } as WrittenColors;
    }),
  );
  const views = uppermost("views")?.written.views ?? null;
  return {
    places: layers.map(({ where }) => where),
    logo: toLogo(uppermost("logo"), logos),
    colors: isColored(colors) ? completeColors(colors) : null,
    chosenColors: colors,
    title: uppermost("title")?.written.title ?? null,
    texts: layers.flatMap(({ written, where }) =>
      Object.entries(written.texts ?? {}).flatMap(([language, byPath]) =>
        Object.entries(byPath).map(([path, text]) => ({ language, path, text, where: `${where}.texts.${language}` })),
      ),
    ),
    links: uppermost("links")?.written.links ?? [],
    footer: uppermost("footer")?.written.footer ?? null,
    whileWaiting: uppermost("while_waiting")?.written.while_waiting ?? null,
    viewsDir: views === null ? null : resolve(baseDir, views),
  };
}

function toLogo(layer: Layer | undefined, logos: ThemeParts["logos"]): ThemeLogo | null {
  const { written, where = "" } = layer ?? {};
  const image = logos.get(`${where}.logo.file`);
  if (!written?.logo || image === undefined) return null;
  const { alt, height, link } = written.logo;
  const darkImage = logos.get(`${where}.logo.dark_file`) ?? null;
  return { image, darkImage, alt, height, link: link === "none" ? null : link };
}

/** What the pages are made with, out of the whole configuration. */
interface Pages {
  readonly issuers: readonly {
    readonly rooms: readonly { readonly id: string; readonly language: string | null }[];
    readonly themes: IssuerThemes;
  }[];
}

/** The languages that rooms name, by who names them. */
export function languagesOfRooms({ issuers }: Pages): Map<string, string> {
  const rooms = issuers.flatMap((issuer) => issuer.rooms);
  return new Map(
    rooms.flatMap(({ id, language }) => (language === null ? [] : [[`language of the room ${id}`, language]])),
  );
}

/** Each once, however many rooms and clients look so. */
export function themesOf({ issuers }: Pages): ThemeConfig[] {
  const all = issuers.flatMap(({ themes: { usual, ofRooms, ofClients, ofLinks } }) => [
    usual,
    ...ofRooms.values(),
    ...[...ofClients.values(), ...ofLinks.values()].flatMap((byId) => [...byId.values()]),
  ]);
  return [...new Set(all)].filter((theme) => theme !== null);
}
