import type { PublicAnswer } from "../../config/index.ts";
import { isObject } from "../../lib/json.ts";

/** What they follow from. */
interface AnsweringHome {
  readonly publicPath: string;
  /** Rooms by event id. */
  readonly events: ReadonlyMap<string, string>;
  /** Null: all. */
  readonly origins: readonly string[] | null;
}

type Members = Readonly<Record<string, unknown>>;

/** What everybody is told alike, and by what it is known. */
const reads: Readonly<Record<string, (body: Members) => boolean>> = {
  serving_num: ({ serving_counter }) => typeof serving_counter === "string" && /^\d+$/.test(serving_counter),
  waiting_num: ({ waiting_num }) => Number.isInteger(waiting_num),
  public_key: ({ kty, n }) => kty === "RSA" && typeof n === "string",
};

/** What clients of a home get that take no place, as a look from outside compares it. */
export function publicAnswersOf({ publicPath, events, origins }: AnsweringHome): PublicAnswer[] {
  // Without the header the first one would be named: so this finds a proxy that drops it, too.
  const origin = origins?.at(-1);
  const allowed = origin ?? "*";
  return [...events].flatMap(([event, room]) =>
    Object.entries(reads).map(([name, isAsExpected]): PublicAnswer => {
      return {
        about: "aws home",
        rooms: [room],
        target: `${publicPath}/${name}?event_id=${event}`,
        ...(origin !== undefined && { headers: { Origin: origin } }),
        status: 200,
        findFault({ headers, text }) {
          if (!isAsExpected(membersOf(text)))
            return "something else answers than this home. Let the proxy lead this path to Usher as it is";
          const found = headers.get("access-control-allow-origin");
          if (found === allowed) return null;
          const instead = `Access-Control-Allow-Origin is ${found ?? "missing"} and not ${allowed}`;
          const way = "Let the proxy pass Origin on and add no CORS headers, and the CDN obey Vary";
          return `pages of ${origin ?? "other origins"} cannot read the answer, since ${instead}. ${way}`;
        },
      };
    }),
  );
}

function membersOf(text: string): Members {
  try {
    const value: unknown = JSON.parse(text);
    return isObject(value) ? value : {};
  } catch {
    return {};
  }
}
