/** The errors for an operator whose request for a client or a room cannot be fulfilled. */
import type { ClientReading, RoomReading } from "../config/index.ts";
import { UsherError } from "../lib/errors.ts";

/** More do not help: so many faults are one mistake, made many times. */
const reportedFaultsMax = 20;

/** What is wrong with a member of a document; of the whole where the path is empty. */
export interface DocumentFault {
  readonly path: string;
  readonly message: string;
}

export function badDocument(faults: readonly DocumentFault[]): UsherError {
  const reported = faults.slice(0, reportedFaultsMax).map(({ path, message }) => ({ path, message }));
  const more = faults.length - reported.length;
  const words = [...reported.map(faultLine), ...(more > 0 ? [`and ${more} more`] : [])];
  return new UsherError("bad_request", words.join("; "), { members: { faults: reported } });
}

export function faultsOf(reading: ClientReading | RoomReading): readonly DocumentFault[] {
  return "faults" in reading ? reading.faults : [];
}

export function faultLines(reading: ClientReading | RoomReading): string[] {
  return faultsOf(reading).map(faultLine);
}

function faultLine({ path, message }: DocumentFault): string {
  return `${path || "body"}: ${message}`;
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
