/** What portals, proxies and caches answer in the place of Usher. */
import type { ServerResponse } from "node:http";
import { goodStatus } from "./good-status.ts";

const portal = "<!doctype html><title>Sign in to this network</title><h1>Sign in to this network</h1>";

const page =
  (code: number, headers: Record<string, string> = {}) =>
  (response: ServerResponse) => {
    response.writeHead(code, { "content-type": "text/html; charset=utf-8", ...headers }).end(portal);
  };
const json = (body: unknown) => (response: ServerResponse) => {
  response.writeHead(200, { "content-type": "application/json" }).end(JSON.stringify(body));
};
const served = { ...goodStatus, state: "served", serving: "5000", position: "1", entry: "7", moved: "yes", ahead: "0" };

/** @param elsewhere an address of another host, whose answers scripts of any origin may read; they may not read those of `closed` */
export const foreignAnswers = (
  elsewhere: string,
  closed: string,
): Record<string, (response: ServerResponse) => void> => ({
  "200 with a portal's page": page(200),
  ...Object.fromEntries(
    [{}, null, [], 7, "open", true].map((body) => [`200 with ${JSON.stringify(body)}`, json(body)]),
  ),
  "strings in place of numbers": json(served),
  "numbers in place of lists": json({
    ...goodStatus,
    serving: 5_000,
    gaps: 7,
    pace: { ...goodStatus.pace, steps: {} },
  }),
  "no pace, and no guidance": json({ ...goodStatus, serving: 5_000, pace: {}, poll: {} }),
  "an error of something else": json({ error: { code: 5 }, state: null, position: [] }),
  ...Object.fromEntries([403, 404, 511, 520, 525, 530].map((code) => [`${code} with a page`, page(code)])),
  "503 that asks for an hour": page(503, { "retry-after": "3600" }),
  "503 that names a moment": (response) =>
    page(503, { "retry-after": new Date(Date.now() + 3_600_000).toUTCString() })(response),
  "503 that asks for nonsense": page(503, { "retry-after": "soon" }),
  "a redirect to a portal": (response) => response.writeHead(302, { location: closed }).end(),
  "a redirect to a host whose answers may be read": (response) =>
    response.writeHead(307, { location: elsewhere }).end(),
  "204": (response) => response.writeHead(204).end(),
  "an empty body": (response) => response.writeHead(200, { "content-type": "application/json" }).end(),
  "a body that is cut off": (response) => {
    const body = JSON.stringify({ ...goodStatus, serving: 5_000 });
    response.writeHead(200, { "content-type": "application/json", "content-length": body.length });
    response.write(body.slice(0, -40));
    setTimeout(() => response.destroy(), 20);
  },
  "a status that ends in the middle": (response) => {
    response.writeHead(200, { "content-type": "application/json" }).end(JSON.stringify(goodStatus).slice(0, -40));
  },
  "no answer": (response) => response.destroy(),
});
