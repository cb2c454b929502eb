/** Merges themes: a room's overrides its issuer's; a client's, and one that links name, override that of the room. */
import { resolve } from "node:path";
import { formatPath, type Path, valueAt } from "../raw-document.ts";
import type { Document } from "../schema/schema.ts";
import type { ThemeDocument } from "../schema/theme-schema.ts";
import type { IssuerThemes, LogoImage, ThemeConfig, ThemeLogo } from "../themes/theme.ts";
import { isColored, layColors } from "../themes/theme-checks.ts";
import { completeColors, type WrittenColors } from "../themes/theme-colors.ts";
import { type ThemeStack, themeStacks } from "../themes/theme-places.ts";

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
  const made = new Map<string, ThemeConfig>();
  function themeOf(stack: ThemeStack): ThemeConfig {
    const layers = stack.map((path) => ({
      written: valueAt(document, path) as ThemeDocument,
      where: formatPath(path),
    }));
    const name = layers.map(({ where }) => where).join();
    const theme = made.get(name) ?? merge(layers, parts);
    made.set(name, theme);
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
