import { type Check, type CheckedDraw, type FoundPlace, judge, warn } from "./checks.ts";
import type { DrawDocument, PublishedDraw } from "./document.ts";
import { createEntryNumbers, faultOfNumbers } from "./numbers.ts";
import { type ReadReceipt, type Receipt, readReceipt } from "./receipt.ts";

/** Checks receipts against the document: those of its draws, given by id with what was found of them. */
export function checkReceipts(
  document: DrawDocument,
  drawn: ReadonlyMap<number, CheckedDraw>,
  texts: readonly string[],
): { readonly checks: readonly Check[]; readonly places: readonly FoundPlace[] } {
  const checks: Check[] = [];
  const places: FoundPlace[] = [];
  const ofDocument: FoundPlace[] = [];
  const moved = new Set<FoundPlace>();
  for (const [index, text] of texts.entries()) {
    const number = index + 1;
    const name = texts.length === 1 ? "The receipt" : `Receipt ${number}`;
    const read = readReceipt(text.trim());
    if (typeof read === "string") {
      checks.push(judge("receipt", null, `${name} is worth nothing: ${read}`, ""));
      continue;
    }
    const { receipt } = read;
    const draw = document.draws.find(({ id }) => id === receipt.draw);
    const order = drawn.get(receipt.draw)?.order ?? null;
    const ofNames = faultsOfNames(document, receipt);
    const ofEntry = draw === undefined ? [] : faultsOfEntry(draw, receipt);
    // The number of another line has no place in this one.
    const isPlaced = ofNames.length === 0 && ofEntry.length === 0;
    const position = isPlaced ? (order?.positionOf(receipt.entry) ?? null) : null;
    const faults = [
      ...ofNames,
      ...(draw === undefined
        ? [`the document has no draw ${receipt.draw}`]
        : [...faultsOfDraw(draw, read), ...ofEntry, ...faultsOfPlace(draw, receipt, position)]),
    ];
    const fault =
      faults.length === 0 ? null : `${name} (entry ${receipt.entry}) does not fit the document: ${faults.join("; ")}`;
    checks.push(
      judge("receipt", draw?.id ?? null, fault, `${name} (entry ${receipt.entry}) is the room's, and fits the draw`),
    );
    const { sub, entry } = receipt;
    const entries = order?.entries ?? null;
    const place = { receipt: number, draw: receipt.draw, sub, entry, position, entries };
    places.push(place);
    if (ofNames.length === 0) ofDocument.push(place);
    if (receipt.moved) moved.add(place);
  }
  return { checks: [...checks, ...checkEntries(ofDocument, moved)], places };
}

function faultsOfNames(document: DrawDocument, receipt: Receipt): string[] {
  return [
    differs("of the issuer", receipt.iss, document.issuer),
    differs("of the room", receipt.room, document.room),
    differs("of the edition", receipt.edition, document.edition),
  ].flat();
}

function faultsOfDraw(draw: PublishedDraw, { receipt, kid }: ReadReceipt): string[] {
  const { beacon } = receipt;
  return [
    differs("signed with the key", kid, draw.receipt_key.kid),
    differs("for the commitment", receipt.commitment, draw.commitment),
    differs("for the beacon", beacon?.chain ?? "none", draw.beacon?.chain ?? "none"),
    (beacon?.round ?? null) === null ? [] : differs("for the round", beacon?.round, draw.beacon?.round ?? "not known"),
  ].flat();
}

function faultsOfEntry({ first, last, gaps }: PublishedDraw, { entry }: Receipt): string[] {
  if (first === null || last === null || faultOfNumbers({ first, last, gaps }) !== null) return [];
  const found = createEntryNumbers({ first, last, gaps }).rankOf(entry);
  if (found === null) return [`its number is not among ${first}…${last}, which took part`];
  return found.isEntry ? [] : ["its number is said to be one that nobody holds"];
}

function faultsOfPlace(draw: PublishedDraw, receipt: Receipt, position: number | null): string[] {
  if (receipt.position === undefined) return [];
  if (draw.stage !== "drawn") return ["it names a place, and the document is from before the draw: fetch it again"];
  return [
    receipt.entries === undefined
      ? []
      : differs("for this many entries:", receipt.entries, draw.entries ?? "not known"),
    position === null ? [] : differs("for the place", receipt.position, position),
  ].flat();
}

function differs(what: string, ofReceipt: unknown, ofDocument: unknown): string[] {
  return ofReceipt === ofDocument ? [] : [`it is ${what} ${ofReceipt}, and the document gives ${ofDocument}`];
}

/** An entry number is one visitor's alone, and of those to whom the place was moved after. */
function checkEntries(places: readonly FoundPlace[], moved: ReadonlySet<FoundPlace>): Check[] {
  const holders = new Map<string, FoundPlace>();
  const checks: Check[] = [];
  for (const place of [...places].sort((a, b) => Number(moved.has(a)) - Number(moved.has(b)))) {
    const { draw, entry, sub, receipt } = place;
    const other = holders.get(`${draw} ${entry}`);
    if (other === undefined) holders.set(`${draw} ${entry}`, place);
    else if (other.sub !== sub) {
      const found = `Receipts ${other.receipt} and ${receipt} give the entry number ${entry} to two visitors`;
      const isMoved = moved.has(place);
      checks.push(
        isMoved
          ? warn("entries", draw, `${found}; the place was moved to the holder of receipt ${receipt}`)
          : judge("entries", draw, found, ""),
      );
    }
  }
  return checks;
}
