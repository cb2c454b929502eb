/** Requests to the endpoints that clients authenticate at, each with its faults. */
import type { HttpResponse } from "../../support/http-client.ts";
import { clientId, clientSecret, type World } from "../world.ts";

export const basic = (id: string, secret: string) => `Basic ${Buffer.from(`${id}:${secret}`).toString("base64")}`;

/** As the client of a room, its secret in the header. */
export const asClient = (room: string) => ({ authorization: basic(clientId(room), clientSecret(room)) });

/** As a list, to say something twice. */
export type Form = Record<string, string> | readonly (readonly [string, string])[];

export function post(
  world: World,
  path: string,
  form: Form,
  headers: Record<string, string> = {},
): Promise<HttpResponse> {
  const body = new URLSearchParams(form as Record<string, string>);
  return world.http.request(`${world.issuer}${path}`, { method: "POST", body, headers });
}
