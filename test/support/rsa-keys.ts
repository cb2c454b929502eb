import { createPrivateKey, generatePrimeSync, type KeyObject } from "node:crypto";

const exponent = 65_537n;
/** Enough for 45 keys. */
const primesMax = 10;
const primes: bigint[] = [];
let pairs: [first: number, second: number][] = [];

/**
 * A private RSA key of 2048 bits, another one each time, up to 45. Those of a process share a few primes, which are found once: to find the
 * primes of each takes a fifth of a second. So they keep nothing secret, and sign as any other.
 */
export function nextRsaKey(): KeyObject {
  if (pairs.length === 0) pairs = everyPair();
  const [first, second] = pairs.shift() as [number, number];
  return keyOf(primeAt(first), primeAt(second));
}

/** As `nextRsaKey`, written as PEM. */
export function nextRsaPem(): string {
  return nextRsaKey().export({ type: "pkcs8", format: "pem" }).toString();
}

/** Those of the first primes first. */
function everyPair() {
  return Array.from({ length: primesMax }, (_, second) =>
    Array.from({ length: second }, (_, first): [number, number] => [first, second]),
  ).flat();
}

function primeAt(index: number): bigint {
  while (primes.length <= index) {
    const prime = generatePrimeSync(1_024, { bigint: true });
    if (prime % exponent !== 1n && !primes.includes(prime)) primes.push(prime);
  }
  return primes[index] as bigint;
}

/** RFC 8017, section 3.2. */
function keyOf(p: bigint, q: bigint): KeyObject {
  const d = inverse(exponent, (p - 1n) * (q - 1n));
  const numbers = { n: p * q, e: exponent, d, p, q, dp: d % (p - 1n), dq: d % (q - 1n), qi: inverse(q, p) };
  const jwk = Object.fromEntries(Object.entries(numbers).map(([name, number]) => [name, base64url(number)]));
  return createPrivateKey({ key: { kty: "RSA", ...jwk }, format: "jwk" });
}

function base64url(number: bigint): string {
  const hex = number.toString(16);
  return Buffer.from(hex.padStart(hex.length + (hex.length % 2), "0"), "hex").toString("base64url");
}

/** By Euclid's extended algorithm. */
function inverse(number: bigint, modulus: bigint): bigint {
  let [old, rest, oldFactor, factor] = [modulus, number, 0n, 1n];
  while (rest !== 0n) {
    const quotient = old / rest;
    [old, rest] = [rest, old - quotient * rest];
    [oldFactor, factor] = [factor, oldFactor - quotient * factor];
  }
  return ((oldFactor % modulus) + modulus) % modulus;
}
