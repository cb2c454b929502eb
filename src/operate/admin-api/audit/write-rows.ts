import type { Context } from "koa";
import type { Role } from "../../../config/index.ts";
import { UsherError } from "../../../lib/errors.ts";
import { printableText } from "../../../lib/logger.ts";
import { bearerTokenOf } from "../../../lib/request.ts";
import type { AuditEntry, AuditLog } from "../../audit/index.ts";
import type { Principal } from "../access/principal.ts";
import { RequestNotes } from "./request-notes.ts";

/** What is said of a route in the table. */
export interface AuditedRoute {
  readonly method: string;
  /** Below `/admin`; of another interface, all of it. */
  readonly path: string;
  readonly role: Role;
  /** It has a row whatever its method. */
  readonly isSignIn?: true;
  /** Whether a request shows a key, which may be wrong; without it: a bearer token. */
  readonly showsKey?: (ctx: Context) => boolean;
}

/** Whom a row names. */
type Named = Pick<Principal, "kind" | "id" | "role" | "name">;

/** Characters of an id in a path: a stranger may send anything. */
const idLengthMax = 64;

/** Whether a request by this route may change something: a viewer changes nothing. */
export function isChanging({ method, role }: Pick<AuditedRoute, "method" | "role">): boolean {
  return method !== "GET" && role !== "viewer";
}

/**
 * Carries out a request and writes its row, whatever comes of it. Reads have none, unless somebody comes with a wrong key.
 *
 * @param carryOut is given what the row says, and sets the principal as soon as there is one
 */
export async function audited<Answer>(
  audit: Pick<AuditLog, "record">,
  ctx: Context,
  route: AuditedRoute,
  carryOut: (notes: RequestNotes, knowPrincipal: (principal: Named) => void) => Promise<Answer>,
): Promise<Answer> {
  const notes = new RequestNotes();
  let principal: Named | null = null;
  const { showsKey = ({ headers }) => bearerTokenOf(headers) !== undefined } = route;
  const isWrongKey = () => principal === null && showsKey(ctx);
  const write = async (status: number, error: string | null) => {
    if (error === null && notes.isNothingNew) return;
    const routine = notes.isRoutine ? `${principal?.kind} ${principal?.id} ${route.path} ${ctx.params.room}` : null;
    if (route.isSignIn || isChanging(route) || isWrongKey())
      await audit.record(entryOf(ctx, route, principal, notes, status, error), routine);
  };
  let answer: Answer;
  try {
    answer = await carryOut(notes, (named) => {
      principal = named;
    });
  } catch (error) {
    const usherError = error instanceof UsherError ? error : new UsherError("internal_error", "");
    await write(usherError.status, usherError.code);
    throw error;
  }
  await write(ctx.status, null);
  return answer;
}

function entryOf(
  ctx: Context,
  { method, path, isSignIn }: AuditedRoute,
  principal: Named | null,
  notes: RequestNotes,
  status: number,
  error: string | null,
): AuditEntry {
  const { room, ...others } = (method === "GET" ? {} : (ctx.params ?? {})) as Record<string, string>;
  const named = notes.room ?? room;
  const location: string | undefined = ctx.response.get("Location");
  const createdPath =
    error === null && isSignIn === undefined && location?.startsWith("/admin/") ? location.slice("/admin".length) : "";
  const subject = Object.entries({ ...others, ...(createdPath !== "" && { made: createdPath }), ...notes.subject }).map(
    ([name, id]) => [name, printableId(id)],
  );
  return {
    principal: principal && {
      kind: principal.kind,
      id: principal.id,
      ...(principal.name !== null && { name: principal.name }),
      role: principal.role,
    },
    address: ctx.state.clientAddress(),
    method,
    route: path,
    room: named === undefined ? null : printableId(named),
    subject: Object.fromEntries(subject),
    // What was refused has changed nothing.
    changes: error === null ? notes.changes : [],
    inverse: error === null ? notes.inverse : null,
    undoes: notes.undoes?.seq ?? null,
    request_id: String(ctx.state.requestId),
    status,
    error,
  };
}

function printableId(id: string): string {
  return printableText(id.slice(0, idLengthMax));
}
