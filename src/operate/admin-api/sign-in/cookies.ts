import { createHash, hash, timingSafeEqual } from "node:crypto";
import type { Context } from "koa";
import { z } from "zod";
import type { Transaction } from "../../../lib/openid/login.ts";
import { readCookie } from "../../../oidc/index.ts";

/** What a person may take to sign in at the provider. */
const transactionMaxAgeSec = 600;
const valueLengthMax = 4_096;

const transaction = z.strictObject({
  state: z.string().min(1).max(256),
  nonce: z.string().min(1).max(256),
  verifier: z.string().min(1).max(256),
  return_to: z.string().max(2_048),
});

export type SignInCookies = ReturnType<typeof createSignInCookies>;

/**
 * Cookies of this host alone (`__Host-`; an http address, localhost, has to do without), for no script. SameSite=Lax: who comes
 * back from the provider, or by a link from elsewhere, is known. What changes something asks for a token beside them.
 */
export function createHostCookies(isSecure: boolean) {
  const prefix = isSecure ? "__Host-" : "";
  const attributes = `; Path=/; HttpOnly; SameSite=Lax${isSecure ? "; Secure" : ""}`;
  return {
    read: (ctx: Context, name: string) => readCookie(ctx.headers.cookie, prefix + name),
    set: (ctx: Context, name: string, value: string, maxAgeSec: number) =>
      ctx.append("Set-Cookie", `${prefix}${name}=${value}; Max-Age=${maxAgeSec}${attributes}`),
  };
}

/**
 * A cookie by which a browser is known again, and that is worth nothing else: a link belongs to the browser that used it, so that
 * a button that is pressed twice, or an answer that is lost, costs nobody the link.
 *
 * @param make a value that nobody can guess
 */
export function createBrowserMark(isSecure: boolean, name: string, maxAgeSec: number, make: () => string) {
  const { read, set } = createHostCookies(isSecure);
  const readSession = (ctx: Context): string | null => {
    const value = read(ctx, name) ?? "";
    return /^[\w-]{43}$/.test(value) ? value : null;
  };
  return {
    read: readSession,
    /** The browser's, or a new one that it does not have yet. */
    readOrMake: (ctx: Context): string => readSession(ctx) ?? make(),
    give: (ctx: Context, mark: string) => set(ctx, name, mark, maxAgeSec),
  };
}

/**
 * The cookies of operators' browsers.
 *
 * @param lifetimeMs of a session
 */
export function createSignInCookies(isSecure: boolean, lifetimeMs: number) {
  const { read, set } = createHostCookies(isSecure);
  const [ofSession, ofTransaction] = ["usher-session", "usher-sign-in"];

  return {
    /** The id of the session that the browser has, whatever it is worth; null for none. */
    session(ctx: Context): string | null {
      const id = read(ctx, ofSession) ?? "";
      return /^[\w-]{43}$/.test(id) ? id : null;
    },
    setSession: (ctx: Context, id: string) => set(ctx, ofSession, id, Math.floor(lifetimeMs / 1_000)),
    clearSession: (ctx: Context) => set(ctx, ofSession, "", 0),
    begin(ctx: Context, started: Transaction, returnTo: string): void {
      const text = JSON.stringify({ ...started, return_to: returnTo });
      set(ctx, ofTransaction, Buffer.from(text).toString("base64url"), transactionMaxAgeSec);
    },
    /** Takes it from the browser: it works once. Null for none. */
    takeTransaction(ctx: Context): (Transaction & { readonly return_to: string }) | null {
      const value = read(ctx, ofTransaction);
      if (value === undefined) return null;
      set(ctx, ofTransaction, "", 0);
      if (value.length > valueLengthMax) return null;
      try {
        return transaction.parse(JSON.parse(Buffer.from(value, "base64url").toString()));
      } catch {
        return null;
      }
    },
  };
}

/** What a page of ours sends beside the cookie. Nobody else knows it: it is made of the session's id, and does not lead back to it. */
export function csrfTokenOf(session: string): string {
  return hash("sha256", `usher csrf v1\n${session}`, "base64url");
}

export function isCsrfToken(session: string, supplied: string): boolean {
  const digest = (text: string) => createHash("sha256").update(text).digest();
  return timingSafeEqual(digest(csrfTokenOf(session)), digest(supplied));
}
