/**
 * How much a request may say. Frameworks read targets and forms in ways that cost more than linear time (Koa's `ctx.query`
 * looks at all parameters for each of them), so nothing beyond these bounds reaches one.
 */

/** Characters of a target, path and query: relying parties put long states into it. */
export const targetLengthMax = 16_384;
/** Parameters of a query or a form. No request of a protocol that is spoken here has more than thirty. */
export const pairsMax = 200;

/** Whether a query, a form or a target has more parameters than that. */
export function hasTooManyPairs(text: string): boolean {
  let at = -1;
  for (let pairs = 1; pairs <= pairsMax; pairs++) {
    at = text.indexOf("&", at + 1);
    if (at < 0) return false;
  }
  return true;
}
