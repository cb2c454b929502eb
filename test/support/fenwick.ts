/** Inversions of whole numbers by a Fenwick tree (P. M. Fenwick, 1994): another way than merging, to compare with. */
export function inversionsByTree(values: readonly number[]): number {
  const most = values.reduce((max, value) => Math.max(max, value), 0);
  const tree = new Uint32Array(most + 1);
  let inversions = 0;
  for (const [seen, value] of values.entries()) {
    let upTo = 0;
    for (let i = value; i > 0; i -= i & -i) upTo += tree[i] ?? 0;
    inversions += seen - upTo;
    for (let i = value; i <= most; i += i & -i) tree[i] = (tree[i] ?? 0) + 1;
  }
  return inversions;
}
