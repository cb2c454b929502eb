/**
 * CRC-32 of two byte strings in a row from the CRC-32 of each, as zlib's `crc32_combine_gen` and
 * `crc32_combine_op` do it: polynomials over GF(2) modulo the CRC's own, bits reflected.
 */

const POLYNOMIAL = 0xedb88320;
/** x^0; the highest bit is the lowest power. */
const ONE = 0x80000000;

/** a · b modulo the polynomial. */
function multiply(a: number, b: number): number {
  let product = 0;
  let factor = b;
  for (let bit = ONE; bit !== 0; bit >>>= 1) {
    if (a & bit) product ^= factor;
    factor = factor & 1 ? (factor >>> 1) ^ POLYNOMIAL : factor >>> 1;
  }
  return product >>> 0;
}

/** The operator "followed by `byteCount` bytes": x^(8 · byteCount). Made once per constant piece. */
export function crc32Shift(byteCount: number): number {
  let operator = ONE;
  // x^8, then squared for each binary digit of the count.
  let power = ONE >>> 8;
  for (let rest = byteCount; rest > 0; rest = Math.floor(rest / 2)) {
    if (rest % 2 === 1) operator = multiply(power, operator);
    power = multiply(power, power);
  }
  return operator;
}

/** CRC-32 of A followed by B. `shiftOfB` is `crc32Shift` of B's length. */
export function crc32Combine(crcOfA: number, crcOfB: number, shiftOfB: number): number {
  return (multiply(shiftOfB, crcOfA) ^ crcOfB) >>> 0;
}
