/** A link as a picture that phones read: the same on visitors' pages and in the console. */
import encodeQR from "qr";

/** Modules of white around the code (ISO/IEC 18004, section 5.3.8). */
const quietZone = 4;

/**
 * A QR code of error correction level M as the data of one SVG path, whose lines are a module high, and how many modules it is
 * wide. Each line begins where the one before it ended, since that is written in the fewest letters.
 */
export function qrCode(text: string): { size: number; path: string } {
  const modules = encodeQR(text, "raw", { ecc: "medium", border: quietZone });
  let path = "M0 .5";
  let [penX, penY] = [0, 0];
  for (const [y, row] of modules.entries()) {
    for (let x = row.indexOf(true); x !== -1; x = row.indexOf(true, penX)) {
      const end = row.indexOf(false, x);
      path += `m${x - penX} ${y - penY}h${end - x}`;
      [penX, penY] = [end, y];
    }
  }
  return { size: modules.length, path };
}
