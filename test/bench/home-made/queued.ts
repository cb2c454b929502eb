/**
 * A queue as npm has it for Express, which Usher is measured beside: `express-queue` lets a number of requests through at once, and holds the
 * connections of all others. It knows requests, and no visitors: there are no places, pages or polls. Answers a page of 1 kB; tells its parent
 * the port.
 */
import { createRequire } from "node:module";
import type { AddressInfo } from "node:net";
import express, { type RequestHandler } from "express";

/** It has no types. */
const queue = createRequire(import.meta.url)("express-queue") as (options: {
  /** Requests that are answered at once. */
  readonly activeLimit: number;
  /** Requests that wait; -1: any number. */
  readonly queuedLimit: number;
}) => RequestHandler;

/** Half as many as the load generator has connections: so each request waits for another one. */
const activeLimit = 32;
const page = `<!doctype html><title>Tickets</title><h1>Tickets</h1><p>${"Autumn tour. ".repeat(75)}</p>`;

const app = express();
app.disable("x-powered-by");
app.use(queue({ activeLimit, queuedLimit: -1 }));
app.get("/", (_request, response) => {
  // In another turn of the event loop, as a page that asks a store is answered: till then the next ones wait.
  setImmediate(() => response.set("Cache-Control", "no-store").send(page));
});

const server = app.listen(0, "127.0.0.1", () => process.send?.({ port: (server.address() as AddressInfo).port }));
