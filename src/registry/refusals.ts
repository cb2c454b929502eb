/** The errors for an operator whose request for a client or a room cannot be fulfilled. */
import type { ClientReading, RoomReading } from "../config/index.ts";
import { UsherError } from "../lib/errors.ts";

/** More do not help: so many faults are one mistake, made many times. */
const reportedFaultsMax = 20;

export function badDocument(lines: readonly string[]): UsherError {
  const more = lines.length - reportedFaultsMax;
  const reported = [...lines.slice(0, reportedFaultsMax), ...(more > 0 ? [`and ${more} more`] : [])];
  return new UsherError("bad_request", reported.join("; "));
}

export function faultLines(reading: ClientReading | RoomReading): string[] {
  return "faults" in reading ? reading.faults.map(({ path, message }) => `${path || "body"}: ${message}`) : [];
}

export function noSuchClient(): UsherError {
  return new UsherError("not_found", "there is no client of this id");
}

export function idIsTaken(id: string, isOfFile: boolean): UsherError {
  return conflict(
    isOfFile
      ? "the configuration file has a client of this id: change it there, or choose another id"
      : `there is a client of this id already: PATCH /admin/clients/${encodeURIComponent(id)} changes it; ` +
          `if its secret was lost, POST /admin/clients/${encodeURIComponent(id)}/secret makes another`,
  );
}

export function isOfFile(): UsherError {
  return conflict(
    "this client is in the configuration file: change it there, or take it out, and restart; a client_secret from a file or from AWS " +
      "Secrets Manager is reloaded without a restart, and previous_client_secret keeps the older one working",
  );
}

/** @param nearby more to say of it */
export function noSuchRoom(nearby = ""): UsherError {
  return new UsherError("unknown_room", `there is no room of this name${nearby}`);
}

export function roomIsOfFile(): UsherError {
  return conflict("this room is in the configuration file: change it there, or take it out, and restart the processes");
}

export function conflict(message: string): UsherError {
  return new UsherError("conflict", message);
}
