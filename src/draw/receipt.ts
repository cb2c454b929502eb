import { hex, readFields, ShapeError } from "./fields.ts";
import { type PublicJwk, type ReceiptKey, readJws, signJws } from "./jws.ts";

/** What a visitor holds in hand: that it was given this entry number in a draw that was committed to as stated. */
export interface Receipt {
  readonly iss: string;
  /** The visitor. */
  readonly sub: string;
  readonly room: string;
  readonly edition: number;
  /** The draw's id. */
  readonly draw: number;
  readonly entry: number;
  readonly commitment: string;
  /** Null where none was announced. */
  readonly beacon: { readonly chain: string; readonly round: number | null } | null;
  /** Seconds since 1970. */
  readonly iat: number;
  /** Where the place was moved to this visitor from another's browser, which may hold a receipt of it, too. */
  readonly moved?: true;
  /** Once drawn: how many took part. */
  readonly entries?: number;
  /** Once drawn: the place in line. */
  readonly position?: number;
}

export interface ReadReceipt {
  readonly receipt: Receipt;
  readonly jwk: PublicJwk;
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
    return { receipt: readClaims(read.claims), jwk: read.jwk, kid: read.kid };
  } catch (error) {
    if (error instanceof ShapeError) return error.message;
    throw error;
  }
}

function readClaims(claims: unknown): Receipt {
  const fields = readFields(claims, "");
  const entries = fields.orNull("entries", (name) => fields.whole(name));
  const position = fields.orNull("position", (name) => fields.whole(name, 1));
  return {
    iss: fields.text("iss"),
    sub: fields.text("sub"),
    room: fields.text("room"),
    edition: fields.whole("edition"),
    draw: fields.whole("draw", 1),
    entry: fields.whole("entry", 1),
    commitment: fields.text("commitment", hex(32)),
    beacon: fields.orNull("beacon", (name) => {
      const beacon = fields.object(name);
      return { chain: beacon.text("chain", hex(32)), round: beacon.orNull("round", (field) => beacon.whole(field, 1)) };
    }),
    iat: fields.whole("iat"),
    ...(fields.value("moved") === true && { moved: true as const }),
    ...(entries === null ? {} : { entries }),
    ...(position === null ? {} : { position }),
  };
}
