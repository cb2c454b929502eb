import type { IncomingMessage, ServerResponse } from "node:http";
import { roomIdShape } from "../../lib/room-id.ts";
import type { VisitorParts } from "./parts.ts";
import { plainHeadersOf } from "./status.ts";
import { createTickets } from "./tickets.ts";

const placePath = new RegExp(`^/rooms/(${roomIdShape})/tickets/me(?:\\?|$)`);

/**
 * Answers `GET …/tickets/me` before any framework where everything is known, since apps poll it. All else (no ticket, a place that is
 * checked with the store first) is left to the routes.
 *
 * @returns whether it was answered
 */
export function createPlaceAnswer(parts: VisitorParts) {
  const { rooms, issuer } = parts;
  const { knownPlace } = createTickets(parts);
  const plainHeaders = plainHeadersOf(issuer, "no-store");
  return (request: IncomingMessage, response: ServerResponse): boolean => {
    if (request.method !== "GET") return false;
    const room = rooms.get(placePath.exec(request.url ?? "")?.[1] ?? "");
    const place = room === undefined ? null : knownPlace(request, room);
    if (place === null) return false;
    const body = JSON.stringify(place);
    response.writeHead(200, [...plainHeaders, "Content-Length", String(Buffer.byteLength(body))]);
    response.end(body);
    return true;
  };
}
