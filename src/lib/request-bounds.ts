/**
 * How much a request may say. Frameworks read targets and forms in ways that cost more than linear time (Koa's `ctx.query`
 * looks at all parameters for each of them), so nothing beyond these bounds reaches one.
 */

/** Characters of a target, path and query: relying parties put long states into it. */
export const targetLengthMax = 16_384;
/** Parameters of a query, fields of a form, members of an object. No request that is read here has half as many. */
export const pairsMax = 200;
/** Proxies that a request came through, from the last one on. */
export const hopsMax = 16;

/** Whether a query, a form or a target has more parameters than that. */
export function hasTooManyPairs(text: string): boolean {
  let at = -1;
  for (let pairs = 1; pairs <= pairsMax; pairs++) {
    at = text.indexOf("&", at + 1);
    if (at < 0) return false;
  }
  return true;
}

/** Whether a target would be read if it came. */
export function isWithinBounds(target: string): boolean {
  return target.length <= targetLengthMax && !hasTooManyPairs(target);
}
