/** Shoppers of a site with a connector, by the hundred: only cookies are kept and answers are read. */
import { createHmac } from "node:crypto";
import type { SaleAnswer } from "../../../fault/home-sale.ts";
import { navigate } from "../../../fault/people.ts";
import type { HttpClient } from "../../../support/http-client.ts";
import { attribute } from "../../../support/visitor.ts";
import { customerId, secretKey } from "../support/connector-site.ts";

export const target = "https://shop.test/sale";

export interface Shopper {
  readonly room: string;
  readonly cookies: Map<string, string>;
}

export const newShopper = (room: string): Shopper => ({ room, cookies: new Map() });

/** The site sends the shopper to the line. */
export async function shop(http: HttpClient, origin: string, shopper: Shopper): Promise<SaleAnswer> {
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
function readToken(address: string, room: string): SaleAnswer {
  const token = new URL(address).searchParams.get("queueittoken") ?? "";
  const [said = "", hash] = token.split("~h_");
  const pairs = Object.fromEntries(said.split("~").map((pair) => pair.split("_") as [string, string]));
  const isGood =
    hash === createHmac("sha256", secretKey).update(said).digest("hex") &&
    pairs.e === `event-${room}` &&
    pairs.rt === "queue" &&
    Number(pairs.ts) > Date.now() / 1_000;
  if (!isGood) return { kind: "other", what: `no good token: ${address}`, retryMs: 0 };
  return { kind: "in", id: pairs.q ?? "" };
}

function readPage({ body, status }: { body: string; status: number }): SaleAnswer {
  // The style sheet speaks of the same attributes.
  const main = /<main\b[^>]*>/.exec(body)?.[0] ?? "";
  const position = attribute(main, "data-position");
  const retryMs = Number(attribute(main, "data-retry-ms") ?? 0);
  return position === undefined
    ? { kind: "other", what: `${status} ${attribute(main, "data-notice") ?? body.slice(0, 200)}`, retryMs }
    : { kind: "parked", position: Number(position), state: attribute(main, "data-state") ?? "", retryMs };
}
