import type { UsherConfig } from "../../../config/index.ts";
import {
  ask,
  checkClients,
  checkPublic,
  checkThroughSite,
  clientsAt,
  objectOf,
  pageOfSite,
} from "../../../doctor/index.ts";
import { systemClock } from "../../../lib/clock.ts";
import { type Finding, fault, ok, warning } from "../../../lib/finding.ts";
import type { ClientKeys } from "../../../lib/openid/token-request.ts";
import type { Gateway } from "../gateway.ts";
import { insiderOf } from "./insider.ts";
import { findOtherInstallation } from "./installation.ts";

export interface Trials {
  /** The admin API; null where there is no key. */
  readonly gateway: Gateway | null;
  readonly keys: ClientKeys;
  /** A page of a protected site; undefined where none is to be tried. */
  readonly site: URL | undefined;
}

/** What the running installation shows, of each issuer and of the process on this machine. */
export async function checkRunning(config: UsherConfig, { gateway, keys, site: named }: Trials): Promise<Finding[]> {
  const { issuers, admin } = config;
  const findings: Finding[] = [];
  const all = issuers.flatMap(({ clients }) => clients);
  const found = named && (await pageOfSite(named, all));
  const site = found instanceof URL ? found : undefined;
  if (found !== undefined && !(found instanceof URL)) findings.push(found);
  for (const { issuer, rooms, clients } of issuers) {
    const ids = rooms.map(({ id }) => id);
    const shown = await checkPublic(issuer, ids, () => systemClock.now());
    findings.push(...shown.findings);
    if (!shown.isUsher) continue;
    const [room] = ids;
    const other = gateway && room !== undefined ? await findOtherInstallation(gateway, issuer, room) : null;
    if (other !== null) findings.push(other);
    const own = other === null && gateway !== null ? insiderOf(gateway) : null;
    findings.push(...(await checkClients(issuer, clients, own, keys)));
    const atSite = site === undefined ? [] : clientsAt(site, clients);
    if (site !== undefined && own !== null && atSite.length > 0) {
      findings.push(...(await checkThroughSite(site, issuer, atSite, own, keys)));
    }
  }
  if (admin.listen !== null) findings.push(...(await checkReadiness(admin.listen)));
  return findings;
}

interface Listen {
  readonly host: string;
  readonly port: number;
}

/** Where this machine reaches a listener. */
export function originOf({ host, port }: Listen): string {
  const here = host === "0.0.0.0" || host === "::" ? "127.0.0.1" : host;
  return `http://${here.includes(":") ? `[${here}]` : here}:${port}`;
}

/** What a process on this machine says of itself. */
async function checkReadiness(listen: Listen): Promise<Finding[]> {
  const url = originOf(listen);
  const answer = await ask(`${url}/readyz`);
  if (typeof answer === "string") {
    return [
      warning(
        "readiness",
        `No operators' listener answers at ${url} (${answer}): run the doctor on the gateway's machine, or start it.`,
      ),
    ];
  }
  const { faults, warnings } = objectOf(answer.text);
  const found = [
    ...textsOf(faults).map((text) => fault("readiness", text)),
    ...textsOf(warnings).map((text) => warning("readiness", text)),
  ];
  return found.length > 0 ? found : [ok("readiness", `The process at ${url} is ready.`)];
}

function textsOf(value: unknown): string[] {
  return Array.isArray(value) ? value.map(String) : [];
}
