/** Visitors by the thousand: no page is drawn, only cookies are kept and answers are read. */
import { setTimeout as delay } from "node:timers/promises";
import type { HttpClient } from "../support/http-client.ts";
import { attribute } from "../support/visitor.ts";
import type { Entry } from "./admissions.ts";

export const redirectUri = "https://site.example.test/callback";

/** Configuration of a room's client, by the room's id. */
export const clientOf = (room: string) => ({
  client_id: `site-${room}`,
  client_secret: "secret-of-the-site-0123456789abcdef",
  redirect_uris: [redirectUri],
  room,
});

export interface Person {
  readonly room: string;
  cookies: Map<string, string>;
  /** The place that the waiting page showed last. */
  position: number;
  /** How they were let in without waiting; null for those who stand in line. */
  entry: Entry | null;
}

export type Answer =
  | { kind: "code"; code: string }
  | { kind: "parked"; state: string; position: number; retryMs: number }
  | { kind: "notice"; code: string; status: number; retryMs: number };

let requests = 0;

/** Opens an address as a browser does. @param cookies that are sent, and kept as the answer sets them */
export async function navigate(http: HttpClient, address: string, cookies: Map<string, string>) {
  const cookie = [...cookies].map(([name, value]) => `${name}=${value}`).join("; ");
  const response = await http.get(address, {
    accept: "text/html",
    "sec-fetch-mode": "navigate",
    "sec-fetch-dest": "document",
    ...(cookie === "" ? {} : { cookie }),
  });
  for (const setCookie of response.setCookies) {
    const [, name = "", value = ""] = /^([^=]+)=([^;]*)/.exec(setCookie) ?? [];
    if (value === "") cookies.delete(name);
    else cookies.set(name, value);
  }
  return response;
}

/** One navigation to `/authorize` with a fresh request of a relying party, by default the room's. */
export async function visit(
  http: HttpClient,
  origin: string,
  person: Person,
  clientId = `site-${person.room}`,
): Promise<Answer> {
  const query = new URLSearchParams({
    client_id: clientId,
    redirect_uri: redirectUri,
    response_type: "code",
    scope: "openid",
    state: `state-${requests++}`,
  });
  const response = await navigate(http, `${origin}/authorize?${query}`, person.cookies);
  const location = response.header("location");
  const code = location?.startsWith(redirectUri) ? new URL(location).searchParams.get("code") : null;
  if (code) return { kind: "code", code };
  // The style sheet speaks of the same attributes.
  const main = /<main\b[^>]*>/.exec(response.body)?.[0] ?? "";
  const position = attribute(main, "data-position");
  const retryMs = Number(attribute(main, "data-retry-ms") ?? 0);
  if (position !== undefined) {
    person.position = Number(position);
    return { kind: "parked", state: attribute(main, "data-state") ?? "", position: person.position, retryMs };
  }
  return {
    kind: "notice",
    code: attribute(main, "data-notice") ?? location ?? response.body.slice(0, 200),
    status: response.status,
    retryMs,
  };
}

export const newPerson = (room: string): Person => ({ room, cookies: new Map(), position: 0, entry: null });

/** Joins, coming back as long as nobody can be given a position. Who need not wait is in at once. */
export async function joinLine(http: HttpClient, origin: string, room: string, patienceMs = 60_000): Promise<Person> {
  const person = newPerson(room);
  const deadline = Date.now() + patienceMs;
  for (;;) {
    const askedAt = Date.now();
    const answer = await visit(http, origin, person);
    if (answer.kind === "parked") return person;
    if (answer.kind === "code") {
      person.entry = { askedAt, enteredAt: Date.now() };
      return person;
    }
    if (answer.status !== 503 || Date.now() > deadline) {
      throw new Error(`no place in line: ${JSON.stringify(answer)}`);
    }
    await delay(500);
  }
}

/** Runs `work` for each item, so many at a time. */
export async function forEach<T>(items: readonly T[], atOnce: number, work: (item: T, index: number) => Promise<void>) {
  let next = 0;
  await Promise.all(
    Array.from({ length: Math.min(atOnce, items.length) }, async () => {
      while (next < items.length) {
        const index = next++;
        await work(items[index] as T, index);
      }
    }),
  );
}

/** Joins so many people, over the gateways by turns. */
export async function joinAll(http: HttpClient, origins: readonly string[], room: string, count: number) {
  const people: Person[] = [];
  const numbers = Array.from({ length: count }, (_, index) => index);
  await forEach(numbers, 64, async (index) => {
    people.push(await joinLine(http, origins[index % origins.length] ?? "", room));
  });
  return people.sort((a, b) => a.position - b.position);
}
