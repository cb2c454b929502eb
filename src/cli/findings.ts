import type { Finding } from "../doctor/index.ts";
import { CommandError, counted, jsonText, printable, type Terminal } from "./terminal.ts";

export interface StoreFindings {
  readonly faults: readonly string[];
  readonly warnings: readonly string[];
}

/** Asks a Redis what it must be: see store/redis, which is the gateway's. */
export type InspectRedis = (url: string) => Promise<StoreFindings>;

const words = { ok: "ok", warning: "WARNING", fault: "FAULT" } as const;

/** A finding as a line of a table. @param aboutWidth characters of what it is about */
export function findingLine({ about, status, text }: Finding, aboutWidth: number): string {
  return printable(`${words[status].padEnd(9)}${about.padEnd(aboutWidth)}${text}`);
}

/** Prints the findings. @throws CommandError where there is a fault */
export function report(findings: readonly Finding[], json: boolean, print: Terminal["print"]): void {
  print(json ? jsonText(findings) : findings.map((each) => findingLine(each, 16)).join("\n"));
  const faults = findings.filter(({ status }) => status === "fault").length;
  if (faults > 0) throw new CommandError(`${counted(faults, "fault")}: visitors would meet it in the sale.`);
}
