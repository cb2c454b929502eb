import type { Finding } from "../lib/finding.ts";
import { checkAddress } from "./address.ts";
import { checkFromOutside } from "./from-outside.ts";

/** What everybody meets at an issuer's address, and whether it is Usher that answers there: only then are its clients worth a trial. */
export async function checkPublic(
  issuer: string,
  rooms: readonly string[],
  nowMs: () => number,
): Promise<{ readonly findings: readonly Finding[]; readonly isUsher: boolean }> {
  const address = await checkAddress(issuer, nowMs());
  if (address.some(({ status }) => status === "fault")) return { findings: address, isUsher: false };
  const findings = await checkFromOutside(issuer, rooms, nowMs);
  const isUsher = findings.some(({ about, status }) => about === "discovery" && status === "ok");
  return { findings: [...address, ...findings], isUsher };
}
