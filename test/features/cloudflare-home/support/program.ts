/** A program that waits for Cloudflare's Waiting Room: it repeats one address of a site, and sends the cookies that the last answer set. */
import { CookieJar } from "../../../../src/lib/cookie-jar.ts";
import type { HttpClient, HttpResponse } from "../../../support/http-client.ts";

export const host = "shop.example.test";
export const json = { accept: "application/json" };

export interface Program {
  readonly room: string;
  readonly cookies: CookieJar;
}

export const newProgram = (room: string): Program => ({ room, cookies: new CookieJar() });

/** As Traefik asks about a request of the program; with `?refuse=401`, as nginx does. */
export async function ask(
  http: HttpClient,
  origin: string,
  { room, cookies }: Program,
  { path = "/api/checkout", method = "GET", headers = {} as Record<string, string>, refuse = false } = {},
): Promise<HttpResponse> {
  const cookie = cookies.header(host);
  const answer = await http.get(`${origin}/rooms/${room}/verify${refuse ? "?refuse=401" : ""}`, {
    ...json,
    ...(cookie !== "" && { cookie }),
    "x-forwarded-method": method,
    "x-forwarded-proto": "https",
    "x-forwarded-host": host,
    "x-forwarded-uri": path,
    "x-forwarded-for": "192.0.2.7",
    ...headers,
  });
  cookies.keep(host, answer.setCookies);
  return answer;
}

export interface Told {
  readonly cfWaitingRoom: Readonly<Record<string, unknown>>;
  readonly error?: string;
  readonly enter?: string;
}

export const told = (answer: HttpResponse) => answer.json() as Told;

/** The ticket in the program's cookie, as an app of its own would show it. */
export function ticketOf({ room, cookies }: Program): string {
  return new RegExp(`__Host-usher-${room}\\.ticket=([^;]+)`).exec(cookies.header(host))?.[1] ?? "";
}

/** The place by that ticket. */
export async function placeOf(http: HttpClient, origin: string, program: Program) {
  const answer = await http.get(`${origin}/rooms/${program.room}/tickets/me`, {
    authorization: `Bearer ${ticketOf(program)}`,
  });
  return answer.json() as { readonly state: string; readonly position: number | null };
}
