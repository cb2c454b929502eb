import { CommandError } from "../terminal.ts";
import { type Party, profileOf } from "./index.ts";

/** What a client is chosen by. */
export interface Choosable {
  readonly clientId: string;
  readonly profile: string;
}

/**
 * The client that is named, or the only one with the party's profile.
 *
 * @param where they are, such as "the file"
 * @throws CommandError
 */
export function chooseClient<Client extends Choosable>(
  clients: readonly Client[],
  party: Party,
  id: string | undefined,
  where: string,
): Client {
  const profile = profileOf(party);
  const fitting = clients.filter((client) => (id === undefined ? client.profile === profile : client.clientId === id));
  const [found, ...more] = fitting;
  if (found === undefined && id !== undefined) throw new CommandError(`no client of ${where} has the id ${id}`);
  if (found === undefined) {
    const wayOut = `add one, as in docs/relying-parties/${party}.md`;
    throw new CommandError(`no client of ${where} has the profile ${profile}: ${wayOut}`);
  }
  if (more.length > 0) {
    const ids = fitting.map(({ clientId }) => clientId).join(", ");
    throw new CommandError(`${fitting.length} clients have the profile ${profile}: choose with --client: ${ids}`);
  }
  if (found.profile === profile) return found;
  throw new CommandError(`${found.clientId} has the profile ${found.profile}, and not ${profile}: change one of them`);
}
