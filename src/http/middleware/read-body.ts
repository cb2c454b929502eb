import type { Context } from "koa";
import rawBody from "raw-body";
import { UsherError } from "../../lib/errors.ts";
import { hasTooManyPairs, pairsMax } from "../../lib/request-bounds.ts";
import { boundJson } from "./bounded-json.ts";

/** Bytes; a request rarely comes near it. */
const maxBodyLength = 65_536;

async function readText(ctx: Context, maxLength = maxBodyLength): Promise<string> {
  try {
    return await rawBody(ctx.req, { limit: maxLength, encoding: "utf8" });
  } catch (error) {
    // The rest is thrown away as it comes; left unread it would block the next request on the same connection.
    ctx.req.resume();
    const isTooLarge = error instanceof Error && "type" in error && error.type === "entity.too.large";
    if (isTooLarge) {
      throw new UsherError("body_too_large", `the body is larger than ${maxLength} bytes`, {
        status: 413,
        cause: error,
      });
    }
    throw new UsherError("bad_request", "the body could not be read", { status: 400, cause: error });
  }
}

/** The body of a form post, as a query string. */
export async function readForm(ctx: Context): Promise<string> {
  if (!ctx.is("application/x-www-form-urlencoded")) {
    throw new UsherError("unsupported_media_type", "send the body as application/x-www-form-urlencoded", {
      status: 415,
    });
  }
  const form = await readText(ctx);
  if (hasTooManyPairs(form)) {
    throw new UsherError("bad_request", `the form has more than ${pairsMax} fields`, { status: 400 });
  }
  return form;
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
    throw new UsherError("unsupported_media_type", "send the body as application/json", { status: 415 });
  }
  const body = parse(text);
  boundJson(body);
  return body;
}

function parse(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch (cause) {
    throw new UsherError("bad_request", "the body is not valid JSON", { status: 400, cause });
  }
}
