import type { Context } from "koa";
import { UsherError } from "../../../lib/errors.ts";
import type { IssuerRegistry } from "../../../registry/index.ts";
import type { AuditLine } from "../../audit/index.ts";
import type { Principal } from "../access/principal.ts";
import { type AdminRoute, requireGrant } from "../admin-router.ts";
import type { RequestNotes } from "./request-notes.ts";

export interface Undoing {
  readonly ctx: Context;
  readonly principal: Principal;
  readonly notes: RequestNotes;
  readonly table: readonly AdminRoute[];
  readonly issuers: readonly Pick<IssuerRegistry, "clients" | "rooms">[];
}

/**
 * Carries out the request that leads back, as if the principal had sent it: by its route, with the role and rooms that it takes, and
 * only where nothing else has changed the same members since.
 *
 * @throws UsherError `conflict` that says why not, and what the route throws
 */
export async function undoRow(line: AuditLine, { ctx, principal, notes, table, issuers }: Undoing): Promise<void> {
  if (line.kind !== "request")
    throw new UsherError("conflict", "this row tells of the audit itself: there is nothing to undo");
  const { inverse, seq, error, status } = line;
  if (error !== null) {
    const end = status < 500 ? "was refused" : "failed";
    throw new UsherError("conflict", `row ${seq} ${end} (${error}): there is nothing to undo`);
  }
  if (inverse === null) throw new UsherError("conflict", whyNot(line));
  const found = routeOf(table, inverse.method, inverse.path);
  if (found === null) throw new TypeError(`no route carries out ${inverse.method} ${inverse.path}`);
  const { route, params } = found;
  const again = createdSince(params, Date.parse(line.at), issuers);
  if (again !== null)
    throw new UsherError("conflict", `row ${seq} is about ${again} that is no more: it was made anew since`);
  requireGrant(principal, route, params);
  notes.undoes = { seq: line.seq, changes: line.changes };
  ctx.params = params;
  await route.answer(ctx, principal, notes, inverse.body ?? {});
}

/** A client or room that was made at run time since then: what was done before was done to another one of its id. */
function createdSince(
  { client, room }: Readonly<Record<string, string>>,
  atMs: number,
  issuers: Undoing["issuers"],
): string | null {
  const isNewer =
    (id: string | undefined) => (view: { readonly id: string; readonly registered: { readonly created_ms: number } }) =>
      view.id === id && view.registered.created_ms > atMs;
  for (const { clients, rooms } of issuers) {
    const created = clients.views.flatMap((view) => (view.source === "admin_api" ? [view] : []));
    if (created.some(isNewer(client))) return `a client ${client}`;
    if (rooms.registered.some(isNewer(room))) return `a room ${room}`;
  }
  return null;
}

function whyNot({ method, route }: { method: string; route: string }): string {
  const steps =
    "and pause, resume, open, idle, prequeue, end, passthrough, alarm and stock where they changed something";
  return `${method} /admin${route} left no way back: those that can be undone are changes of settings and clients, ${steps}`;
}

/** The first route that the path fits, as in the router. */
function routeOf(table: readonly AdminRoute[], method: string, path: string) {
  const parts = path.split("/");
  for (const route of table) {
    const names = route.path.split("/");
    const fits = names.every((name, index) => name.startsWith(":") || name === parts[index]);
    if (route.method !== method || names.length !== parts.length || !fits) continue;
    const params = names.flatMap((name, index) =>
      name.startsWith(":") ? [[name.slice(1), decodeURIComponent(parts[index] ?? "")]] : [],
    );
    return { route, params: Object.fromEntries(params) as Record<string, string> };
  }
  return null;
}
