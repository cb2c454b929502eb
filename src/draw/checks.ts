import type { Order } from "./order.ts";

/** `warning`: nothing is wrong, and something is less than it could be. */
export type CheckStatus = "ok" | "warning" | "failed";

export type CheckName =
  | "contents"
  | "record"
  | "key"
  | "seed"
  | "numbers"
  | "chain"
  | "round"
  | "beacon"
  | "receipt"
  | "entries"
  | "place";

export interface Check {
  readonly name: CheckName;
  /** The draw's id; null for what concerns none alone. */
  readonly draw: number | null;
  readonly status: CheckStatus;
  /** A sentence: what was found. */
  readonly text: string;
}

/** A receipt's place in line, as the recipe gives it. */
export interface FoundPlace {
  /** Which of the receipts, from 1. */
  readonly receipt: number;
  readonly draw: number;
  readonly sub: string;
  readonly entry: number;
  /** Null while the draw is not done, and for a number that was not in it. */
  readonly position: number | null;
  readonly entries: number | null;
}

export interface DrawReport {
  /** Nothing failed; there may be warnings. */
  readonly isGenuine: boolean;
  readonly checks: readonly Check[];
  readonly places: readonly FoundPlace[];
}

/** A draw's checks, and its order where all that fixes it is there. */
export interface CheckedDraw {
  readonly checks: readonly Check[];
  readonly order: Order | null;
}

/** Either that all is well, or what is not. */
export function judge(name: CheckName, draw: number | null, fault: string | null, well: string): Check {
  return fault === null
    ? { name, draw, status: "ok", text: `${well}.` }
    : { name, draw, status: "failed", text: `${fault}.` };
}

export function warn(name: CheckName, draw: number | null, text: string): Check {
  return { name, draw, status: "warning", text: `${text}.` };
}

export function hasFailed({ status }: Check): boolean {
  return status === "failed";
}
