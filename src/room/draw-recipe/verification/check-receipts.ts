import type { DrawDocument, PublishedDraw } from "../document.ts";
import { createEntryNumbers, faultOfNumbers, type Order } from "../order.ts";
import { type ReadReceipt, type Receipt, readReceipt } from "../receipt.ts";
import { voidOfEntry } from "./check-voids.ts";
import { type Check, fail, judge, warn } from "./checks.ts";

/** A receipt's place in line, as the recipe gives it. */
export interface FoundPlace {
  /** Which of the receipts, from 1. */
  readonly receipt: number;
  readonly draw: number;
  readonly sub: string;
  readonly entry: number;
  /** Null while the draw is not done, and for a number that was not in it, or was voided. */
  readonly position: number | null;
  readonly entries: number | null;
}

/** Checks receipts against the document. @param orders of its draws by id, as far as they are fixed */
export function checkReceipts(
  document: DrawDocument,
  orders: ReadonlyMap<number, Order | null>,
  texts: readonly string[],
): { readonly checks: readonly Check[]; readonly places: readonly FoundPlace[] } {
  const checks: Check[] = [];
  const places: FoundPlace[] = [];
  const ofDocument: ReceiptPlace[] = [];
  for (const [index, text] of texts.entries()) {
    const number = index + 1;
    const name = texts.length === 1 ? "The receipt" : `Receipt ${number}`;
    const read = readReceipt(text.trim());
    if (typeof read === "string") {
      checks.push(fail("receipt", null, `${name} is worth nothing: ${read}`));
      continue;
    }
    const { receipt } = read;
    const { sub, entry } = receipt;
    const draw = document.draws.find(({ id }) => id === receipt.draw);
    const order = orders.get(receipt.draw) ?? null;
    const ofNames = faultsOfNames(document, receipt);
    const voided = draw === undefined ? null : voidOfEntry(draw, entry);
    const ofEntry = draw === undefined ? [] : voided !== null ? [] : faultsOfEntry(draw, entry);
    // The number of another line has no place in this one.
    const isPlaced = ofNames.length === 0 && ofEntry.length === 0 && voided === null;
    const position = isPlaced ? (order?.positionOf(entry) ?? null) : null;
    const faults = [
      ...ofNames,
      ...(draw === undefined
        ? [`the document has no draw ${receipt.draw}`]
        : [...faultsOfDraw(draw, read), ...ofEntry, ...faultsOfPlace(draw, receipt, position)]),
    ];
    const which = `${name} (entry ${entry})`;
    const fault = faults.length === 0 ? null : `${which} does not fit the document: ${faults.join("; ")}`;
    const well = `${which} is the room's, and fits the draw`;
    checks.push(
      fault === null && voided !== null
        ? warn("receipt", draw?.id ?? null, `${which} is the room's; the organiser has voided it (${voided.reference})`)
        : judge("receipt", draw?.id ?? null, fault, well),
    );
    const place = { receipt: number, draw: receipt.draw, sub, entry, position, entries: order?.entries ?? null };
    places.push(place);
    if (ofNames.length === 0) ofDocument.push({ ...place, isMoved: receipt.moved === true });
  }
  return { checks: [...checks, ...checkHolders(ofDocument)], places };
}

function faultsOfNames({ issuer, room, edition }: DrawDocument, receipt: Receipt): string[] {
  return [
    ...differs("of the issuer", receipt.iss, issuer),
    ...differs("of the room", receipt.room, room),
    ...differs("of the edition", receipt.edition, edition),
  ];
}

function faultsOfDraw(draw: PublishedDraw, { receipt: { beacon, commitment }, kid }: ReadReceipt): string[] {
  const hasRound = beacon !== null && beacon.round !== null;
  return [
    ...differs("signed with the key", kid, draw.receipt_key.kid),
    ...differs("for the commitment", commitment, draw.commitment),
    ...differs("for the beacon", beacon?.chain ?? "none", draw.beacon?.chain ?? "none"),
    ...(hasRound ? differs("for the round", beacon.round, draw.beacon?.round ?? "not known") : []),
  ];
}

function faultsOfEntry({ first, last, gaps }: PublishedDraw, entry: number): string[] {
  if (first === null || last === null || faultOfNumbers({ first, last, gaps }) !== null) return [];
  const found = createEntryNumbers({ first, last, gaps }).rankOf(entry);
  if (found === null) return [`its number is not among ${first}…${last}, which took part`];
  return found.isEntry ? [] : ["its number is said to be one that nobody holds"];
}

function faultsOfPlace(draw: PublishedDraw, receipt: Receipt, position: number | null): string[] {
  if (receipt.position === undefined) return [];
  if (draw.stage !== "drawn") return ["it names a place, and the document is from before the draw: fetch it again"];
  const entryCount = draw.entries ?? "not known";
  return [
    ...differs("for this many entries:", receipt.entries ?? entryCount, entryCount),
    ...(position === null ? [] : differs("for the place", receipt.position, position)),
  ];
}

function differs(what: string, ofReceipt: unknown, ofDocument: unknown): string[] {
  return ofReceipt === ofDocument ? [] : [`it is ${what} ${ofReceipt}, and the document gives ${ofDocument}`];
}

type ReceiptPlace = FoundPlace & { readonly isMoved: boolean };

/** An entry number is one visitor's alone, and of those to whom the place was moved after. */
function checkHolders(places: readonly ReceiptPlace[]): Check[] {
  const holders = new Map<string, ReceiptPlace>();
  return [...places]
    .sort((a, b) => Number(a.isMoved) - Number(b.isMoved))
    .flatMap((place) => {
      const { draw, entry, sub, receipt, isMoved } = place;
      const other = holders.get(`${draw} ${entry}`) ?? place;
      holders.set(`${draw} ${entry}`, other);
      if (other.sub === sub) return [];
      const found = `Receipts ${other.receipt} and ${receipt} give the entry number ${entry} to two visitors`;
      return isMoved
        ? warn("entries", draw, `${found}; the place was moved to the holder of receipt ${receipt}`)
        : fail("entries", draw, found);
    });
}
