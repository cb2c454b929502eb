import { existsSync } from "node:fs";
import type { UsherConfig } from "../../../config/index.ts";
import type { NamedInstallation } from "../findings.ts";

/** By what the file's installation is named in its store. Nothing is made: where a secrets file is on another machine, its keys are unknown. */
export async function namedInstallation(config: UsherConfig): Promise<NamedInstallation> {
  const issuers = config.issuers.map(({ issuer }) => issuer);
  const areThere = config.issuers.every(({ keys, secretsFile }) => keys.tickets.length > 0 || existsSync(secretsFile));
  if (!areThere) return { issuers, ticketKeys: null };
  const { loadKeysOfIssuers } = await import("../../../config/index.ts");
  const { byIssuer } = await loadKeysOfIssuers(config);
  return { issuers, ticketKeys: [...byIssuer.values()].flatMap(({ tickets }) => tickets.map(({ kid }) => kid)) };
}
