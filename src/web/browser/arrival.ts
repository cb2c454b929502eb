/** When a visitor is let in, as times of day on their own clock. Pure functions. */
import { attempt } from "../pages/shared/wording.ts";

/** Of what is farther away the words say "hours", and the times of day would be of another day. */
const farSec = 43_200;

/** Newer than the oldest browsers that the page works in. */
interface RangeFormat {
  formatRange(fromMs: number, toMs: number): string;
}

/**
 * Says an estimate as a range such as 11:42–11:45, rounded outwards to whole minutes; "" where there is none, where it is a matter of
 * seconds or of many hours, and in browsers that write no ranges. In the visitor's zone, and needs no words of a language.
 *
 * @param locale how to write times
 */
export function createArrivalWords(locale: string): (atMs: number, wait: readonly [number, number] | null) => string {
  const range = (fromMs: number, toMs: number) => {
    const format = new Intl.DateTimeFormat(locale, { hour: "numeric", minute: "2-digit" }) as unknown as RangeFormat;
    return format.formatRange(fromMs, toMs);
  };
  return (atMs, wait) => {
    if (wait === null || wait[1] <= 60 || wait[1] > farSec) return "";
    const [from, to] = [Math.floor(atMs / 60_000 + wait[0] / 60), Math.ceil(atMs / 60_000 + wait[1] / 60)];
    return attempt(() => range(60_000 * from, 60_000 * to), "");
  };
}
