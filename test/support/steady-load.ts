/** Visitors, apps and relying parties that go on asking, on connections that last, while something is done to the gateways. */
import { setTimeout as delay } from "node:timers/promises";
import { createHttpClient } from "./http-client.ts";

export interface LoadedRoom {
  readonly room: string;
  readonly clientId: string;
  readonly clientSecret: string;
  readonly redirectUri: string;
}

export type SteadyLoad = ReturnType<typeof startSteadyLoad>;

/** Requests that change something are not sent twice by nginx. Two of each kind are under way. */
export function startSteadyLoad(origin: string, { room, clientId, clientSecret, redirectUri }: LoadedRoom) {
  const requests = {
    status: { path: `/rooms/${room}/status`, method: "GET", expected: 200 },
    page: {
      path: `/authorize?${new URLSearchParams({
        client_id: clientId,
        redirect_uri: redirectUri,
        response_type: "code",
        scope: "openid",
        state: "a",
      })}`,
      method: "GET",
      expected: 200,
    },
    ticket: { path: `/rooms/${room}/tickets`, method: "POST", expected: 201 },
    token: {
      path: "/token",
      method: "POST",
      body: new URLSearchParams({ grant_type: "authorization_code", code: "none", redirect_uri: redirectUri }),
      headers: { Authorization: `Basic ${Buffer.from(`${clientId}:${clientSecret}`).toString("base64")}` },
      expected: 400,
    },
  } as const;
  const http = createHttpClient();
  const answers = { status: 0, page: 0, ticket: 0, token: 0 };
  const failures: string[] = [];
  /** Places that were given out. */
  const positions: number[] = [];
  let isOver = false;
  const send = async (name: keyof typeof requests) => {
    const { path, expected, ...request } = requests[name];
    const answer = await http.request(`${origin}${path}`, request).catch((error: Error) => error.message);
    const status = typeof answer === "string" ? answer : answer.status;
    if (status !== expected) failures.push(`${name}: ${status}`);
    else answers[name]++;
    if (name === "ticket" && typeof answer !== "string" && status === expected)
      positions.push((answer.json() as { position: number }).position);
  };
  const workers = (Object.keys(requests) as (keyof typeof requests)[]).flatMap((name) =>
    Array.from({ length: 2 }, async () => {
      while (!isOver) {
        await send(name);
        await delay(20);
      }
    }),
  );
  return {
    answered: () => Object.values(answers).reduce((sum, count) => sum + count, 0),
    async stop() {
      isOver = true;
      await Promise.all(workers);
      http.close();
      return { answers, failures, positions };
    },
  };
}
