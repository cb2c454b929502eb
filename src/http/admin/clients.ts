import type { Context } from "koa";
import { duration, formatTime, roomsNamed } from "../../config/index.ts";
import { isObject, mergePatch } from "../../lib/merge-patch.ts";
import type { Random } from "../../lib/random.ts";
import {
  badDocument,
  type ClientOperator,
  faultLines,
  type IssuerRegistry,
  idIsTaken,
  noSuchClient,
  readAs,
  roomsOf,
} from "../../registry/index.ts";
import { readJson } from "../middleware/read-body.ts";
import type { AddAdminRoute, AdminHandler } from "./admin-router.ts";
import { badRequest, object, validate } from "./bodies.ts";
import { clientJson } from "./clients-json.ts";
import { type ListedClient, pageOfClients } from "./clients-page.ts";
import { readLimit } from "./page.ts";
import type { VerifiedKey } from "./verified-key.ts";

const hourMs = 3_600_000;
const overlapMaxMs = 30 * 24 * hourMs;
const overlapDefaultMs = 24 * hourMs;
/** Bytes of a client with long lists. */
const maxClientLength = 262_144;
const madeIdBytes = 12;

const secretBody = object({ overlap: duration(0, overlapMaxMs).optional() });

export interface ClientRoutesOptions {
  readonly issuers: readonly IssuerRegistry[];
  readonly random: Random;
}

/** Relying parties, while the program runs: those of the file are shown, the others are made, changed and deleted here. */
export function addClientRoutes(route: AddAdminRoute, { issuers, random }: ClientRoutesOptions): void {
  /** Behind a load balancer, what was made at one process is asked for at another. */
  const clientRoute = (method: Parameters<AddAdminRoute>[0], path: string, handler: AdminHandler) =>
    route(method, `/clients${path}`, async (ctx, key) => {
      await Promise.all(issuers.map(({ registry }) => registry.refresh().catch(() => undefined)));
      return handler(ctx, key);
    });

  clientRoute("GET", "?limit&cursor", (ctx, key) => {
    const visible = allClients().filter(({ view }) => isFor(key, view));
    const { page, next } = pageOfClients(visible, readLimit(ctx), ctx.query.cursor);
    ctx.body = { clients: page.map(clientJson), next_cursor: next };
  });

  clientRoute("POST", "", async (ctx, key) => {
    const body = readObject(await readJson(ctx, maxClientLength));
    const document = { client_id: random.bytes(madeIdBytes).toString("hex"), ...readObject(mergePatch({}, body)) };
    const by = operatorOf(key);
    const home = homeOf(document, by);
    const id = String(document.client_id);
    const other = allClients().find(({ issuer, view }) => view.id === id && issuer !== home.issuer);
    if (other !== undefined) throw idIsTaken(id, other.view.source === "file");
    const secret = await home.clients.changes.create(document, by);
    ctx.status = 201;
    ctx.set("Location", `/admin/clients/${encodeURIComponent(id)}`);
    ctx.body = { ...registeredJson(id), ...(secret !== null && { client_secret: secret }) };
  });

  clientRoute("GET", "/:client", (ctx, key) => {
    const found = allClients().filter(({ view }) => view.id === ctx.params.client);
    const inForce = found.find(({ view }) => view.source === "file") ?? found[0];
    ctx.body = clientJson(requireOwn(key, inForce));
  });

  clientRoute("PATCH", "/:client", async (ctx, key) => {
    const { id, changes } = changesOf(ctx, key);
    const patch = readObject(await readJson(ctx, maxClientLength));
    await changes.patch(id, patch, operatorOf(key));
    ctx.body = registeredJson(id);
  });

  clientRoute("DELETE", "/:client", async (ctx, key) => {
    const { id, changes } = changesOf(ctx, key);
    await changes.remove(id, operatorOf(key));
    ctx.status = 204;
  });

  clientRoute("POST", "/:client/secret", async (ctx, key) => {
    const { id, changes } = changesOf(ctx, key);
    const { overlap = overlapDefaultMs } = validate(secretBody, await readJson(ctx));
    const { secret, previousExpiresMs } = await changes.rotateSecret(id, overlap, operatorOf(key));
    ctx.body = {
      client_id: id,
      client_secret: secret,
      previous_secret_expires_at: previousExpiresMs === null ? null : formatTime(previousExpiresMs),
    };
  });

  function allClients(): ListedClient[] {
    return issuers.flatMap(({ issuer, clients }) => clients.views.map((view) => ({ issuer, view })));
  }

  /** @throws UsherError `not_found`, `forbidden` */
  function changesOf(ctx: Context, key: VerifiedKey) {
    const id = String(ctx.params.client);
    const found = allClients().filter(({ view }) => view.id === id);
    const made = found.find(({ view }) => view.source === "admin_api");
    const { issuer } = requireOwn(key, made ?? found[0]);
    const home = issuers.find((each) => each.issuer === issuer);
    if (home === undefined) throw noSuchClient();
    return { id, changes: home.clients.changes };
  }

  /** After a change: whatever else happens meanwhile, its answer must not be lost. */
  function registeredJson(id: string) {
    const listed = allClients().find(({ view }) => view.id === id && view.source === "admin_api");
    return listed === undefined ? { client_id: id } : clientJson(listed);
  }

  /** The issuer that has the rooms of a new client. @throws UsherError `forbidden`, `bad_request` with all faults */
  function homeOf(document: object, by: ClientOperator): IssuerRegistry {
    by.mayUse(roomsNamed(document));
    const reading = readAs(
      by,
      document,
      issuers.map(({ place }) => place),
    );
    const home = "faults" in reading ? undefined : issuers.find(({ issuer }) => issuer === reading.issuer);
    if (home === undefined) throw badDocument(faultLines(reading));
    return home;
  }
}

function isFor(key: VerifiedKey, view: ListedClient["view"]): boolean {
  return roomsOf(view).every((room) => key.isFor(room));
}

/**
 * A key that is for some rooms only learns nothing of other clients, not even whether there are any.
 *
 * @throws UsherError `not_found`, `forbidden`
 */
function requireOwn(key: VerifiedKey, client: ListedClient | undefined): ListedClient {
  if (client !== undefined && isFor(key, client.view)) return client;
  throw key.rooms === null ? noSuchClient() : key.notFor("this client");
}

function operatorOf(key: VerifiedKey): ClientOperator {
  const mayUse = (named: readonly string[]) => {
    for (const room of named) key.requireRoom(room);
  };
  return { admin: key.id, rooms: key.rooms, mayUse };
}

/** @throws UsherError `bad_request` */
function readObject(json: unknown): Record<string, unknown> {
  if (isObject(json)) return json;
  throw badRequest([{ path: [], message: "expected an object" }]);
}
