import { type ReceiptKey, readJws, signJws } from "./jws.ts";
import { hex, objectOf, orNull, ShapeError, text, whole } from "./shape.ts";

const claims = objectOf({
  iss: text,
  /** The visitor. */
  sub: text,
  room: text,
  edition: whole(),
  /** The draw's id. */
  draw: whole(1),
  entry: whole(1),
  commitment: hex(32),
  /** Null where none was announced. */
  beacon: orNull(objectOf({ chain: hex(32), round: orNull(whole(1)) })),
  /** Seconds since 1970. */
  iat: whole(),
});
const ofVoid = objectOf({ voided: orNull(objectOf({ reference: text, reason: text })) });
const claimsOnceDrawn = objectOf({ entries: orNull(whole()), position: orNull(whole(1)) });

/** What a visitor holds in hand: that it was given this entry number in a draw that was committed to as stated. */
export interface Receipt extends ReturnType<typeof claims> {
  /** Where the place was moved to this visitor from another's browser, which may hold a receipt of it, too. */
  readonly moved?: true;
  /** Why the entry takes no part, where the organiser has voided it. */
  readonly voided?: { readonly reference: string; readonly reason: string };
  /** Once drawn: how many took part. */
  readonly entries?: number;
  /** Once drawn: the place in line. */
  readonly position?: number;
}

export interface ReadReceipt {
  readonly receipt: Receipt;
  /** The thumbprint of the key that it is signed with. */
  readonly kid: string;
}

const type = "usher-receipt+jwt";
/** Characters. Usher's own are far shorter. */
const lengthMax = 8_192;

export function signReceipt(key: ReceiptKey, receipt: Receipt): string {
  return signJws(key, type, receipt);
}

/** The receipt, whose signature is right for the key that it names; else why it is none. */
export function readReceipt(text: string): ReadReceipt | string {
  if (text.length > lengthMax) return "it is too long";
  const read = readJws(text, type);
  if (typeof read === "string") return read;
  try {
    return { receipt: readClaims(read.claims), kid: read.kid };
  } catch (error) {
    if (error instanceof ShapeError) return error.message;
    throw error;
  }
}

function readClaims(written: unknown): Receipt {
  const { entries, position } = claimsOnceDrawn(written, "");
  const { voided } = ofVoid(written, "");
  return {
    ...claims(written, ""),
    ...(voided !== null && { voided }),
    ...(Object(written).moved === true && { moved: true as const }),
    ...(entries !== null && { entries }),
    ...(position !== null && { position }),
  };
}
