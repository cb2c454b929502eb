/**
 * For files of which a few tests run with all others, and the rest take long: all stand in `NAME.test.ts`, and `NAME.long.test.ts`
 * has a line that imports it. Each then registers its own.
 */
import { describe, expect, test as vitestTest } from "vitest";

type Test = typeof vitestTest;
type Describe = typeof describe;

const isLongFile = () => expect.getState().testPath?.endsWith(".long.test.ts") === true;

const leaveOut = () => undefined;
const leftOut = Object.assign(leaveOut, { each: () => leaveOut, for: () => leaveOut });

/** Which it is turns out when it is called: files that share a process share this module. */
function registering<Register extends Test | Describe>(register: Register, isLong: boolean): Register {
  const here = () => (isLongFile() === isLong ? register : leftOut) as unknown as Test;
  const later = (...described: Parameters<Test>) => here()(...described);
  const tables = {
    each: (...table: unknown[]) => (here().each as (...of: unknown[]) => unknown)(...table),
    for: (...table: unknown[]) => (here().for as (...of: unknown[]) => unknown)(...table),
  };
  return Object.assign(later, tables) as unknown as Register;
}

/** Of what runs with all other tests. */
export const test = registering(vitestTest, false);
/** Of what takes long. */
export const long = registering(vitestTest, true);
/** The same of what has only those: nothing is set up for it at the other time, and vitest fails where it finds nothing. */
export const describeQuick = registering(describe, false);
export const describeLong = registering(describe, true);
