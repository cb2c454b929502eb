import type { VerifyRound } from "./beacon-signature.ts";
import { checkBeacon, outcomeOf } from "./check-beacon.ts";
import { type Check, type CheckedDraw, judge, warn } from "./checks.ts";
import type { DrawDocument, PublishedDraw } from "./document.ts";
import { faultOfStatement } from "./draw-statement.ts";
import { createEntryNumbers, faultOfNumbers } from "./numbers.ts";
import { createOrder, type Order } from "./order.ts";
import { commitmentOf } from "./outcome.ts";

/** Checks one draw of a document by itself. `keyThumbprint` is the key that it is to be signed with, where that is known. */
export function checkDraw(
  document: DrawDocument,
  draw: PublishedDraw,
  { verifyRound, keyThumbprint }: { readonly verifyRound: VerifyRound; readonly keyThumbprint: string | null },
): CheckedDraw {
  const { id } = draw;
  const checks: Check[] = [
    judge("record", id, faultOfStatement(document, draw), "The room has signed what is said of the draw"),
  ];
  if (keyThumbprint !== null)
    checks.push(judge("key", id, faultOfKey(draw, keyThumbprint), "It is signed with the key that you named"));
  checks.push(checkSeed(document, draw));
  const numbers = checkNumbers(draw);
  if (numbers !== null) checks.push(numbers);
  checks.push(...checkBeacon(draw, verifyRound));
  return { checks, order: orderOf(document, draw) };
}

function faultOfKey({ receipt_key }: PublishedDraw, thumbprint: string): string | null {
  return receipt_key.kid === thumbprint ? null : `It is signed with the key ${receipt_key.kid}, not with ${thumbprint}`;
}

function checkSeed({ room, edition }: DrawDocument, { id, stage, seed, commitment }: PublishedDraw): Check {
  if (stage !== "drawn") {
    const isCancelled = stage === "cancelled";
    const warning = isCancelled
      ? "The draw was cancelled: nothing was drawn"
      : `The draw is not done (${stage}): of the order nothing can be checked yet`;
    return seed === null
      ? warn("seed", id, warning)
      : judge("seed", id, `The seed is known, and the draw is not done (${stage})`, "");
  }
  if (seed === null) return judge("seed", id, "The draw is done, and its seed was not revealed", "");
  const fault =
    commitmentOf({ room, edition, id }, seed) === commitment
      ? null
      : "The seed is not the one that was committed to: its SHA-256 is not the commitment";
  return judge("seed", id, fault, "The seed is the one that was committed to");
}

/** Null while the last number is not known. */
function checkNumbers({ id, stage, first, last, gaps, entries }: PublishedDraw): Check | null {
  if (first === null || last === null || entries === null) {
    const isDue = stage === "closed" || stage === "drawn";
    return isDue ? judge("numbers", id, "The first number, the last one or how many took part is missing", "") : null;
  }
  const impossible = faultOfNumbers({ first, last, gaps });
  if (impossible !== null) return judge("numbers", id, `The numbers cannot be: ${impossible}`, "");
  const counted = createEntryNumbers({ first, last, gaps }).entries;
  const fault =
    counted === entries
      ? null
      : `${first}…${last} without the numbers that nobody holds are ${counted} entries, and ${entries} are said to have taken part`;
  return judge("numbers", id, fault, `${entries} took part, with the numbers ${first}…${last}`);
}

/** Null where the document does not fix an order. */
function orderOf({ room, edition }: DrawDocument, draw: PublishedDraw): Order | null {
  const { id, stage, seed, first, last, gaps } = draw;
  const beacon = outcomeOf(draw.beacon);
  if (stage !== "drawn" || seed === null || first === null || last === null || beacon === undefined) return null;
  if (faultOfNumbers({ first, last, gaps }) !== null) return null;
  return createOrder({ room, edition, id, seed, first, last, gaps, beacon });
}
