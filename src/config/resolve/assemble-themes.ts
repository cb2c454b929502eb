/** Merges themes: a room's overrides its issuer's, a client's overrides that of each of its rooms. */
import { resolve } from "node:path";
import type { Document, IssuerDocument } from "../schema/schema.ts";
import type { ThemeDocument } from "../schema/theme-schema.ts";
import type { IssuerThemes, LogoImage, ThemeConfig, ThemeLink, ThemeLogo } from "../themes/theme.ts";
import { layColors } from "../themes/theme-checks.ts";
import { completeColors, SCHEMES, type WrittenColors } from "../themes/theme-colors.ts";

export interface ThemeParts {
  /** By path. */
  readonly logos: ReadonlyMap<string, LogoImage>;
  /** Where relative paths start. */
  readonly baseDir: string;
}

/** As it was written, for laying another one over it. */
interface Layer extends Omit<ThemeConfig, "colors" | "links"> {
  readonly colors: WrittenColors;
  readonly links: readonly ThemeLink[] | null;
}

/** @param prefix what the issuer's paths begin with */
export function assembleThemes(
  document: Document,
  own: IssuerDocument,
  prefix: string,
  parts: ThemeParts,
): IssuerThemes {
  const finish = createFinish();
  const over = (below: Layer | null, written: ThemeDocument | null | undefined, path: string) =>
    layOver(below, toLayer(written, path, parts));

  const common = over(null, document.theme, "theme");
  const usual = document.issuers === undefined ? common : over(common, own.theme, `${prefix}theme`);
  const ofRooms = new Map(
    own.rooms.map(({ id, theme }, index) => [id, over(usual, theme, `${prefix}rooms[${index}].theme`)]),
  );
  const ofClients = own.clients.map(({ client_id, theme, room = "", rooms = [room] }, index) => {
    const path = `${prefix}clients[${index}].theme`;
    return [client_id, new Map(rooms.map((id) => [id, over(ofRooms.get(id) ?? usual, theme, path)]))] as const;
  });
  return {
    usual: usual && finish(usual),
    ofRooms: finishEach(ofRooms, finish),
    ofClients: new Map(ofClients.map(([id, byRoom]) => [id, finishEach(byRoom, finish)])),
  };
}

function finishEach(layers: ReadonlyMap<string, Layer | null>, finish: (layer: Layer) => ThemeConfig) {
  return new Map([...layers].flatMap(([id, layer]) => (layer === null ? [] : [[id, finish(layer)] as const])));
}

/** The same theme for the same layer: pages are compiled once for each. */
function createFinish(): (layer: Layer) => ThemeConfig {
  const finished = new Map<Layer, ThemeConfig>();
  return (layer) => {
    const isColored = SCHEMES.some((scheme) => Object.keys(layer.colors[scheme]).length > 0);
    const colors = isColored ? completeColors(layer.colors) : null;
    const theme = finished.get(layer) ?? { ...layer, colors, links: layer.links ?? [] };
    finished.set(layer, theme);
    return theme;
  };
}

/** Colours by name and texts by place; of all else the upper one takes the whole. */
function layOver(below: Layer | null, above: Layer | null): Layer | null {
  if (below === null || above === null) return above ?? below;
  return {
    logo: above.logo ?? below.logo,
    colors: layColors(below.colors, above.colors),
    title: above.title ?? below.title,
    texts: [...below.texts, ...above.texts],
    links: above.links ?? below.links,
    footer: above.footer ?? below.footer,
    viewsDir: above.viewsDir ?? below.viewsDir,
  };
}

function toLayer(written: ThemeDocument | null | undefined, path: string, parts: ThemeParts): Layer | null {
  if (written === null || written === undefined) return null;
  const { title = null, links = null, footer = null, views, texts } = written;
  const { dark, ...light } = written.colors ?? {};
  return {
    logo: toLogo(written, path, parts),
    colors: { light, dark: dark ?? {} } as WrittenColors,
    title,
    texts: Object.entries(texts ?? {}).flatMap(([language, byPath]) =>
      Object.entries(byPath).map(([place, text]) => ({
        language,
        path: place,
        text,
        where: `${path}.texts.${language}`,
      })),
    ),
    links,
    footer,
    viewsDir: views == null ? null : resolve(parts.baseDir, views),
  };
}

function toLogo({ logo }: ThemeDocument, path: string, { logos }: ThemeParts): ThemeLogo | null {
  const image = logos.get(`${path}.logo.file`);
  if (logo === null || logo === undefined || image === undefined) return null;
  const { alt, height, link } = logo;
  const darkImage = logos.get(`${path}.logo.dark_file`) ?? null;
  return { image, darkImage, alt, height, link: link === "none" ? null : link };
}
