/** What a schema can't see in how a room is entered by invitation. Goes by the raw document. */
import { type Path, valueAt } from "../resolve/raw-document.ts";
import { isTimeZone, readTime } from "../schema/times.ts";
import { type Fault, faultAt } from "./faults.ts";
import { entriesAt, repeated } from "./places.ts";

const SIGNERS = ["secret", "jwks", "jwks_uri"];

export function checkInvitations(raw: unknown, room: Path): Fault[] {
  const entry = valueAt(raw, [...room, "entry"]);
  const path = [...room, "invitations"];
  const written = valueAt(raw, path);
  if (written === undefined || written === null) {
    const message = "required with entry: invited: who signs the invitations (secret, jwks or jwks_uri)";
    return entry === "invited" ? [faultAt(raw, path, message)] : [];
  }
  const classes = [...path, "classes"];
  return [
    ...(entry === "invited"
      ? []
      : [
          faultAt(
            raw,
            [...room, "entry"],
            "expected invited, since there are invitations: write it, or leave them out",
          ),
        ]),
    ...signerFaults(raw, path),
    ...repeated(entriesAt(raw, classes), (each) => valueAt(raw, [...each, "id"])).map(([each]) =>
      faultAt(raw, [...each, "id"], "another class has the same id: each needs its own"),
    ),
    ...entriesAt(raw, classes).flatMap((each) => timeFault(raw, room, [...each, "opens_at"])),
    ...moveFault(raw, room, entry),
  ];
}

function signerFaults(raw: unknown, path: Path): Fault[] {
  const given = SIGNERS.filter((key) => valueAt(raw, [...path, key]) !== undefined);
  if (given.length === 1) return [];
  const message =
    given.length === 0
      ? "required: the secret that invitations are signed with, or public keys (jwks, jwks_uri)"
      : `given beside ${given[0]}: keep one of them`;
  return [faultAt(raw, [...path, given.length === 0 ? "secret" : (given[1] ?? "")], message)];
}

function timeFault(raw: unknown, room: Path, path: Path): Fault[] {
  const value = valueAt(raw, path) ?? null;
  const zone = valueAt(raw, [...room, "schedule", "time_zone"]);
  const reading = value === null ? null : readTime(value, typeof zone === "string" && isTimeZone(zone) ? zone : null);
  return reading !== null && "fault" in reading ? [faultAt(raw, path, reading.fault)] : [];
}

/** A place is that of a key, in whatever browser: there is nothing to move. */
function moveFault(raw: unknown, room: Path, entry: unknown): Fault[] {
  const moves = valueAt(raw, [...room, "moves"]) ?? "never";
  if (entry !== "invited" || moves === "never") return [];
  const message = "not with entry: invited, where the same invitation has the same place in each browser: leave it out";
  return [faultAt(raw, [...room, "moves"], message)];
}
