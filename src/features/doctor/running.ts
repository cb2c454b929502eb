import { publicAnswersOfParts, type SettingsPart, type UsherConfig } from "../../config/index.ts";
import { systemClock } from "../../lib/clock-and-random.ts";
import { type Finding, fault, ok, warning } from "../../lib/finding.ts";
import type { ClientKeys } from "../../lib/openid/token-request.ts";
import { askGateway, type Gateway, Refusal } from "../../operate/commands/gateway.ts";
import { CommandError } from "../../operate/commands/terminal.ts";
import { originOf } from "./address.ts";
import { ask, objectOf } from "./ask.ts";
import { checkPublic } from "./from-outside.ts";
import { checkClients } from "./login/clients.ts";
import { checkThroughSite, clientsAt, pageOfSite } from "./login/through-site.ts";
import { about, type Insider, Untried } from "./login/trial.ts";
import { checkPublicAnswers } from "./public-answers.ts";

export interface Trials {
  /** The admin API; null where there is no key. */
  readonly gateway: Gateway | null;
  readonly keys: ClientKeys;
  /** A page of a protected site; undefined where none is to be tried. */
  readonly site: URL | undefined;
}

/** What the running installation shows, of each issuer and of the process on this machine. */
export async function checkRunning(
  config: UsherConfig,
  { gateway, keys, site: named }: Trials,
  parts: readonly SettingsPart[] = [],
): Promise<Finding[]> {
  const { issuers, admin } = config;
  const findings: Finding[] = [];
  const all = issuers.flatMap(({ clients }) => clients);
  const found = named && (await pageOfSite(named, all));
  const site = found instanceof URL ? found : undefined;
  if (found !== undefined && !(found instanceof URL)) findings.push(found);
  for (const { issuer, rooms, clients, parts: values } of issuers) {
    const ids = rooms.map(({ id }) => id);
    const shown = await checkPublic(issuer, ids, () => systemClock.now());
    findings.push(...shown.findings);
    if (!shown.isUsher) continue;
    findings.push(...(await checkPublicAnswers(issuer, publicAnswersOfParts({ parts: values }, parts))));
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

/** What a process on this machine says of itself. */
async function checkReadiness(listen: NonNullable<UsherConfig["admin"]["listen"]>): Promise<Finding[]> {
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

/**
 * Whether an admin API is of the installation that the file is for. The current context or USHER_ADMIN may name another one, in
 * which no trial may be let in.
 *
 * @param room one of the issuer's
 * @returns what speaks against a trial; null for nothing
 */
async function findOtherInstallation(gateway: Gateway, issuer: string, room: string): Promise<Finding | null> {
  const wayOut = "name the admin API of this installation with --url or --context";
  try {
    const params = { path: { room } };
    const found = await askGateway(gateway, (api) => api.GET("/admin/rooms/{room}", { params }));
    if (found.issuer === issuer) return null;
    return fault(about, `The admin API at ${gateway.url} is of ${found.issuer}, and not of ${issuer}: ${wayOut}.`);
  } catch (error) {
    if (error instanceof Refusal && error.status === 404) {
      return fault(about, `The admin API at ${gateway.url} has no room ${room}, so it is not of ${issuer}: ${wayOut}.`);
    }
    if (!(error instanceof CommandError)) throw error;
    return warning(about, `A whole login could not be tried: ${error.message}`);
  }
}

/** The admin API, with a key that makes bypass links and ends admissions. */
export function insiderOf(gateway: Gateway): Insider {
  /** @throws Untried */
  const request: typeof askGateway = (asked, call) =>
    askGateway(asked, call).catch((error: unknown) => {
      throw error instanceof CommandError ? new Untried(error.message, { cause: error }) : error;
    });

  return {
    name: gateway.url,
    async makeLink(room) {
      const body = { note: "usher doctor" };
      const params = { path: { room } };
      const { url } = await request(gateway, (api) => api.POST("/admin/rooms/{room}/bypass", { params, body }));
      return url;
    },
    async visitorOf(room, ticket) {
      const params = { path: { room } };
      const body = { ticket };
      const { sub } = await request(gateway, (api) => api.POST("/admin/rooms/{room}/visitors/find", { params, body }));
      return sub;
    },
    async isLive(room, sub) {
      const params = { path: { room, sub } };
      const found = await request(gateway, (api) => api.GET("/admin/rooms/{room}/admissions/{sub}", { params }));
      return found.status === "live";
    },
    /** There is none where the entry was refused. */
    async endAdmission(room, sub) {
      const params = { path: { room, sub } };
      const body = { status: "completed" as const };
      try {
        await request(gateway, (api) => api.PATCH("/admin/rooms/{room}/admissions/{sub}", { params, body }));
      } catch (error) {
        const cause = error instanceof Error ? error.cause : null;
        if (!(cause instanceof Refusal && cause.status === 404)) throw error;
      }
    },
  };
}
