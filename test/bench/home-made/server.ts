/**
 * A waiting room as people make it themselves in an afternoon, which Usher is measured beside: Express, its session in Redis, a sorted set for
 * the line. It is kept simple, not slow: each request does what it must. Started with the URL of its Redis; tells its parent the port.
 */
import type { AddressInfo } from "node:net";
import ejs from "ejs";
import express from "express";
import session from "express-session";
import { Redis } from "ioredis";

declare module "express-session" {
  interface SessionData {
    number: number;
  }
}

const redis = new Redis(process.argv[2] ?? "");
const sessionSec = 86_400;

class RedisSessions extends session.Store {
  override get(id: string, done: (error: unknown, found?: session.SessionData | null) => void): void {
    redis.get(`session:${id}`).then((text) => done(null, text === null ? null : JSON.parse(text)), done);
  }
  override set(id: string, data: session.SessionData, done: (error?: unknown) => void = () => {}): void {
    redis.set(`session:${id}`, JSON.stringify(data), "EX", sessionSec).then(() => done(), done);
  }
  override touch(id: string, _data: session.SessionData, done: () => void = () => {}): void {
    redis.expire(`session:${id}`, sessionSec).then(() => done(), done);
  }
  override destroy(id: string, done: (error?: unknown) => void = () => {}): void {
    redis.del(`session:${id}`).then(() => done(), done);
  }
}

const page = ejs.compile(`<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<title><%= ahead %> ahead of you</title>
<style>body { font: 1.125rem/1.5 system-ui; max-width: 40rem; margin: 4rem auto; padding: 0 1rem } strong { font-size: 4rem }</style>
</head>
<body>
<h1>You are in line</h1>
<p>Your number is <strong><%= number %></strong>.</p>
<p id="ahead"><%= ahead %> people are ahead of you. This page asks by itself; please keep it open.</p>
<script>
setInterval(async () => {
  const { ahead } = await (await fetch("/status")).json();
  document.getElementById("ahead").textContent = ahead + " people are ahead of you.";
  if (ahead === 0) location.href = "/enter";
}, 10000);
</script>
</body>
</html>`);

const app = express();
app.disable("x-powered-by");
app.use(
  session({
    store: new RedisSessions(),
    secret: "a-secret-of-the-benchmark-0123456789",
    resave: false,
    saveUninitialized: false,
    cookie: { httpOnly: true, sameSite: "lax", maxAge: sessionSec * 1_000 },
  }),
);

/** People ahead: those in line before, less those who were let in. */
async function aheadOf(id: string): Promise<number> {
  const [rank, serving] = await Promise.all([redis.zrank("line", id), redis.get("serving")]);
  return Math.max(0, (rank ?? 0) - Number(serving ?? 0));
}

app.get("/", async (request, response) => {
  if (request.session.number === undefined) {
    request.session.number = await redis.incr("queued");
    await redis.zadd("line", request.session.number, request.sessionID);
  }
  const ahead = await aheadOf(request.sessionID);
  response.set("Cache-Control", "no-store").send(page({ number: request.session.number, ahead }));
});

app.get("/status", async (request, response) => {
  response.json({ ahead: await aheadOf(request.sessionID) });
});

const server = app.listen(0, "127.0.0.1", () => process.send?.({ port: (server.address() as AddressInfo).port }));
