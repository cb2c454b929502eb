/** How the pages of rooms look: the themes of the configuration, merged as visitors see them, and which rooms and clients use each. */
import { z } from "zod";
import {
  COLOR_NAMES,
  DEFAULT_PALETTES,
  type IssuerConfig,
  type Palette,
  SCHEMES,
  type ThemeConfig,
} from "../../config/index.ts";
import { type IssuerRegistry, refreshAll } from "../../registry/index.ts";
import { createPageThemes } from "../../web/visitor/pages/page-request.ts";
import type { Principal } from "./access/principal.ts";
import { type AdminRoute, routesAbout } from "./admin-router.ts";

/** An issuer, with what its pages look like. */
export type ThemedIssuer = IssuerRegistry & { readonly themes: IssuerConfig["themes"] };

export interface ThemeRoutesOptions {
  readonly issuers: readonly ThemedIssuer[];
}

/** By language; null: for all. */
const words = z.array(z.object({ language: z.string().nullable(), text: z.string() })).meta({ id: "WordsByLanguage" });
const text = z.union([z.string(), z.array(z.string()), z.record(z.string(), z.string())]);
const palette = z
  .object(Object.fromEntries(COLOR_NAMES.map((name) => [name, z.string()])) as Record<keyof Palette, z.ZodString>)
  .meta({ id: "Palette" });
const colorNames = z.array(z.enum(COLOR_NAMES)).meta({ id: "ColorNames" });

const theme = z
  .object({
    /** The same as long as the configuration is. */
    id: z.string(),
    /** Where it is written in the configuration, each overriding those before it; empty: the pages look as they are built. */
    places: z.array(z.string()),
    /** What the room is called on its pages; null: as it is called everywhere. */
    title: words.nullable(),
    logo: z
      .object({ alt: words, height: z.int(), link: z.string().nullable(), bytes: z.int(), has_dark: z.boolean() })
      .nullable(),
    /** As they are on the pages. */
    colors: z.object({ light: palette, dark: palette }),
    /** Those that are written; the others follow. */
    chosen_colors: z.object({ light: colorNames, dark: colorNames }),
    /** In place of those of the language: a text, paragraphs, or one for each plural form. */
    texts: z.array(z.object({ language: z.string(), place: z.string(), text })),
    links: z.array(z.object({ href: z.string(), label: words })),
    footer: words.nullable(),
    /** Markdown, where the room has none of its own. */
    while_waiting: words.nullable(),
    /** Whether a folder with templates makes the pages. */
    has_own_views: z.boolean(),
    /** Issuers whose pages of no room have it. */
    issuers: z.array(z.string()),
    rooms: z.array(
      z.object({
        room: z.string(),
        /** Whether visitors have it who come with no client. */
        is_usual: z.boolean(),
        /** Those whose visitors have it. */
        clients: z.array(z.string()),
        /** Names by which links to the room choose it. */
        links: z.array(z.string()),
      }),
    ),
  })
  .meta({ id: "Theme" });

/** Where it is used. */
type Use = Pick<z.output<typeof theme>, "issuers" | "rooms">;

/** What the file says is shown, and can be changed there alone. */
export function themeRoutes({ issuers }: ThemeRoutesOptions): AdminRoute[] {
  // Behind a load balancer, what was made at one process is asked for at another.
  const onAll = routesAbout("/themes", () => refreshAll(issuers));
  return [
    onAll(
      "GET",
      "",
      {
        summary: "Lists the themes of pages, with the rooms and clients that use them.",
        tag: "Themes",
        role: "viewer",
        reach: "own",
        answers: z.object({ themes: z.array(theme) }),
      },
      ({ principal }) => ({
        themes: [...usesOf(issuers, principal).values()].map(({ look, use }) => themeJson(look, use)),
      }),
    ),
  ];
}

const builtIn = "built_in";
const idOf = (look: ThemeConfig | null) => look?.places.join("+") ?? builtIn;

/** By id, in the order of rooms; a principal for some rooms gets what these use. */
function usesOf(issuers: readonly ThemedIssuer[], principal: Principal) {
  const uses = new Map<string, { readonly look: ThemeConfig | null; readonly use: Use }>();
  const useOf = (look: ThemeConfig | null): Use => {
    const existing = uses.get(idOf(look)) ?? { look, use: { issuers: [], rooms: [] } };
    uses.set(idOf(look), existing);
    return existing.use;
  };
  for (const { issuer, rooms, clients, themes } of issuers) {
    const { of, named } = createPageThemes(themes, clients, issuer);
    const seen = rooms.all.filter(({ id }) => principal.isFor(id));
    for (const { id: room } of seen) {
      const ofRoom = clients.all.filter((client) => client.rooms.includes(room)).map(({ clientId }) => clientId);
      const usual = of(room, undefined) ?? null;
      const byName = [...named(room)];
      const looks = new Set([usual, ...ofRoom.map((id) => of(room, id) ?? null), ...byName.map(([, look]) => look)]);
      for (const look of looks) {
        const withIt = ofRoom.filter((id) => (of(room, id) ?? null) === look);
        const links = byName.filter(([, other]) => other === look).map(([name]) => name);
        useOf(look).rooms.push({ room, is_usual: look === usual, clients: withIt, links });
      }
    }
    const isSeen = seen.length > 0 && uses.has(idOf(themes.usual));
    if (principal.rooms === null || isSeen) useOf(themes.usual).issuers.push(issuer);
  }
  return uses;
}

function themeJson(look: ThemeConfig | null, use: Use): z.output<typeof theme> {
  const {
    places = [],
    title = null,
    logo = null,
    colors,
    chosenColors,
    texts = [],
    links = [],
    footer = null,
    whileWaiting = null,
  } = look ?? {};
  const { light, dark } = colors ?? DEFAULT_PALETTES;
  const [chosenLight = [], chosenDark = []] = SCHEMES.map((scheme) =>
    COLOR_NAMES.filter((name) => chosenColors?.[scheme][name] !== undefined),
  );
  // A later one at the same place overrides.
  const inForce = new Map(texts.map((text) => [`${text.language} ${text.path}`, text]));
  return {
    id: idOf(look),
    places: [...places],
    title: title && [...title],
    logo: logo && {
      alt: [...logo.alt],
      height: logo.height,
      link: logo.link,
      // Each image is a part of the page, as text.
      bytes: [logo.image, logo.darkImage].reduce((sum, image) => sum + (image?.uri.length ?? 0), 0),
      has_dark: logo.darkImage !== null,
    },
    colors: { light, dark },
    chosen_colors: { light: chosenLight, dark: chosenDark },
    texts: [...inForce.values()].map(({ language, path, text: said }) => ({
      language,
      place: path,
      // Compared with the English one at start.
      text: said as z.output<typeof text>,
    })),
    links: links.map(({ href, label }) => ({ href, label: [...label] })),
    footer: footer && [...footer],
    while_waiting: whileWaiting && [...whileWaiting],
    has_own_views: (look?.viewsDir ?? null) !== null,
    ...use,
  };
}
