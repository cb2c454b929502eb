/** What tests of clients that are made at run time have in common: the admin API, and a relying party's first steps. */
import { ADMIN_KEY } from "../../support/gateway.ts";
import type { HttpClient } from "../../support/http-client.ts";
import { createRelyingParty, type RelyingParty } from "../../support/relying-party.ts";
import { createVisitor } from "../../support/visitor.ts";
import type { World } from "../world.ts";

export const roomy = { type: "max_active", max_active: 1_000 };
export const soon = { interval: 50 };
/** How long the other processes may take to hear of a change. */
export const syncedMs = 2_000;
export const callback = "https://new.example.test/callback";

export interface Client {
  client_id: string;
  client_secret: string;
  source: string;
  status: string;
  settings: Record<string, unknown>;
  secrets: { created_at: string | null; expires_at: string | null }[];
  warnings: string[];
}

/** As a load balancer would, at the gateway of its choice; every address is the issuer's. */
export function via(world: World, index: number): HttpClient {
  const { http, issuer, gateways } = world;
  const at = (url: string | URL) => String(url).replace(issuer, gateways[index]?.origin ?? "");
  return {
    ...http,
    request: (url, options) => http.request(at(url), options),
    get: (url, how) => http.get(at(url), how),
  };
}

export async function call(world: World, index: number, method: string, path: string, body?: object) {
  const key = { authorization: `Bearer ${ADMIN_KEY}` };
  const address = `${world.gateways[index]?.origin}/admin/clients${path}`;
  return world.http.request(address, { method, headers: key, ...(body !== undefined && { body }) });
}

export async function create(world: World, index: number, changes: object = {}): Promise<Client> {
  const answer = await call(world, index, "POST", "", { redirect_uris: [callback], room: "tickets", ...changes });
  if (answer.status !== 201) throw new Error(answer.body);
  return answer.json() as Client;
}

export async function listed(world: World, index = 0): Promise<string[]> {
  const { clients } = (await call(world, index, "GET", "")).json() as { clients: Client[] };
  return clients.map(({ client_id, source }) => `${client_id} ${source}`);
}

export function partyOf(
  world: World,
  index: number,
  client: Pick<Client, "client_id" | "client_secret">,
  uri = callback,
) {
  return createRelyingParty({
    http: via(world, index),
    issuer: world.issuer,
    clientId: client.client_id,
    clientSecret: client.client_secret,
    redirectUri: uri,
  });
}

/** A visitor's way to a code; answers where it ended. */
export async function arrive(world: World, index: number, party: RelyingParty) {
  const login = party.startLogin();
  const page = await createVisitor({ http: via(world, index) }).navigate(login.url, { stopAt: party.isCallback });
  return { login, page, hasCode: page.location?.searchParams.has("code") ?? false };
}

/** What the token endpoint says of a client that redeems a code which is none: of the client first. */
export async function errorOfToken(party: RelyingParty): Promise<unknown> {
  const answer = await party.redeem("no-such-code", party.startLogin());
  return (answer.json() as { error: string }).error;
}
