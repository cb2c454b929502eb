import type Router from "@koa/router";
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
import { readJson } from "../read-body.ts";
import { adminKeyOf, requireScope } from "./authentication.ts";
import { badRequest, object, validate } from "./bodies.ts";
import { clientJson } from "./clients-json.ts";
import { type ListedClient, pageOfClients } from "./clients-page.ts";
import { readLimit } from "./page.ts";

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
export function addClientRoutes(router: Router, { issuers, random }: ClientRoutesOptions): void {
  // Behind a load balancer, what was made at one process is asked for at another.
  router.use("/clients", async (_ctx, next) => {
    await Promise.all(issuers.map(({ registry }) => registry.refresh().catch(() => undefined)));
    return next();
  });

  router.get("/clients", (ctx) => {
    const { rooms: scope } = adminKeyOf(ctx);
    const isVisible = (room: string) => scope === null || scope.includes(room);
    const visible = allClients().filter(({ view }) => roomsOf(view).every(isVisible));
    const { page, next } = pageOfClients(visible, readLimit(ctx), ctx.query.cursor);
    ctx.body = { clients: page.map(clientJson), next_cursor: next };
  });

  router.post("/clients", async (ctx) => {
    const body = readObject(await readJson(ctx, maxClientLength));
    const document = { client_id: random.bytes(madeIdBytes).toString("hex"), ...readObject(mergePatch({}, body)) };
    const by = operatorOf(ctx);
    const home = homeOf(document, by);
    const id = String(document.client_id);
    const other = allClients().find(({ issuer, view }) => view.id === id && issuer !== home.issuer);
    if (other !== undefined) throw idIsTaken(id, other.view.source === "file");
    const secret = await home.clients.changes.create(document, by);
    ctx.status = 201;
    ctx.set("Location", `/admin/clients/${encodeURIComponent(id)}`);
    ctx.body = { ...registeredJson(id), ...(secret !== null && { client_secret: secret }) };
  });

  router.get("/clients/:client", (ctx) => {
    const found = allClients().filter(({ view }) => view.id === ctx.params.client);
    const inForce = found.find(({ view }) => view.source === "file") ?? found[0];
    if (inForce === undefined) throw noSuchClient();
    for (const room of roomsOf(inForce.view)) requireScope(ctx, room);
    ctx.body = clientJson(inForce);
  });

  router.patch("/clients/:client", async (ctx) => {
    const { id, changes } = changesOf(ctx);
    const patch = readObject(await readJson(ctx, maxClientLength));
    await changes.patch(id, patch, operatorOf(ctx));
    ctx.body = registeredJson(id);
  });

  router.delete("/clients/:client", async (ctx) => {
    const { id, changes } = changesOf(ctx);
    await changes.remove(id, operatorOf(ctx));
    ctx.status = 204;
  });

  router.post("/clients/:client/secret", async (ctx) => {
    const { id, changes } = changesOf(ctx);
    const { overlap = overlapDefaultMs } = validate(secretBody, await readJson(ctx));
    const { secret, previousExpiresMs } = await changes.rotateSecret(id, overlap, operatorOf(ctx));
    ctx.body = {
      client_id: id,
      client_secret: secret,
      previous_secret_expires_at: previousExpiresMs === null ? null : formatTime(previousExpiresMs),
    };
  });

  function allClients(): ListedClient[] {
    return issuers.flatMap(({ issuer, clients }) => clients.views.map((view) => ({ issuer, view })));
  }

  /** @throws UsherError `not_found` */
  function changesOf(ctx: Context) {
    const id = String(ctx.params.client);
    const home = issuerWith(id, "admin_api") ?? issuerWith(id, "file");
    if (home === undefined) throw noSuchClient();
    return { id, changes: home.clients.changes };
  }

  function issuerWith(id: string, source: "file" | "admin_api"): IssuerRegistry | undefined {
    return issuers.find(({ clients }) => clients.views.some((view) => view.id === id && view.source === source));
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
      issuers.map(({ config }) => config),
    );
    const home = "faults" in reading ? undefined : issuers.find(({ issuer }) => issuer === reading.issuer);
    if (home === undefined) throw badDocument(faultLines(reading));
    return home;
  }
}

function operatorOf(ctx: Context): ClientOperator {
  const { id, rooms } = adminKeyOf(ctx);
  const mayUse = (named: readonly string[]) => {
    for (const room of named) requireScope(ctx, room);
  };
  return { admin: id, rooms, mayUse };
}

/** @throws UsherError `bad_request` */
function readObject(json: unknown): Record<string, unknown> {
  if (isObject(json)) return json;
  throw badRequest([{ path: [], message: "expected an object" }]);
}
