/** How pages are chosen to say once a minute that they are open: the same for a page's script and for the server. */

/**
 * The rank of a place in the sample, in [0, 1): of all places, a share of one in 2^n has a rank below it. By multiples of the golden ratio
 * (Knuth, The Art of Computer Programming, volume 3, section 6.4), which are spread evenly however many follow each other: so each part
 * of the line has its share, and those who came together do not go together.
 */
export function sampleRank(position: number): number {
  return (position * 0.618033988749895) % 1;
}
