/**
 * How far counts lie from what they should be on average, in standard deviations of the chi-square distribution that they have
 * where nothing favours anybody (its normal approximation). Above some 5 by chance once in a million.
 */
export function deviationOf(counts: readonly number[], expected: number, degreesOfFreedom: number): number {
  const statistic = counts.reduce((sum, count) => sum + (count - expected) ** 2 / expected, 0);
  return (statistic - degreesOfFreedom) / Math.sqrt(2 * degreesOfFreedom);
}
