/**
 * Visitors who wait in a room by the JSON API, come in when it is their turn, and are a load for the site for as long as
 * they stay: they ask for a page, read it, and ask for the next.
 */
import { setTimeout as delay } from "node:timers/promises";
import type { HttpClient, HttpResponse } from "../../support/http-client.ts";
import { forEach } from "../people.ts";

export interface VisitsOptions {
  readonly http: Pick<HttpClient, "request" | "get">;
  /** Of the gateways, by turns. */
  readonly origins: readonly string[];
  readonly room: string;
  readonly siteUrl: string;
  readonly people: number;
  /** How long a visit lasts, ± 15 %, and how long a page is read. */
  readonly visitMs: number;
  readonly thinkMs: number;
}

export interface Visits {
  /** When each came in. */
  readonly entries: readonly number[];
  /** How long each page took, in the order of the answers. */
  readonly pages: readonly { readonly atMs: number; readonly tookMs: number }[];
  /** What the room's status said last. */
  readonly status: () => Status;
  /** Nobody comes in any more; resolves when all have left. */
  stop(): Promise<void>;
}

interface Status {
  readonly serving: number;
  readonly waiting: number;
  readonly adaptive?: { readonly rate_per_minute: number; readonly decision: string; readonly reason: string };
}

interface Waiting {
  readonly position: number;
  readonly origin: string;
  ticket: string;
}

const pollMs = 250;

/** As browsers do: a connection that was kept open, and closed just now, is no answer. */
function patiently<Args extends unknown[]>(ask: (...args: Args) => Promise<HttpResponse>) {
  return (...args: Args) => ask(...args).catch(() => ask(...args));
}

/** All take their places at once; whoever need not wait is in. */
export async function startVisits(options: VisitsOptions): Promise<Visits> {
  const http = { request: patiently(options.http.request), get: patiently(options.http.get) };
  const { origins, room, siteUrl, people, visitMs, thinkMs } = options;
  const line: Waiting[] = [];
  await forEach(
    Array.from({ length: people }, (_, index) => index),
    32,
    async (index) => {
      const origin = origins[index % origins.length] ?? "";
      const answer = await http.request(`${origin}/rooms/${room}/tickets`, { method: "POST" });
      const { ticket, position } = answer.json() as { ticket: string; position: number };
      line.push({ ticket, position, origin });
    },
  );
  line.sort((a, b) => a.position - b.position);

  const entries: number[] = [];
  const pages: { atMs: number; tookMs: number }[] = [];
  const underWay = new Set<Promise<void>>();
  let status: Status = { serving: 0, waiting: people };
  let isOver = false;

  async function enter(person: Waiting): Promise<void> {
    while (!isOver) {
      const answer = await http.request(`${person.origin}/rooms/${room}/tickets/me/token`, {
        method: "POST",
        headers: { authorization: `Bearer ${person.ticket}` },
      });
      if (answer.status === 200) return browse();
      const { poll_after_ms: againMs = 1_000 } = answer.json() as { poll_after_ms?: number };
      await delay(Math.min(againMs, 2_000));
    }
  }

  async function browse(): Promise<void> {
    entries.push(performance.now());
    const untilMs = performance.now() + visitMs * (0.85 + 0.3 * Math.random());
    while (!isOver && performance.now() < untilMs) {
      const askedMs = performance.now();
      await http.get(siteUrl);
      pages.push({ atMs: performance.now(), tookMs: performance.now() - askedMs });
      await delay(thinkMs * (0.8 + 0.4 * Math.random()));
    }
  }

  async function ask(turn: number): Promise<void> {
    status = (await http.get(`${origins[turn % origins.length]}/rooms/${room}/status`)).json() as Status;
  }

  async function call(): Promise<void> {
    let next = 0;
    for (let turn = 0; !isOver; turn++) {
      await ask(turn);
      for (; (line[next]?.position ?? Number.POSITIVE_INFINITY) <= status.serving; next++) {
        const running: Promise<void> = enter(line[next] as Waiting).finally(() => underWay.delete(running));
        underWay.add(running);
      }
      await delay(pollMs);
    }
  }

  await ask(0);
  const calling = call();
  return {
    entries,
    pages,
    status: () => status,
    async stop() {
      isOver = true;
      await calling;
      await Promise.all(underWay);
    },
  };
}
