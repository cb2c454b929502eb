/** What every page keeps, and its JSON for programs. */
import { expect } from "vitest";
import type { HttpResponse } from "../../support/http-client.ts";
import { attribute, type Visitor } from "../../support/visitor.ts";
import type { World } from "../world.ts";

export const html = "text/html,application/xhtml+xml";
export const json = "application/json";

/** Asks for what a row of the table is about, with this header `Accept`. */
export type Ask = (accept: string) => Promise<HttpResponse>;

export interface Row {
  /** Status and name: of the waiting page its state, of others the code that visitors may quote. */
  readonly page: string;
  /** Status, and `error` or `state`. */
  readonly json: string;
  /** Whether it is worth coming again later, and in how many seconds where that is always the same. */
  readonly again?: true | number;
  readonly prepare: (world: World) => Promise<Ask> | Ask;
}

export const mainOf = (body: string) => body.match(/<main\b[^>]*>/)?.[0] ?? "";

export function pageName(body: string): string | undefined {
  return attribute(mainOf(body), "data-notice") ?? attribute(mainOf(body), "data-state");
}

/** What all pages and their JSON keep. */
export async function check(row: Omit<Row, "prepare">, ask: Ask): Promise<void> {
  const [page, told] = [await ask(html), await ask(json)];
  expect(`${page.status} ${pageName(page.body)}`).toBe(row.page);
  const body = told.json() as Record<string, unknown>;
  expect(`${told.status} ${body.error ?? body.state}`).toBe(row.json);
  if (body.error !== undefined) expect(body.error_description).toMatch(/\w{2}/);
  expect([page.header("content-type"), told.header("content-type")]).toEqual([
    "text/html; charset=utf-8",
    "application/json; charset=utf-8",
  ]);
  for (const answer of [page, told]) {
    expect(answer.header("cache-control")).toBe("no-store");
    expect(answer.header("x-robots-tag")).toBe("noindex, nofollow");
    const retryAfter = answer.header("retry-after");
    if (row.again === undefined) expect(retryAfter).toBeUndefined();
    else expect(retryAfter).toMatch(/^[1-9]\d*$/);
    if (typeof row.again === "number") expect(retryAfter).toBe(String(row.again));
  }
  const seconds = (answer: HttpResponse) => Number(answer.header("retry-after"));
  if (typeof body.poll_after_ms === "number") expect(seconds(told)).toBe(Math.ceil(body.poll_after_ms / 1_000));
  const retryMs = Number(attribute(mainOf(page.body), "data-retry-ms") ?? 0);
  // A page that waits for an opening asks the public status when it is time.
  if (retryMs > 0 && pageName(page.body) !== "not_open") expect(seconds(page)).toBe(Math.ceil(retryMs / 1_000));
}

export const loginUrl = (world: World, room: string) => world.relyingParty(room).startLogin().url;

/** The same visitor each time. */
export function by(visitor: Visitor, url: () => string | URL, headers: Record<string, string> = {}): Ask {
  return (accept) => visitor.navigate(url(), { headers: { ...headers, accept } });
}

/** Somebody who has a place in the room. */
export async function parkedIn(world: World, room: string): Promise<Visitor> {
  const visitor = world.visitor();
  const page = await visitor.navigate(loginUrl(world, room));
  expect(page.position).toBeGreaterThan(0);
  return visitor;
}

export const waitsIn =
  (room: string, prepare?: (world: World) => Promise<unknown>): Row["prepare"] =>
  async (world) => {
    const visitor = await parkedIn(world, room);
    await prepare?.(world);
    return by(visitor, () => loginUrl(world, room));
  };

/** A newcomer each time. */
export const comesTo =
  (room: string, headers: Record<string, string> = {}, query = "") =>
  (world: World): Ask =>
  (accept) =>
    world.http.get(`${loginUrl(world, room)}${query}`, { ...headers, accept });

export const gets =
  (path: string): Row["prepare"] =>
  ({ http, issuer }) =>
  (accept) =>
    http.get(`${issuer}${path}`, { accept });

export const posts =
  (path: string, body: URLSearchParams, headers: Record<string, string> = {}): Row["prepare"] =>
  ({ http, issuer }) =>
  (accept) =>
    http.request(`${issuer}${path}`, { method: "POST", body, headers: { accept, ...headers } });

export const sameOrigin = { "sec-fetch-site": "same-origin" };
export const inAnHour = () => new Date(Date.now() + 3_600_000).toISOString();
export const targets = ["https://shop.example.test/"];
