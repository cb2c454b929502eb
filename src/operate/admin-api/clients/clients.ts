import { z } from "zod";
import { clientHere, roomsNamed } from "../../../config/index.ts";
import type { Random } from "../../../lib/clock-and-random.ts";
import { mergePatch } from "../../../lib/json.ts";
import {
  badDocument,
  faultsOf,
  type IssuerRegistry,
  idIsTaken,
  noSuchClient,
  readAs,
  refreshAll,
  roomsOf,
} from "../../../registry/index.ts";
import { inverseOf } from "../../audit/index.ts";
import type { Principal } from "../access/principal.ts";
import { type AdminRequest, type AdminRoute, routesAbout } from "../admin-router.ts";
import {
  anyObject,
  nextCursor,
  nothing,
  object,
  opaqueCursor,
  pageSize,
  patchOf,
  rotation,
  timeOrNone,
  timeOrNull,
  wrongCursor,
} from "../bodies.ts";
import { clientAnswer, clientJson, type ListedClient } from "./clients-json.ts";

/** Bytes of a client with long lists. */
const clientLengthMax = 262_144;
const idBytes = 12;

const listQuery = object({ limit: pageSize, cursor: opaqueCursor });

const newClient = object({ ...clientHere.shape, client_id: clientHere.shape.client_id.optional() });
const clientPatch = patchOf(clientHere);

/** Of one that was changed: its id alone, where it was removed meanwhile. */
const changedClient = clientAnswer.partial().required({ client_id: true });
/** Its secret is shown this once; a client without one has none. */
const createdClient = changedClient.extend({ client_secret: z.string().optional() });
const createdSecret = z.object({
  client_id: z.string(),
  client_secret: z.string(),
  previous_secret_expires_at: timeOrNone,
});

export interface ClientRoutesOptions {
  readonly issuers: readonly IssuerRegistry[];
  readonly random: Random;
}

/** Relying parties, while the program runs: those of the file are shown, the others are made, changed and deleted here. */
export function clientRoutes({ issuers, random }: ClientRoutesOptions): AdminRoute[] {
  // Behind a load balancer, what was made at one process is asked for at another.
  const onAll = routesAbout("/clients", () => refreshAll(issuers));
  const toShow = routesAbout("/clients/:client", (ctx, principal) => findListed("file", ctx.params.client, principal));
  const toChange = routesAbout("/clients/:client", (ctx, principal) =>
    findListed("admin_api", ctx.params.client, principal),
  );

  /** A principal for some rooms has the clients that are for no others. */
  const terms = { tag: "Clients", role: "admin", reach: "own" } as const;

  return [
    onAll(
      "GET",
      "",
      {
        summary: "Lists clients, those of the file and those made at run time, sorted by id.",
        ...terms,
        query: listQuery,
        answers: z.object({ clients: z.array(clientAnswer), next_cursor: nextCursor }),
      },
      ({ principal, query }) => {
        const { page, next_cursor } = pageOfClients(
          allClients().filter(({ view }) => isFor(principal, view)),
          query,
        );
        return { clients: page.map(clientJson), next_cursor };
      },
    ),
    onAll(
      "POST",
      "",
      {
        summary: "Makes a client, and shows its secret this once.",
        ...terms,
        body: anyObject,
        describedBody: newClient,
        bodyMax: clientLengthMax,
        status: 201,
        answers: createdClient,
        errors: ["conflict"],
      },
      createClient,
    ),
    toShow("GET", "", { summary: "Shows a client.", ...terms, answers: clientAnswer }, ({ subject: client }) =>
      clientJson(client),
    ),
    toChange(
      "PATCH",
      "",
      {
        summary: "Changes a client made at run time, by a merge patch (RFC 7396).",
        ...terms,
        body: anyObject,
        describedBody: clientPatch,
        bodyMax: clientLengthMax,
        answers: changedClient,
        errors: ["conflict"],
      },
      async ({ subject: { home, view }, principal, body, notes }) => {
        const before = documentOf(home, view.id);
        notes.changing(before);
        await home.clients.changes.patch(view.id, body, principal);
        const after = documentOf(home, view.id);
        const path = `/clients/${encodeURIComponent(view.id)}`;
        notes.changed(before, after, { method: "PATCH", path, body: inverseOf(before, after) });
        return registeredJson(home, view.id);
      },
    ),
    toChange(
      "DELETE",
      "",
      { summary: "Deletes a client made at run time.", ...terms, status: 204, answers: nothing, errors: ["conflict"] },
      async ({ subject: { home, view }, principal, notes }) => {
        notes.removed(documentOf(home, view.id));
        await home.clients.changes.remove(view.id, principal);
      },
    ),
    toChange(
      "POST",
      "/secret",
      {
        summary: "Gives a client made at run time a new secret; the one before works on for `overlap`.",
        ...terms,
        body: rotation,
        answers: createdSecret,
        errors: ["conflict"],
      },
      async ({ subject: { home, view }, principal, body: { overlap } }) => {
        const { secret, previousExpiresMs } = await home.clients.changes.rotateSecret(view.id, overlap, principal);
        const previous_secret_expires_at = timeOrNull(previousExpiresMs);
        return { client_id: view.id, client_secret: secret, previous_secret_expires_at };
      },
    ),
  ];

  function allClients(): ListedClient[] {
    return issuers.flatMap((home) => home.clients.views.map((view) => ({ home, view })));
  }

  /**
   * One for some rooms only learns nothing of other clients, not even whether there are any.
   *
   * @param source of the one that is meant, where the file and the admin API have clients of the same id
   * @throws UsherError `not_found`, `forbidden`
   */
  async function findListed(source: "file" | "admin_api", id: string, principal: Principal): Promise<ListedClient> {
    await refreshAll(issuers);
    const found = allClients().filter(({ view }) => view.id === id);
    const client = found.find(({ view }) => view.source === source) ?? found[0];
    if (client !== undefined && isFor(principal, client.view)) return client;
    throw principal.rooms === null ? noSuchClient() : principal.notFor("this client");
  }

  async function createClient({ ctx, principal, notes, body }: AdminRequest<void, unknown, Record<string, unknown>>) {
    const generated = { client_id: random.bytes(idBytes).toString("hex") };
    const document = { ...generated, ...(mergePatch({}, body) as Record<string, unknown>) };
    const home = homeOf(document, principal);
    const id = String(document.client_id);
    const other = allClients().find(({ home: { issuer }, view }) => view.id === id && issuer !== home.issuer);
    if (other !== undefined) throw idIsTaken(id, other.view.source === "file");
    const secret = await home.clients.changes.create(document, principal);
    notes.created(documentOf(home, id));
    ctx.set("Location", `/admin/clients/${encodeURIComponent(id)}`);
    return { ...registeredJson(home, id), ...(secret !== null && { client_secret: secret }) };
  }

  /** The issuer that has the rooms of a new client. @throws UsherError `forbidden`, `bad_request` with all faults */
  function homeOf(document: object, principal: Principal): IssuerRegistry {
    principal.requireRooms(roomsNamed(document));
    const places = issuers.map(({ place }) => place);
    const reading = readAs(principal, document, places);
    const home = "faults" in reading ? undefined : issuers.find(({ issuer }) => issuer === reading.issuer);
    if (home === undefined) throw badDocument(faultsOf(reading));
    return home;
  }
}

function documentOf(home: IssuerRegistry, id: string): object {
  const view = home.clients.views.find((candidate) => candidate.id === id && candidate.source === "admin_api");
  return view?.source === "admin_api" ? view.registered.document : {};
}

/** After a change: whatever else happens meanwhile, its answer must not be lost. */
function registeredJson(home: IssuerRegistry, id: string) {
  const view = home.clients.views.find((candidate) => candidate.id === id && candidate.source === "admin_api");
  return view === undefined ? { client_id: id } : clientJson({ home, view });
}

function isFor(principal: Principal, view: ListedClient["view"]): boolean {
  return roomsOf(view).every((room) => principal.isFor(room));
}

/** Sorted by id. The cursor says after which one a page begins, so that others may come and go between two pages. */
function pageOfClients(clients: readonly ListedClient[], { limit, cursor }: z.output<typeof listQuery>) {
  const after = cursor === undefined ? "" : readCursor(cursor);
  // Ids have no spaces and nothing that sorts before one.
  const rest = clients
    .map((client) => ({ client, place: `${client.view.id} ${client.view.source} ${client.home.issuer}` }))
    .filter(({ place }) => place > after)
    .sort((a, b) => (a.place < b.place ? -1 : 1));
  const page = rest.slice(0, limit);
  const last = page.at(-1);
  const isEnd = last === undefined || page.length === rest.length;
  const next_cursor = isEnd ? null : Buffer.from(last.place).toString("base64url");
  return { page: page.map(({ client }) => client), next_cursor };
}

function readCursor(cursor: unknown): string {
  const place = Buffer.from(String(cursor), "base64url").toString();
  if (/^[\x21-\x7e]+ [a-z_]+ \S+$/.test(place)) return place;
  throw wrongCursor();
}
