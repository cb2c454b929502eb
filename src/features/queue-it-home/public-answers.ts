import type { PublicAnswer } from "../../config/index.ts";

/** What they follow from. */
interface AnsweringHome {
  readonly path: string;
  readonly customerId: string;
  /** By the ids of connectors. */
  readonly rooms: ReadonlyMap<string, string>;
}

/** What connectors and their visitors get that take no place, as a look from outside compares it. */
export function publicAnswersOf({ path, customerId, rooms }: AnsweringHome): PublicAnswer[] {
  const about = "queue-it home";
  return [
    ...[...rooms].map(([eventId, room]): PublicAnswer => {
      const link = `/rooms/${room}/enter`;
      return {
        about,
        rooms: [room],
        target: `${path}/?c=${customerId}&e=${eventId}`,
        status: 303,
        findFault({ url, headers }) {
          const { origin } = new URL(url);
          const location = headers.get("location") ?? "";
          const to = URL.canParse(location, origin) ? new URL(location, origin) : null;
          if (to?.origin === origin && to.pathname === link && to.searchParams.has("hand_over")) return null;
          const found = to === null ? "nowhere" : `${to.origin}${to.pathname}`;
          return `it leads to ${found}, and not to ${link}. Let the proxy send Location on as it is`;
        },
      };
    }),
    {
      about,
      rooms: [...new Set(rooms.values())],
      // Without the key.
      target: `${path}/status/integrationconfig/secure/${customerId}`,
      status: 401,
      findFault: () => null,
    },
  ];
}
