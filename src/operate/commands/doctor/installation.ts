import { aboutWholeLogin as about } from "../../../doctor/index.ts";
import { type Finding, fault, warning } from "../../../lib/finding.ts";
import { askGateway, type Gateway, Refusal } from "../gateway.ts";
import { CommandError } from "../terminal.ts";

const wayOut = "name the admin API of this installation with --url or --context";

/**
 * Whether an admin API is of the installation that the file is for. The current context or USHER_ADMIN may name another one, in
 * which no trial may be let in.
 *
 * @param room one of the issuer's
 * @returns what speaks against a trial; null for nothing
 */
export async function findOtherInstallation(gateway: Gateway, issuer: string, room: string): Promise<Finding | null> {
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
