/** Two brands on one port of this machine, told apart by the host: `localhost` and `127.0.0.1`. */
import { afterAll, beforeAll } from "vitest";
import { type Admin, createAdmin } from "../../support/admin.ts";
import { type Gateway, startGateway } from "../../support/gateway.ts";
import { createHttpClient, type HttpClient } from "../../support/http-client.ts";
import { type Nginx, startNginx } from "../../support/nginx.ts";
import { freePort, freePorts } from "../../support/ports.ts";
import { createRelyingParty, type RelyingParty } from "../../support/relying-party.ts";
import { createVisitor, type Visitor } from "../../support/visitor.ts";
import { clientId, clientSecret, loggedOutUri, redirectUri, type StoreUnderTest } from "../world.ts";

export interface Brand {
  readonly issuer: string;
  /** Of its only room. */
  readonly room: string;
  readonly admin: Admin;
  readonly site: RelyingParty;
}

export interface BrandsWorld {
  readonly http: HttpClient;
  readonly one: Brand;
  readonly two: Brand;
  readonly config: Record<string, unknown>;
  readonly gateways: readonly Gateway[];
  visitor(): Visitor;
}

const rooms = { one: "tickets-one", two: "tickets-two" };

/** @param gateways how many; several stand behind nginx */
export function useBrands(store: StoreUnderTest, gateways: number): () => BrandsWorld {
  let world: BrandsWorld | undefined;
  const ends: (() => Promise<void> | void)[] = [];

  beforeAll(async () => {
    const started = await store.start();
    ends.unshift(() => started.stop());
    const ports = await freePorts(gateways);
    const port = gateways === 1 ? (ports[0] ?? 0) : await freePort();
    const issuerOf = { one: `http://localhost:${port}`, two: `http://127.0.0.1:${port}` };
    const config = {
      store: started.config,
      issuers: [describeIssuer(issuerOf.one, rooms.one), describeIssuer(issuerOf.two, rooms.two)],
    };
    const running: Gateway[] = [];
    for (const each of ports) {
      const secretsFile = running[0] && { secretsFile: running[0].secretsFile };
      const gateway = await startGateway({ config, port: each, ...secretsFile });
      running.push(gateway);
      ends.unshift(() => gateway.stop());
    }
    if (gateways > 1) {
      const nginx: Nginx = await startNginx({ upstreamPorts: ports, port });
      ends.unshift(() => nginx.stop());
    }
    const http = createHttpClient();
    ends.unshift(() => http.close());
    const brandAt = (issuer: string, room: string): Brand => {
      const client = { clientId: clientId(room), clientSecret: clientSecret(room), redirectUri: redirectUri(room) };
      return { issuer, room, admin: createAdmin(http, issuer), site: createRelyingParty({ http, issuer, ...client }) };
    };
    world = {
      http,
      one: brandAt(issuerOf.one, rooms.one),
      two: brandAt(issuerOf.two, rooms.two),
      config,
      gateways: running,
      visitor: () => createVisitor({ http }),
    };
  });
  afterAll(async () => {
    for (const end of ends) await end();
  });

  return () => {
    if (world === undefined) throw new Error("the world has not been started");
    return world;
  };
}

function describeIssuer(issuer: string, room: string) {
  return {
    issuer,
    rooms: [
      { id: room, title: `The room ${room}`, inlet: { type: "manual" }, targets: [`https://${room}.example.test/*`] },
    ],
    clients: [
      {
        client_id: clientId(room),
        client_secret: clientSecret(room),
        redirect_uris: [redirectUri(room)],
        post_logout_redirect_uris: [loggedOutUri(room)],
        room,
        refresh_tokens: true,
      },
    ],
  };
}
