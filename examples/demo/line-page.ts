/**
 * The demonstration's page of the line, which shows the line and lets the next visitors in. It is no way into an installation: it is
 * served by `usher demo` alone, on this computer alone, and only to pages of its own.
 */
import { randomBytes } from "node:crypto";
import type Koa from "koa";
import type { Operator } from "./operator.ts";
import { linePage } from "./pages.ts";

export const LINE_PATH = "/line";
/** What the page's buttons send. */
const COUNTS = ["1", "10"];
const BODY_BYTES_MAX = 1_024;

export interface LinePageOptions {
  operator: Operator;
  /** The site's own origin, as browsers name it. */
  origin(): string;
}

export function createLinePage({ operator, origin }: LinePageOptions) {
  // No other site can read the page, so none can send what stands in its form.
  const token = randomBytes(32).toString("base64url");

  /** A name that somebody else's DNS points here would make this page one of theirs. */
  const isOwnAddress = (ctx: Koa.Context) => `http://${ctx.get("host")}` === origin();

  return {
    async show(ctx: Koa.Context): Promise<void> {
      if (!isOwnAddress(ctx)) ctx.throw(403, `open ${origin()}${LINE_PATH}`);
      ctx.type = "html";
      ctx.body = linePage(await operator.look(), token);
    },
    async admit(ctx: Koa.Context): Promise<void> {
      const form = new URLSearchParams(await readBody(ctx));
      const count = form.get("count") ?? "";
      if (!isOwnAddress(ctx) || form.get("token") !== token) ctx.throw(403, "this form is not the page's own");
      if (!COUNTS.includes(count)) ctx.throw(400, `expected a count of ${COUNTS.join(" or ")}`);
      await operator.admit(Number(count));
      ctx.status = 303;
      ctx.redirect(LINE_PATH);
    },
  };
}

async function readBody(ctx: Koa.Context): Promise<string> {
  const chunks: Buffer[] = [];
  let bytes = 0;
  for await (const chunk of ctx.req as AsyncIterable<Buffer>) {
    bytes += chunk.length;
    if (bytes > BODY_BYTES_MAX) ctx.throw(413, "the form is too long");
    chunks.push(chunk);
  }
  return Buffer.concat(chunks).toString();
}
