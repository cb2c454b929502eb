export type CheckName =
  | "contents"
  | "record"
  | "key"
  | "seed"
  | "numbers"
  | "voids"
  | "chain"
  | "round"
  | "beacon"
  | "receipt"
  | "entries"
  | "place";

/** `warning`: nothing is wrong, and something is less than it could be. */
export type CheckStatus = "ok" | "warning" | "failed";

export interface Check {
  readonly name: CheckName;
  /** The draw's id; null for what concerns none alone. */
  readonly draw: number | null;
  readonly status: CheckStatus;
  /** A sentence: what was found. */
  readonly text: string;
}

/** Either that all is well, or what is not. */
export function judge(name: CheckName, draw: number | null, fault: string | null, well: string): Check {
  return fault === null ? { name, draw, status: "ok", text: `${well}.` } : fail(name, draw, fault);
}

export function fail(name: CheckName, draw: number | null, fault: string): Check {
  return { name, draw, status: "failed", text: `${fault}.` };
}

export function warn(name: CheckName, draw: number | null, text: string): Check {
  return { name, draw, status: "warning", text: `${text}.` };
}
