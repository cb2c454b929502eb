/** Shoppers of a site with a connector, by the hundred: only cookies are kept and answers are read. */
import { createHmac } from "node:crypto";
import { setTimeout as delay } from "node:timers/promises";
import { navigate } from "../../../fault/people.ts";
import type { HttpClient } from "../../../support/http-client.ts";
import { attribute } from "../../../support/visitor.ts";
import { customerId, secretKey } from "../support/connector-site.ts";

export const target = "https://shop.test/sale";

export interface Shopper {
  readonly room: string;
  readonly cookies: Map<string, string>;
}

export type Answer =
  | { readonly kind: "in"; readonly queueId: string; readonly redirectType: string }
  | { readonly kind: "parked"; readonly position: number; readonly state: string; readonly retryMs: number }
  | { readonly kind: "other"; readonly what: string; readonly retryMs: number };

export const newShopper = (room: string): Shopper => ({ room, cookies: new Map() });

/** The site sends the shopper to the line. */
export async function shop(http: HttpClient, origin: string, shopper: Shopper): Promise<Answer> {
  const query = new URLSearchParams({ c: customerId, e: `event-${shopper.room}`, t: target });
  let address = `${origin}/queue-it/?${query}`;
  for (let hops = 0; hops < 4; hops++) {
    const response = await navigate(http, address, shopper.cookies);
    const location = response.header("location");
    if (location?.startsWith(target)) return readToken(location, shopper.room);
    if (location === undefined) return readPage(response);
    address = new URL(location, origin).href;
  }
  return { kind: "other", what: "a loop", retryMs: 0 };
}

/** As the connector checks it. */
function readToken(address: string, room: string): Answer {
  const token = new URL(address).searchParams.get("queueittoken") ?? "";
  const [said = "", hash] = token.split("~h_");
  const pairs = Object.fromEntries(said.split("~").map((pair) => pair.split("_") as [string, string]));
  const isGood =
    hash === createHmac("sha256", secretKey).update(said).digest("hex") &&
    pairs.e === `event-${room}` &&
    Number(pairs.ts) > Date.now() / 1_000;
  if (!isGood) return { kind: "other", what: `no good token: ${address}`, retryMs: 0 };
  return { kind: "in", queueId: pairs.q ?? "", redirectType: pairs.rt ?? "" };
}

function readPage({ body, status }: { body: string; status: number }): Answer {
  // The style sheet speaks of the same attributes.
  const main = /<main\b[^>]*>/.exec(body)?.[0] ?? "";
  const position = attribute(main, "data-position");
  const retryMs = Number(attribute(main, "data-retry-ms") ?? 0);
  return position === undefined
    ? { kind: "other", what: `${status} ${attribute(main, "data-notice") ?? body.slice(0, 200)}`, retryMs }
    : { kind: "parked", position: Number(position), state: attribute(main, "data-state") ?? "", retryMs };
}

/** Joins, coming back as long as nobody can be given a place. */
export async function joinLine(http: HttpClient, origin: string, room: string) {
  const shopper = newShopper(room);
  for (let tries = 0; tries < 120; tries++) {
    const answer = await shop(http, origin, shopper).catch(() => null);
    if (answer?.kind === "parked") return { shopper, position: answer.position };
    if (answer?.kind === "in") throw new Error("the shopper was let in without a line");
    await delay(500);
  }
  throw new Error("no place in line");
}

/** People who want to enter a room whose line has been served, five at a time, until stopped. */
export function shoppersAtTheDoor(http: HttpClient, origins: readonly string[], room: string) {
  let isOver = false;
  const workers = Array.from({ length: 5 }, async (_, index) => {
    while (!isOver) {
      const shopper = newShopper(room);
      for (let turn = 0; !isOver; turn++) {
        // A gateway that is down answers nothing; the next one is asked.
        const answer = await shop(http, origins[(index + turn) % origins.length] ?? "", shopper).catch(() => null);
        if (answer?.kind === "in") break;
        await delay(answer !== null && answer.retryMs > 0 ? answer.retryMs : 200);
      }
    }
  });
  return async () => {
    isOver = true;
    await Promise.all(workers);
  };
}
