/** The pages of a room as its visitors see them, with made-up visitors: to be looked at before something is said to everybody. */
import { z } from "zod";
import { type IssuerConfig, type Path, roomMessage, suggest, text, unknownWord } from "../../../config/index.ts";
import type { Clock } from "../../../lib/clock-and-random.ts";
import { UsherError } from "../../../lib/errors.ts";
import { isObject } from "../../../lib/json.ts";
import type { IssuerRegistry } from "../../../registry/index.ts";
import type { RoomMessage, WaitingRoom } from "../../../room/index.ts";
import { type Pages, readyMessages, renderSample, type Theme, withoutLife } from "../../../web/pages/index.ts";
import { findSample, type Sample, sampleRoom, samples } from "../../../web/pages/samples/index.ts";
import { createPageThemes } from "../../../web/visitor/pages/page-request.ts";
import type { AdminRequest, AdminRoute, RoutesAbout } from "../admin-router.ts";
import { badRequest, object } from "../bodies.ts";

export interface RoomPagesParts {
  readonly pages: Pick<Pages, "waiting" | "notice" | "languagesOf">;
  readonly clock: Clock;
  issuerOf(room: string): Pick<IssuerRegistry, "issuer" | "rooms" | "clients"> & {
    readonly themes: IssuerConfig["themes"];
  };
}

/** Of a page that is asked for without a language, where the room has none of its own. */
const usualLanguage = "en";
const readyNames = Object.keys(readyMessages) as (keyof typeof readyMessages)[];
/** Characters: what an address can have, and what is looked at of a name that is none. */
const messageLengthMax = 16_384;
const pageLengthMax = 64;

const roomPages = z
  .object({
    pages: z.array(z.object({ id: z.string(), title: z.string(), kind: z.enum(["waiting", "notice"]) })),
    language: z.string(),
    languages: z.array(z.object({ tag: z.string(), name: z.string(), of_room: z.boolean() })),
    clients: z.array(z.string()),
    messages: z.array(
      z.object({
        id: z.enum(readyNames),
        severity: z.enum(["information", "warning", "sold_out"]),
        texts: z.record(z.string(), z.string()),
      }),
    ),
  })
  .meta({ id: "RoomPages" });

const pageQuery = object({
  language: text("the tag of a language of the pages", 35).optional(),
  client: text("the id of a client of the room", 256).optional(),
  theme: text("the name of a theme of the room", 32).optional(),
  message: z.string({ error: "expected one message" }).max(messageLengthMax).optional(),
});

const headers = {
  "Cross-Origin-Resource-Policy": "same-origin",
  "Referrer-Policy": "no-referrer",
  "X-Content-Type-Options": "nosniff",
  "X-Frame-Options": "SAMEORIGIN",
  "X-Robots-Tag": "noindex",
};

export function roomPagesRoutes(
  onRoom: RoutesAbout<Promise<WaitingRoom>>,
  { pages, clock, issuerOf }: RoomPagesParts,
): AdminRoute[] {
  /** The same for all rooms. */
  let listed: readonly Pick<Sample, "id" | "title" | "kind">[] | undefined;
  return [
    onRoom(
      "GET",
      "/pages",
      {
        summary:
          "Lists the pages that visitors of the room can meet, their languages and themes, and messages to send.",
        tag: "Themes",
        role: "viewer",
        answers: roomPages,
      },
      ({ subject: room }) => {
        const theme = themesOf(room).of(room.id, undefined);
        const languages = pages.languagesOf(theme);
        const ofRoom = languagesOfRoom(room, theme);
        return {
          pages: list(),
          language: usualLanguageOf(room),
          languages: languages.map(({ tag, name }) => ({ tag, name, of_room: ofRoom.has(tag) })),
          clients: clientsWithLook(room),
          messages: readyNames.map((id) => ({
            id,
            severity: readyMessages[id],
            texts: Object.fromEntries(languages.map(({ tag, messages }) => [tag, messages[id]])),
          })),
        };
      },
    ),
    onRoom(
      "GET",
      "/pages/:page",
      {
        summary: "Shows a page of the room with a made-up visitor, as HTML that runs and sends nothing.",
        tag: "Themes",
        role: "viewer",
        query: pageQuery,
        type: "text/html",
        answers: z.instanceof(Buffer),
      },
      showPage,
    ),
  ];

  function showPage({ ctx, subject: room, query }: AdminRequest<WaitingRoom, z.output<typeof pageQuery>, undefined>) {
    const { language = usualLanguageOf(room), client, theme, message } = query;
    const tags = pages.languagesOf(undefined).map(({ tag }) => tag);
    if (!tags.includes(language)) throw wrong("language", unknownWord("language", language, tags));
    if (client !== undefined && issuerOf(room.id).clients.get(client)?.rooms.includes(room.id) !== true) {
      throw wrong("client", "there is no such client of this room");
    }
    const said = message === undefined ? room.settings.message : readMessage(message);
    const sample = findPage(String(ctx.params.page), room, said);
    const themes = themesOf(room);
    const named = theme === undefined ? undefined : themes.named(room.id).get(theme);
    if (theme !== undefined && named === undefined) throw wrong("theme", "links to this room can name no such theme");
    const look = {
      theme: named ?? themes.of(room.id, client),
      usualTheme: themes.of(undefined, undefined),
      isRehearsal: room.settings.rehearsal === true,
    };
    const accept = { gzip: false, language: undefined, chosen: language, here: "/", isWhole: true };
    const page = withoutLife(renderSample(pages, sample, look, accept));
    ctx.set(headers);
    ctx.set("Content-Security-Policy", page.contentSecurityPolicy);
    ctx.set("Content-Language", page.language);
    return page.body;
  }

  function list() {
    listed ??= samples(clock.now()).map(({ id, title, kind }) => ({ id, title, kind }));
    return listed;
  }

  /** @throws UsherError `not_found` */
  function findPage(page: string, { id, settings }: WaitingRoom, message: RoomMessage | null): Sample {
    const ids = list().map((sample) => sample.id);
    const { title, timeZone, admission } = settings;
    const { claimWithinMs } = admission;
    const room = { id, title, timeZone, message, claimWithinMs, poll: sampleRoom.poll };
    // To look for one makes all of its kind.
    const found = ids.includes(page) ? findSample(page, clock.now(), room) : undefined;
    if (found !== undefined) return found;
    const suggestion = suggest(page.slice(0, pageLengthMax), ids);
    const hint = suggestion === null ? "" : ` (did you mean ${suggestion}?)`;
    throw new UsherError("not_found", `there is no such page${hint}; GET /admin/rooms/ROOM/pages lists them`);
  }

  function themesOf({ id }: WaitingRoom) {
    const { themes, clients, issuer } = issuerOf(id);
    return createPageThemes(themes, clients, issuer);
  }

  /** Those whose visitors see the room otherwise than all others do. */
  function clientsWithLook(room: WaitingRoom): string[] {
    const { of } = themesOf(room);
    const ofRoom = issuerOf(room.id).clients.all.filter(({ rooms }) => rooms.includes(room.id));
    const usual = of(room.id, undefined);
    return ofRoom.map(({ clientId }) => clientId).filter((id) => of(room.id, id) !== usual);
  }

  function usualLanguageOf({ id }: WaitingRoom): string {
    return issuerOf(id).rooms.get(id)?.language ?? usualLanguage;
  }

  /** Its own, and those in which its message is or its theme has words. */
  function languagesOfRoom(room: WaitingRoom, theme: Theme | undefined): ReadonlySet<string> {
    const { title = null, footer = null, links = [], texts = [] } = theme ?? {};
    const words = [title, footer, ...links.map(({ label }) => label), room.settings.message?.texts ?? null, texts];
    const tags = words.flatMap((text) => (text ?? []).map(({ language }) => language));
    return new Set([usualLanguageOf(room), ...tags.filter((tag) => tag !== null)]);
  }
}

/**
 * As `PATCH` takes it: a text, or JSON of an object with text and severity. Nothing stands for no message.
 *
 * @throws UsherError `bad_request`
 */
function readMessage(written: string): RoomMessage | null {
  if (written === "") return null;
  const { data, error } = roomMessage.safeParse(objectIn(written) ?? written);
  if (data !== undefined) return data as RoomMessage;
  throw badRequest(error.issues.map(({ path, message }) => ({ path: ["message", ...(path as Path)], message })));
}

function objectIn(written: string): object | null {
  try {
    const value: unknown = JSON.parse(written);
    return isObject(value) ? value : null;
  } catch {
    return null;
  }
}

function wrong(parameter: string, message: string): UsherError {
  return badRequest([{ path: [parameter], message }]);
}
