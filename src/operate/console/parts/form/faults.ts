/** What the gateway says is wrong with which entry of a form. */
import type { Problem } from "../../api/api.ts";

export interface Fault {
  /** As the admin API has it: `redirect_uris[0]`; empty for the whole. */
  readonly path: string;
  readonly message: string;
}

export function faultsOf(problem: Problem | null): readonly Fault[] {
  return problem?.answer?.faults ?? [];
}

/** What is said of an entry and of what is in it: of an item of a list with its number, as people count. */
export function faultsAt(faults: readonly Fault[], path: string): string[] {
  return faults
    .filter((fault) => isIn(fault.path, path))
    .map(({ path: at, message }) => {
      const inside = at.slice(path.length);
      const [, item] = /^\[(\d+)\]$/.exec(inside) ?? [];
      if (item !== undefined) return `${Number(item) + 1}: ${message}`;
      return inside === "" ? message : `${inside.replace(/^\./, "")}: ${message}`;
    });
}

/** What is said of no entry of these. */
export function faultsElsewhere(faults: readonly Fault[], paths: readonly string[]): readonly Fault[] {
  return faults.filter((fault) => !paths.some((path) => isIn(fault.path, path)));
}

function isIn(path: string, whole: string): boolean {
  return path === whole || path.startsWith(`${whole}[`) || path.startsWith(`${whole}.`);
}
