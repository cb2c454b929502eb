/** A theme as the admin API describes it, and what the screen derives from that. */
import { messageIn } from "../../../room/public-status/status.ts";
import type { AdminAnswers } from "../../client/index.ts";
import type { News } from "../frame/live.ts";
import type { Localized, Speech } from "../frame/speech.ts";
import { texts } from "./texts.ts";

export type Theme = AdminAnswers["Theme"];
export type TextsByLanguage = NonNullable<Theme["title"]>;
export type ColorName = Theme["chosen_colors"]["light"][number];

export const schemes = ["light", "dark"] as const;

export const colorNames = [
  "accent",
  "on_accent",
  "paper",
  "card",
  "ink",
  "soft",
  "line",
  "edge",
  "tint",
  "warn",
  "warn_tint",
  "bad",
] as const satisfies readonly ColorName[];

/** In the language of the operator or the one that comes nearest; else the first. */
export function textIn(words: TextsByLanguage, { tag }: Speech): string {
  const messages = Object.fromEntries(words.map(({ language, text }) => [language ?? "", text]));
  return messageIn({ message: words[0]?.text ?? null, message_severity: null, messages }, tag).text;
}

/** By its title; by where it is written, where it has none. */
export function nameOf({ title, places }: Theme, speech: Speech): string {
  if (title !== null) return textIn(title, speech);
  return places[places.length - 1] ?? speech.text(texts.builtIn);
}

/** What of it is not as it is built. */
export function partsOf(theme: Theme): Localized[] {
  const {
    logo,
    chosen_colors: chosen,
    title,
    texts: customTexts,
    links,
    footer,
    while_waiting: reading,
    has_own_views: hasViews,
  } = theme;
  const parts: readonly (readonly [Localized, boolean])[] = [
    [texts.parts.logo, logo !== null],
    [texts.parts.colors, chosen.light.length + chosen.dark.length > 0],
    [texts.parts.title, title !== null],
    [texts.parts.texts, customTexts.length > 0],
    [texts.parts.links, links.length > 0],
    [texts.parts.footer, footer !== null],
    [texts.parts.whileWaiting, reading !== null],
    [texts.parts.views, hasViews],
  ];
  return parts.flatMap(([key, isSet]) => (isSet ? [key] : []));
}

/** What operators call a room; its id where no figures have come. */
export function titleOfRoom(room: string, news: News | null): string {
  return news?.figures.rooms.find((each) => each.room === room)?.title ?? room;
}

/** Whose visitors see a page: those of a room, or those alone who come to it with a client, or by links that name the theme. */
export interface Viewer {
  readonly room: string;
  readonly client: string | null;
  readonly link: string | null;
}

export function viewersOf({ rooms }: Theme): Viewer[] {
  return rooms.flatMap(({ room, is_usual: isUsual, clients, links }): Viewer[] =>
    isUsual
      ? [{ room, client: null, link: null }]
      : [
          ...clients.map((client) => ({ room, client, link: null })),
          ...links.map((link) => ({ room, client: null, link })),
        ],
  );
}
