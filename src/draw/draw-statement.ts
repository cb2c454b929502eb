import type { DrawDocument, DrawFacts, PublishedDraw } from "./document.ts";
import { type ReceiptKey, readJws, signJws } from "./jws.ts";

/** The room of a draw document. */
export type DrawOwner = Pick<DrawDocument, "issuer" | "room" | "edition">;

/** What the room signs of a draw, as far as it is known: so that nobody on the way can change how many took part. */
export interface DrawStatement extends Omit<DrawFacts, "id" | "opens_at"> {
  readonly iss: string;
  readonly room: string;
  readonly edition: number;
  readonly draw: number;
}

const type = "usher-draw+jwt";

/** A draw as it is published. Says the same each time, whichever process is asked. */
export function publishDraw(key: ReceiptKey, owner: DrawOwner, facts: DrawFacts): PublishedDraw {
  const { jwk, kid } = key;
  return { ...facts, receipt_key: { ...jwk, kid }, signed: signJws(key, type, statementOf(owner, facts)) };
}

/** Why the signed record is not what the document says, or null. */
export function faultOfStatement(owner: DrawOwner, draw: PublishedDraw): string | null {
  const read = readJws(draw.signed, type);
  if (typeof read === "string") return `The signed record is worth nothing: ${read}`;
  if (read.kid !== draw.receipt_key.kid) return "The signed record is signed with another key than receipt_key";
  const signed = new Map<string, unknown>(Object.entries(Object(read.claims)));
  const different = Object.entries(statementOf(owner, draw))
    .filter(([name, value]) => !isSaid(value, signed.get(name) ?? null))
    .map(([name]) => (name === "iss" ? "issuer" : name === "draw" ? "id" : name));
  return different.length === 0 ? null : `The document does not say what the room has signed: ${different.join(", ")}`;
}

function statementOf({ issuer, room, edition }: DrawOwner, facts: DrawFacts): DrawStatement {
  const { id, stage, commitment, first, last, gaps, entries, closes_at, seed, beacon } = facts;
  return {
    iss: issuer,
    room,
    edition,
    draw: id,
    stage,
    commitment,
    first,
    last,
    gaps,
    entries,
    closes_at,
    seed,
    beacon,
  };
}

/** Whether a value of the document is what was signed, where more may stand than this program knows of. */
function isSaid(value: unknown, signed: unknown): boolean {
  if (typeof value !== "object" || value === null) return value === signed;
  if (Array.isArray(value) && !(Array.isArray(signed) && signed.length === value.length)) return false;
  const fields = new Map<string, unknown>(Object.entries(Object(signed)));
  return Object.entries(value).every(([name, part]) => fields.has(name) && isSaid(part, fields.get(name)));
}
