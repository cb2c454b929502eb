/**
 * What the end-to-end tests act in: real gateways on a store, rooms and one relying party for each room, an
 * operator, visitors. Each test uses rooms of its own, so that positions in it are its own.
 */
import { afterAll, beforeAll } from "vitest";
import { type Admin, createAdmin } from "../support/admin.ts";
import { type Gateway, type GatewayConfig, type ProcessGateway, startGateways } from "../support/gateway.ts";
import { createHttpClient, type HttpClient } from "../support/http-client.ts";
import { createRelyingParty, type RelyingParty } from "../support/relying-party.ts";
import { createVisitor, type Visitor, type VisitorOptions } from "../support/visitor.ts";

/** Where the gateways keep their state. */
export interface StoreUnderTest {
  readonly name: string;
  start(): Promise<{ config: Record<string, unknown>; stop(): Promise<void> }>;
}

export const memoryStore: StoreUnderTest = {
  name: "memory store",
  start: async () => ({ config: { type: "memory" }, stop: async () => {} }),
};

export interface RoomUnderTest {
  id: string;
  inlet?: Record<string, unknown>;
  admission?: Record<string, unknown>;
  /** Laid over the room's other settings: schedule, max_waiting, … */
  settings?: Record<string, unknown>;
  /** Laid over the room's client. */
  client?: Record<string, unknown>;
}

export interface WorldOptions {
  store: StoreUnderTest;
  rooms: readonly RoomUnderTest[];
  gateways?: number;
  /** Theirs; default: free ones. */
  ports?: readonly number[];
  /** Public address; default: that of the first gateway. */
  issuer?: string;
  /** PEM of the authority that the visitors trust. */
  ca?: string;
  /** Laid over the configuration file. */
  config?: Partial<GatewayConfig>;
  env?: Record<string, string>;
  /** The gateways are processes of their own; see `GatewayOptions`. */
  asProcess?: boolean;
}

export interface ProcessWorldOptions extends WorldOptions {
  asProcess: true;
}

export interface World<G extends Gateway = Gateway> {
  readonly issuer: string;
  readonly http: HttpClient;
  readonly admin: Admin;
  readonly gateways: readonly G[];
  /** The relying party that is registered for a room, or a changed copy of it. */
  relyingParty(room: string, changes?: { authentication?: "basic" | "post" }): RelyingParty;
  visitor(options?: Partial<VisitorOptions>): Visitor;
  stop(): Promise<void>;
}

export const clientId = (room: string) => `site-${room}`;
export const clientSecret = (room: string) => `secret-of-the-site-${room}-0123456789`;
export const redirectUri = (room: string) => `https://${room}.example.test/callback`;
export const loggedOutUri = (room: string) => `https://${room}.example.test/goodbye`;
/** With a query, to see that it is used as it is. */
export const initiateLoginUri = (room: string) => `https://${room}.example.test/start?from=queue&x=%20y`;

export type ProcessWorld = World<ProcessGateway>;

export function startWorld(options: ProcessWorldOptions): Promise<ProcessWorld>;
export function startWorld(options: WorldOptions): Promise<World>;
export async function startWorld(options: WorldOptions): Promise<World> {
  const store = await options.store.start();
  const http = createHttpClient(options.ca === undefined ? {} : { ca: options.ca });
  const config: GatewayConfig = {
    store: store.config,
    rooms: options.rooms.map(({ id, inlet, admission, settings }) => ({
      id,
      title: `The room ${id}`,
      inlet: inlet ?? { type: "manual" },
      ...(admission && { admission }),
      ...settings,
    })),
    clients: options.rooms.map(describeClient),
    ...(options.issuer === undefined ? {} : { issuer: options.issuer }),
    ...options.config,
  };
  const shared = { config, asProcess: options.asProcess ?? false, ...(options.env && { env: options.env }) };
  const gateways = await startGateways(options.gateways ?? 1, shared, options.ports).catch(async (error: unknown) => {
    await store.stop();
    throw error;
  });
  const [first] = gateways;
  if (first === undefined) throw new Error("a world needs a gateway");
  const { issuer } = first;

  return {
    issuer,
    http,
    admin: createAdmin(http, first.operatorsOrigin),
    gateways,
    relyingParty: (room, changes = {}) =>
      createRelyingParty({
        http,
        issuer,
        clientId: clientId(room),
        clientSecret: clientSecret(room),
        redirectUri: redirectUri(room),
        ...changes,
      }),
    visitor: (given = {}) => createVisitor({ http, ...given }),
    async stop() {
      http.close();
      await Promise.all(gateways.map((gateway) => gateway.stop()));
      await store.stop();
    },
  };
}

function describeClient({ id, client }: RoomUnderTest): Record<string, unknown> {
  return {
    client_id: clientId(id),
    client_secret: clientSecret(id),
    redirect_uris: [redirectUri(id)],
    post_logout_redirect_uris: [loggedOutUri(id)],
    room: id,
    initiate_login_uri: initiateLoginUri(id),
    ...client,
  };
}

/** Starts a world before the tests of a `describe` and ends it after them. */
export function useWorld(prepare: () => ProcessWorldOptions | Promise<ProcessWorldOptions>): () => ProcessWorld;
export function useWorld(prepare: () => WorldOptions | Promise<WorldOptions>): () => World;
export function useWorld(prepare: () => WorldOptions | Promise<WorldOptions>): () => World {
  let world: World | undefined;
  beforeAll(async () => {
    world = await startWorld(await prepare());
  });
  afterAll(() => world?.stop());
  return () => {
    if (world === undefined) throw new Error("the world has not been started");
    return world;
  };
}
