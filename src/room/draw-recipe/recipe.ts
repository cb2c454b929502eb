/** How anybody can repeat a draw, in words; docs/draw.md says the same at more length. All hashes are SHA-256, in lower-case hex. */
export const drawRecipe: readonly string[] = [
  "commitment = SHA-256 of the lines `usher draw commitment v1`, room, edition, id and seed, with a line feed between them and none at the end.",
  "key = SHA-256 of the lines `usher draw key v1`, room, edition, id, seed, entries and the beacon's text, in the same way.",
  "The beacon's text is `none` where none was announced, `drand {chain} {round} {randomness}` where it was, and `fallback` where it could not be had in time; randomness = SHA-256 of the round's signature.",
  "entries = last - first + 1 less the numbers in gaps. The index of an entry number is number - first less the numbers in gaps below it.",
  "With a = the square root of entries, rounded up, and b = entries / a, rounded up, an index x is the pair l = floor(x / b), r = x mod b.",
  "12 rounds follow, i = 0 to 11: in even ones l = (l + T[i][r]) mod a, in odd ones r = (r + T[i][l]) mod b; then x = l * b + r. They are repeated as long as x >= entries.",
  "Table T[i] has b values below a in even rounds, a values below b in odd ones, in the order of the rounds: floor(w * m / 2^32) for each word w, m being that bound. Words are 32 bits, the first byte the highest, of SHA-256(key, block number as 32 bits) for the blocks 0, 1, …",
  "position = first + x. Numbers in gaps, which nobody holds or the organiser has voided, stand behind all entries in their order. Whoever came later stands behind these, first come, first served.",
];
