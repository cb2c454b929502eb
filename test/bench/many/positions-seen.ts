/** Looks at every position that is given out: each once, and earlier arrivals before later ones (rule 1). */
export function createPositionsSeen() {
  let isSeen = new Uint8Array(1 << 20);
  let highest = 0;
  let count = 0;
  let repeated = 0;
  let outOfOrder = 0;
  return {
    /** The highest that has been answered: to be read when a question is sent. */
    highest: () => highest,
    /** @param answeredBefore the highest that had been answered when this one was asked for: this one must be behind it */
    note(position: number, answeredBefore: number): void {
      while (position >= isSeen.length) {
        const larger = new Uint8Array(isSeen.length * 2);
        larger.set(isSeen);
        isSeen = larger;
      }
      if (isSeen[position] === 1) repeated++;
      isSeen[position] = 1;
      count++;
      if (position <= answeredBefore) outOfOrder++;
      if (position > highest) highest = position;
    },
    figures: () => ({ count, highest, repeated, out_of_order: outOfOrder }),
  };
}

export type PositionsSeen = ReturnType<typeof createPositionsSeen>;
