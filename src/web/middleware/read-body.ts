import type { Context } from "koa";
import rawBody from "raw-body";
import { formatPath, type Path } from "../../config/index.ts";
import { UsherError } from "../../lib/errors.ts";
import { hasTooManyPairs, pairsMax } from "../../lib/request.ts";
import { requireSameOrigin } from "./cross-origin.ts";

/** Bytes; a request rarely comes near it. */
const maxBodyLength = 65_536;
/** Levels of JSON. Nothing that is read here has half as many. */
const depthMax = 32;
/** Items of a list: a report names as many visitors. */
const itemsMax = 1_000;

function readText(ctx: Context, maxLength = maxBodyLength): Promise<string> {
  return bounded(ctx, maxLength, () => rawBody(ctx.req, { limit: maxLength, encoding: "utf8" }));
}

/** The body as it was sent, whatever its type. @param maxLength in bytes @throws UsherError `body_too_large`, `bad_request` */
export function readBytes(ctx: Context, maxLength: number): Promise<Buffer> {
  return bounded(ctx, maxLength, () => rawBody(ctx.req, { limit: maxLength }));
}

async function bounded<Body>(ctx: Context, maxLength: number, read: () => Promise<Body>): Promise<Body> {
  try {
    return await read();
  } catch (error) {
    // The rest is thrown away as it comes; left unread it would block the next request on the same connection.
    ctx.req.resume();
    const isTooLarge = error instanceof Error && "type" in error && error.type === "entity.too.large";
    if (isTooLarge) {
      throw new UsherError("body_too_large", `the body is larger than ${maxLength} bytes`, { cause: error });
    }
    throw new UsherError("bad_request", "the body could not be read", { cause: error });
  }
}

/** A body of plain text; "" when there is none. @param maxLength in bytes */
export async function readPlainText(ctx: Context, maxLength: number): Promise<string> {
  const text = await readText(ctx, maxLength);
  if (text !== "" && !ctx.is("text/plain")) {
    throw new UsherError("unsupported_media_type", "send the body as text/plain");
  }
  return text;
}

/** The body of a form post, as a query string. */
export async function readForm(ctx: Context): Promise<string> {
  if (!ctx.is("application/x-www-form-urlencoded")) {
    throw new UsherError("unsupported_media_type", "send the body as application/x-www-form-urlencoded");
  }
  const form = await readText(ctx);
  if (hasTooManyPairs(form)) {
    throw new UsherError("bad_request", `the form has more than ${pairsMax} fields`);
  }
  return form;
}

/** The form of a button on one of our own pages. @throws UsherError `forbidden` for any other, and as `readForm` does */
export async function readSameOriginForm(ctx: Context, issuer: string): Promise<URLSearchParams> {
  requireSameOrigin(ctx, issuer);
  return new URLSearchParams(await readForm(ctx));
}

/**
 * The parsed JSON body; `{}` when there is none.
 *
 * @param maxLength in bytes
 */
export async function readJson(ctx: Context, maxLength?: number): Promise<unknown> {
  const text = await readText(ctx, maxLength);
  if (text === "") return {};
  if (!ctx.is("application/json")) {
    throw new UsherError("unsupported_media_type", "send the body as application/json");
  }
  return parseJson(text);
}

/** A text of JSON, of which no more is read than anybody needs. @throws UsherError `bad_request` */
export function parseJson(text: string): unknown {
  const value = parse(text);
  boundJson(value);
  return value;
}

function parse(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch (cause) {
    throw new UsherError("bad_request", "the body is not valid JSON", { cause });
  }
}

/**
 * Refuses a body of which more would be said than anybody reads: each member and item that is wrong is a fault with words of its
 * own.
 *
 * @throws UsherError `bad_request`
 */
export function boundJson(value: unknown, path: Path = []): void {
  if (typeof value !== "object" || value === null) return;
  if (path.length >= depthMax) throw tooMuch([], `nested deeper than ${depthMax} levels`);
  if (Array.isArray(value)) {
    if (value.length > itemsMax) throw tooMuch(path, `expected a list of at most ${itemsMax} items`);
    for (const [index, item] of value.entries()) boundJson(item, [...path, index]);
    return;
  }
  const members = Object.entries(value);
  if (members.length > pairsMax) throw tooMuch(path, `expected an object of at most ${pairsMax} members`);
  for (const [name, member] of members) boundJson(member, [...path, name]);
}

function tooMuch(path: Path, what: string): UsherError {
  return new UsherError("bad_request", `${path.length === 0 ? "body" : formatPath(path)}: ${what}`);
}
