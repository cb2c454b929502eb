import type { VerifyRound } from "./beacon-signature.ts";
import { checkDraw } from "./check-draw.ts";
import { checkReceipts } from "./check-receipts.ts";
import { type Check, type DrawReport, type FoundPlace, hasFailed, judge } from "./checks.ts";
import type { DrawDocument } from "./document.ts";

export interface VerifyDrawOptions {
  /** `verifyRound` of beacon-signature.ts, which is too long for pages that can load it later. */
  readonly verifyRound: VerifyRound;
  /** The thumbprint of the key that the draws are to be signed with, where it is known from elsewhere. */
  readonly keyThumbprint?: string;
  /** The place in line that the waiting page reported, to be compared with the one that the only receipt has. */
  readonly position?: number;
}

/** Checks all that can be checked of the published document, offline, and where the holders of receipts stand. */
export function verifyDraw(
  document: DrawDocument,
  receipts: readonly string[],
  { verifyRound, keyThumbprint, position }: VerifyDrawOptions,
): DrawReport {
  const { draws } = document;
  const options = { verifyRound, keyThumbprint: keyThumbprint ?? null };
  const checked = new Map(draws.map((draw) => [draw.id, checkDraw(document, draw, options)]));
  const ofReceipts = checkReceipts(document, checked, receipts);
  const checks = [
    ...checkContents(document),
    ...[...checked.values()].flatMap((draw) => draw.checks),
    ...ofReceipts.checks,
    ...(position === undefined ? [] : [checkPlace(ofReceipts.places, position)]),
  ];
  return { isGenuine: !checks.some(hasFailed), checks, places: ofReceipts.places };
}

/** There must be something to check, and no number may be in two draws. */
function checkContents({ draws, order }: DrawDocument): Check[] {
  if (draws.length === 0) {
    const reason = order === "arrival" ? "places go by arrival in this room" : "none was announced yet";
    return [judge("contents", null, `The document has no draw that could be checked: ${reason}`, "")];
  }
  const faults: string[] = [];
  let reached = { id: 0, last: 0 };
  for (const { id, first, last } of draws) {
    if (id <= reached.id) faults.push(`Draw ${id} comes behind draw ${reached.id}`);
    if (first !== null && first <= reached.last) faults.push(`Draws ${reached.id} and ${id} share numbers`);
    reached = { id, last: last ?? reached.last };
  }
  return faults.map((fault) => judge("contents", null, fault, ""));
}

function checkPlace(places: readonly FoundPlace[], reported: number): Check {
  const [place, ...others] = places;
  if (place === undefined || others.length > 0) {
    return judge("place", null, "A place can be compared with that of one receipt only: give one that can be read", "");
  }
  const { draw, position, entry } = place;
  if (position === null)
    return judge("place", draw, `Entry ${entry} has no place that could be compared with ${reported}`, "");
  const fault = position === reported ? null : `Entry ${entry} has place ${position}, and ${reported} was reported`;
  return judge("place", draw, fault, `Entry ${entry} has the place that was reported, ${reported}`);
}
