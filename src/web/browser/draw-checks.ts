/** What the page of a draw asks its checker: the same as `usher verify-draw` does, and each single place besides. Pure functions. */
import type { VerifyRound } from "../../room/draw-recipe/beacon-signature.ts";
import {
  type Check,
  type CheckName,
  createEntryNumbers,
  createOrder,
  type DrawDocument,
  type DrawRecord,
  recordOf as drawRecordOf,
  verifyDraw,
} from "../../room/draw-recipe/index.ts";

/** The record is what the server answered, of whatever shape. */
export type Question =
  | { kind: "place"; record: unknown; draw: number; number: number }
  | { kind: "all"; record: unknown; draw: number; receipt: string };

/** Keys of `draw.checks` in the locale. */
export type CheckedThing = "record" | "seal" | "numbers" | "beacon" | "order" | "receipt";

export type Answer =
  /** Null: the number is not in the draw. */
  | { kind: "place"; place: number | null }
  /** The details are in English, sentence by sentence, of what is not simply right. */
  | { kind: "check"; thing: CheckedThing; outcome: "ok" | "warning" | "failed"; detail: string }
  | { kind: "done" };

type CheckAnswer = Extract<Answer, { kind: "check" }>;

const things: Record<CheckName, CheckedThing> = {
  contents: "record",
  record: "record",
  key: "record",
  seed: "seal",
  numbers: "numbers",
  voids: "numbers",
  chain: "beacon",
  round: "beacon",
  beacon: "beacon",
  receipt: "receipt",
  entries: "receipt",
  place: "receipt",
};

/** The place of an entry number; null where it is none of the draw's, or the record fixes no order. */
export function findPlace(document: DrawDocument, draw: number, number: number): number | null {
  const record = recordOf(document, draw);
  if (record === null || createEntryNumbers(record).rankOf(number)?.isEntry !== true) return null;
  return createOrder(record).positionOf(number);
}

/** @param receipt empty for none */
export function* checkAll(
  document: DrawDocument,
  draw: number,
  receipt: string,
  verifyRound: VerifyRound,
): Generator<CheckAnswer> {
  const found = verifyDraw(document, receipt === "" ? [] : [receipt], { verifyRound });
  const checks = found.checks.filter((check) => check.draw === null || check.draw === draw);
  const seen = new Set(checks.map(({ name }) => things[name]));
  const beacon = document.draws.find(({ id }) => id === draw)?.beacon ?? null;
  const isUsed = beacon !== null && beacon.fallback === null;
  for (const thing of seen) {
    const answer = sumUp(thing, checks);
    // That there is none, or none could be had, the page says openly: there is nothing to be genuine.
    if (thing !== "beacon" || isUsed || answer.outcome === "failed") yield answer;
  }
  yield checkOrder(document, draw);
}

/** Of all checks of a thing the gravest counts. */
function sumUp(thing: CheckedThing, all: readonly Check[]): CheckAnswer {
  const checks = all.filter(({ name }) => things[name] === thing);
  const outcome = (["failed", "warning"] as const).find((status) => checks.some((check) => check.status === status));
  const detail = checks.filter(({ status }) => status !== "ok").map(({ text }) => text);
  return { kind: "check", thing, outcome: outcome ?? "ok", detail: detail.join(" ") };
}

/** Goes through all numbers: together they must have the first places, each of them once. */
function checkOrder(document: DrawDocument, draw: number): CheckAnswer {
  const tell = (fault: string): CheckAnswer => {
    return { kind: "check", thing: "order", outcome: fault === "" ? "ok" : "failed", detail: fault };
  };
  const record = recordOf(document, draw);
  if (record === null) return tell("The record does not fix an order.");
  const { first } = record;
  const { ranges, entries } = createEntryNumbers(record);
  const { positionOf } = createOrder(record);
  const isTaken = new Uint8Array(entries);
  // Gaps may be far longer than what is between them.
  for (const [from, to] of ranges) {
    for (let number = from; number <= to; number++) {
      const index = positionOf(number) - first;
      if (index < 0 || index >= entries) return tell(`Entry ${number} has no place among the first ${entries}.`);
      if (isTaken[index] !== 0) return tell(`Place ${index + first} was given twice.`);
      isTaken[index] = 1;
    }
  }
  return tell("");
}

/** A record larger than a browser can hold in memory is not genuine. */
const entriesMax = 100_000_000;

/** Null where nothing fixes an order; what is wrong, the other checks say. */
function recordOf(document: DrawDocument, id: number): DrawRecord | null {
  const draw = document.draws.find((each) => each.id === id);
  const record = draw === undefined ? null : drawRecordOf(document, draw);
  return record !== null && createEntryNumbers(record).entries <= entriesMax ? record : null;
}
