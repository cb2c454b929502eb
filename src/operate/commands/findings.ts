import type { UsherConfig } from "../../config/index.ts";
import type { Finding } from "../../lib/finding.ts";
import { CommandError, counted, jsonText, printable, type Terminal } from "./terminal.ts";

export interface StoreFindings {
  readonly faults: readonly string[];
  readonly warnings: readonly string[];
}

/** By what an installation is named in a store; null: its ticket keys are not known here. */
export interface NamedInstallation {
  readonly issuers: readonly string[];
  readonly ticketKeys: readonly string[] | null;
}

/** What commands do with the stores of a configuration, which is a matter of the gateway's own parts. */
export interface StoreTools {
  /** Asks a Redis what it must be, and whether it is this installation's: see store/redis. */
  inspect(
    store: { readonly url: string; readonly prefix: string },
    installation: NamedInstallation,
  ): Promise<StoreFindings>;
  /** Names them anew, and answers whose each was, null for nobody's: see stores.ts. */
  adopt(config: UsherConfig): Promise<readonly { readonly about: string; readonly before: readonly string[] | null }[]>;
}

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
