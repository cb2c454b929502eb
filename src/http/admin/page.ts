import type { Context } from "koa";
import { UsherError } from "../../lib/errors.ts";

const defaultPageSize = 100;
const maxPageSize = 500;

/** @throws UsherError `bad_request` */
export function readPage(ctx: Context): { limit: number; cursor: number } {
  return { limit: readLimit(ctx), cursor: readNumber(ctx, "cursor", 0, Number.MAX_SAFE_INTEGER) };
}

/** How many a page of a list may have. @throws UsherError `bad_request` */
export function readLimit(ctx: Context): number {
  return readNumber(ctx, "limit", defaultPageSize, maxPageSize);
}

/** A whole number of the query. @throws UsherError `bad_request` */
export function readNumber(ctx: Context, name: string, fallback: number, max: number): number {
  const text = ctx.query[name];
  if (text === undefined) return fallback;
  const value = typeof text === "string" && /^\d{1,16}$/.test(text) ? Number(text) : Number.NaN;
  const min = name === "limit" ? 1 : 0;
  if (Number.isNaN(value) || value > max || value < min) {
    throw new UsherError("bad_request", `${name}: expected a whole number from ${min} to ${max}`, { status: 400 });
  }
  return value;
}
