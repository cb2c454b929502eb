/** A shared document travels as a whole, and scripts hold up everybody else while they write it. */
export const documentBytesMax = 4 * 1024 * 1024;

/** @throws TypeError when the text is more than a store of shared documents takes. */
export function checkDocumentText(name: string, text: string): void {
  const bytes = Buffer.byteLength(text);
  if (bytes <= documentBytesMax) return;
  throw new TypeError(`the document ${name} has ${bytes} bytes; at most ${documentBytesMax} can be shared`);
}
