/** The operator's side of the admin API, for tests. */
import { ADMIN_KEY } from "./gateway.ts";
import type { HttpClient, HttpResponse } from "./http-client.ts";

export type AdminStepName = "pause" | "resume" | "open" | "end" | "idle" | "prequeue" | "passthrough" | "reset";

export interface Admin {
  /** Any request under `/admin`, with the key of the tests. */
  request(method: string, path: string, body?: object, headers?: Record<string, string>): Promise<HttpResponse>;
  /** Moves the serving counter; throws unless that was carried out. */
  increment(room: string, by: number): Promise<{ serving: number; queued: number; waiting: number }>;
  step(room: string, step: AdminStepName): Promise<void>;
  /** Changes settings; throws unless that was carried out. */
  change(room: string, settings: object): Promise<void>;
}

export function createAdmin(http: HttpClient, origin: string): Admin {
  async function request(method: string, path: string, body?: object, headers: Record<string, string> = {}) {
    const authorization = `Bearer ${ADMIN_KEY}`;
    const options = { method, headers: { authorization, ...headers } };
    return http.request(`${origin}/admin${path}`, body === undefined ? options : { ...options, body });
  }

  async function carryOut(path: string, body?: object, method = "POST"): Promise<HttpResponse> {
    const response = await request(method, path, body);
    if (response.status < 200 || response.status > 299) {
      throw new Error(`${method} /admin${path} answered ${response.status}: ${response.body.slice(0, 300)}`);
    }
    return response;
  }

  return {
    request,
    async increment(room, by) {
      const response = await carryOut(`/rooms/${room}/serving`, { increment_by: by });
      return response.json() as { serving: number; queued: number; waiting: number };
    },
    async step(room, step) {
      await carryOut(`/rooms/${room}/${step}`);
    },
    async change(room, settings) {
      await carryOut(`/rooms/${room}`, settings, "PATCH");
    },
  };
}
